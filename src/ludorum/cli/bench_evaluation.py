"""``ludorum bench evaluation``: evaluations from goals, beside the published figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .bench_results import about_run, results_file, write_results
from .common import INTERRUPTED, JsonOption, SeedOption, print_json, readable_errors, seconds_option
from .progress import Bar, shown_progress

if TYPE_CHECKING:
    from ..engine.game import Game
    from ..experiments.evaluation_2012.pairs import Pair
    from ..experiments.evaluation_2012.strength import GameSeries

PATIENCE = 3600.0
"""Seconds for a move where its work is counted."""


def evaluation(
    experiments: Annotated[
        str, typer.Option("--only", help="which of E1 to E7, separated by commas; all without it")
    ] = "",
    games: Annotated[
        str, typer.Option("--sheets", help="only these library names or paths, separated by commas")
    ] = "",
    matches: Annotated[int, typer.Option("--matches", min=2, help="matches of a pair in a game, even")] = 20,
    seconds: Annotated[float, seconds_option("for a move")] = 1.0,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="states of each search, in place of a clock")
    ] = None,
    saved: Annotated[
        Path | None, typer.Option("--saved", help="show a file of earlier results instead of measuring")
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", help="the file the results go to")] = None,
    page: Annotated[Path | None, typer.Option("--page", help="also write the page of the results")] = None,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--corpus",
            envvar="LUDORUM_CORPUS",
            help="a folder of public sheets: games of 2012 that lie there are played, too",
        ),
    ] = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Repeat the experiments on evaluations from goals, and print the published figures beside ours.

    E2 and E4 count what is found in the rules; the others play matches. Ctrl-C ends a run and keeps what has
    been measured. A run of all is kept as bench/results/evaluation-DATE.json.
    """
    from ..experiments.evaluation_2012.page import page_of

    with readable_errors(as_json):
        if saved is not None:
            results: dict[str, Any] = json.loads(saved.read_text(encoding="utf-8"))
        else:
            chosen = _chosen(experiments)
            only = [name.strip() for name in games.split(",") if name.strip()]
            run = _Run(only, corpus, matches, seconds, nodes, seed, as_json)
            results = {**about_run(), "matches": matches, "seconds": None if nodes else seconds}
            results |= {"nodes": nodes, "seed": seed, "complete": True, "experiments": run.found}
            try:
                run.measure(chosen)
            except KeyboardInterrupt:
                results["complete"] = False
                typer.echo("\nstopped; this is what was measured", err=True)
            usual = results["complete"] and not experiments and not only
            write_results(results, output or (results_file("evaluation") if usual else None))
        if page is not None:
            page.write_text(page_of(results), encoding="utf-8")
    if as_json:
        print_json(results)
    else:
        typer.echo(page_of(results))
    if not results["complete"]:
        raise typer.Exit(INTERRUPTED)


def _chosen(text: str) -> list[str]:
    from ..experiments.evaluation_2012.pairs import EXPERIMENTS

    asked = [name.strip() for name in text.split(",") if name.strip()]
    for name in asked:
        if name not in EXPERIMENTS:
            raise ValueError(f"no experiment {name!r}; there are {', '.join(EXPERIMENTS)}")
    return asked or list(EXPERIMENTS)


class _Run:
    """Measures one experiment after the other; what is found stays where a run is interrupted."""

    def __init__(
        self,
        only: Sequence[str],
        corpus: Path | None,
        matches: int,
        seconds: float,
        nodes: int | None,
        seed: int,
        as_json: bool,
    ) -> None:
        if matches % 2:
            raise ValueError(f"seats are changed: an even number of matches is needed, not {matches}")
        self.found: dict[str, Any] = {}
        self._only = only
        self._corpus = corpus
        self._matches = matches
        self._seconds = seconds
        self._nodes = nodes
        self._seed = seed
        self._as_json = as_json

    def measure(self, experiments: Sequence[str]) -> None:
        from ..experiments.evaluation_2012.pairs import PAIRS

        for name in experiments:
            if name == "E2":
                self._measure_resolution()
            elif name == "E4":
                self._count_features()
            else:
                self.found[name] = []
                for pair in PAIRS:
                    if pair.experiment == name:
                        self._play(pair, self.found[name])

    def _games(self, usual: Sequence[str]) -> list[str]:
        return list(self._only) or list(usual)

    def _library(self) -> list[str]:
        from ..rules.library import library_sheets

        return self._games([sheet.name for sheet in library_sheets() if sheet.language == "gdl"])

    def _measure_resolution(self) -> None:
        from ..asp.ground import GroundingError
        from ..experiments.evaluation_2012.resolution import measure_resolution, summary_of

        rows = []
        names = self._library()
        with shown_progress("E2", self._as_json, total=len(names)) as bar:
            for number, name in enumerate(names):
                _say(bar, name, number)
                try:
                    found = measure_resolution(_loaded(name))
                except GroundingError:
                    continue
                if found is not None:
                    rows.append(found)
                self.found["E2"] = {
                    "summary": summary_of(rows).as_json(),
                    "games": [row.as_json() for row in rows],
                }

    def _count_features(self) -> None:
        from ..experiments.evaluation_2012.features import measure_features

        rows = []
        names = self._library()
        with shown_progress("E4", self._as_json, total=len(names)) as bar:
            for number, name in enumerate(names):
                _say(bar, name, number)
                rows.append(measure_features(_loaded(name)))
                self.found["E4"] = [row.as_json() for row in rows]

    def _play(self, pair: Pair, found: list[Any]) -> None:
        from ..asp.ground import GroundingError
        from ..engine.errors import GameError
        from ..evaluate.goals.versions import VERSIONS
        from ..experiments.evaluation_2012.strength import VersionDuel
        from ..players.registry import player_names
        from ..rules.source import RulesError

        if any(name not in VERSIONS and name not in player_names() for name in (pair.first, pair.second)):
            return
        names = [*pair.games, *map(str, pair.public_sheets(self._corpus))]
        names = [name for name in names if not self._only or name in self._only]
        if not names:
            return
        series: list[GameSeries] = []
        duel: dict[str, Any] = {"title": pair.title, "published": pair.published, "left_out": {}}
        duel |= VersionDuel(series).as_json()
        found.append(duel)
        with shown_progress(f"{pair.experiment}: {pair.title}", self._as_json, total=len(names)) as bar:
            for number, name in enumerate(names):
                _say(bar, f"{pair.first} against {pair.second}: {Path(name).stem}", number)
                try:
                    series.append(self._series(name, pair))
                except (GameError, GroundingError, RulesError, ValueError) as error:
                    duel["left_out"][Path(name).stem] = str(error)
                duel |= VersionDuel(series).as_json()  # what is there stays where the run is stopped

    def _series(self, name: str, pair: Pair) -> GameSeries:
        from ..experiments.evaluation_2012.strength import play_series

        return play_series(
            _compiled(name),
            (pair.first, pair.second),
            self._matches,
            seconds=self._seconds if self._nodes is None else PATIENCE,
            nodes=self._nodes,
            seed=self._seed,
        )


def _loaded(name: str) -> Game:
    from ..engine.load import load_game

    return load_game(name, "lifted", lenient=True)


def _compiled(name: str) -> Game:
    from ..engine.load import load_game

    return load_game(name, "compiled", lenient=True)


def _say(bar: Bar | None, text: str, done: int) -> None:
    if bar is not None:
        bar.tell(text, done)
