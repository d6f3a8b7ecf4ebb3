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
            run = _Run(only, matches, seconds, nodes, seed, as_json)
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
        self, only: Sequence[str], matches: int, seconds: float, nodes: int | None, seed: int, as_json: bool
    ) -> None:
        if matches % 2:
            raise ValueError(f"seats are changed: an even number of matches is needed, not {matches}")
        self.found: dict[str, Any] = {}
        self._only = only
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
        from ..evaluate.goals.versions import VERSIONS
        from ..experiments.evaluation_2012.strength import GameSeries, VersionDuel, play_series
        from ..players.registry import player_names

        if any(name not in VERSIONS and name not in player_names() for name in (pair.first, pair.second)):
            return
        series: list[GameSeries] = []
        names = [name for name in pair.games if not self._only or name in self._only]
        with shown_progress(f"{pair.experiment}: {pair.title}", self._as_json, total=len(names)) as bar:
            for number, name in enumerate(names):
                _say(bar, f"{pair.first} against {pair.second}: {name}", number)
                series.append(
                    play_series(
                        _compiled(name),
                        (pair.first, pair.second),
                        self._matches,
                        seconds=self._seconds if self._nodes is None else 3600,
                        nodes=self._nodes,
                        seed=self._seed,
                    )
                )
        if series:
            found.append({"title": pair.title, "published": pair.published, **VersionDuel(series).as_json()})


def _loaded(name: str) -> Game:
    from ..engine.load import load_game

    return load_game(name, "lifted", lenient=True)


def _compiled(name: str) -> Game:
    from ..engine.load import load_game

    return load_game(name, "compiled")


def _say(bar: Bar | None, text: str, done: int) -> None:
    if bar is not None:
        bar.tell(text, done)
