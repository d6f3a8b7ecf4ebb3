"""``ludorum bench strength``: a ladder of players in games of all kinds, kept from version to version."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .bench_results import about_run
from .common import INTERRUPTED, NO, JsonOption, SeedOption, print_json, readable_errors, seconds_option
from .progress import duration, shown_progress

if TYPE_CHECKING:
    from ..arena.tournament.run import Runner
    from ..experiments.strength.allowance import Allowance
    from ..experiments.strength.ladder_games import LadderGame
    from ..experiments.strength.losses import LostMatch
    from ..experiments.strength.rung import RowOrigin, Rung, RungMatches
    from ..experiments.strength.strength_rows import StrengthRow

NOT_KNOWN = 3
"""Exit code: the matches do not say which player is stronger."""
LADDER = "mcts,fluxplayer,nexplayer,random"
SHORT_PLAYOUTS, SHORT_MATCHES = 10_000, 60
"""With fewer playouts a search in lanes, which makes hundreds at a time, hardly grows a tree."""
NODES_A_PLAYOUT = 2
"""A tree gets about one node for a playout: this many leave its playouts the bound."""
LINE_SECONDS = 10.0
"""How often progress is told where it is no bar but lines."""


def strength(
    player: Annotated[
        str, typer.Option("--player", metavar="PLAYER", help="the player that is measured")
    ] = "champion",
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="A,B,...",
            help="opponents: players, openspiel, NAME@FOLDER for a player of another clone, "
            "NAME=http://host:9147; with --short also the folder of a clone; without it the usual ladder",
        ),
    ] = "",
    games: Annotated[
        str,
        typer.Option("--sheets", help="library names or paths, separated by commas; without it the ladder's"),
    ] = "",
    quick: Annotated[bool, typer.Option("--quick", help="only the quick games of the ladder")] = False,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", envvar="LUDORUM_CORPUS", help="the folder of public sheets"),
    ] = None,
    matches: Annotated[
        int | None, typer.Option("--matches", min=2, max=1000, help="of each game against each opponent")
    ] = None,
    seconds: Annotated[
        float | None, seconds_option("of the processor, for a move; without it 1", 0.01)
    ] = None,
    start: Annotated[float, typer.Option("--start", min=0, help="seconds to prepare")] = 5.0,
    playouts: Annotated[
        int | None,
        typer.Option("--playouts", min=1, help="playouts of each search in place of seconds: repeatable"),
    ] = None,
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", min=1, help="nodes of each search, trees too; without it twice as many"),
    ] = None,
    short: Annotated[
        bool,
        typer.Option("--short", help="only say whether the player is stronger or weaker than one opponent"),
    ] = False,
    margin: Annotated[
        float, typer.Option("--margin", min=1, help="the difference in Elo that the short form looks for")
    ] = 40.0,
    losses: Annotated[
        bool, typer.Option("--losses", help="play nothing: show where estimates broke in lost matches")
    ] = False,
    records: Annotated[
        Path | None, typer.Option("--records", help="with --losses: write a record of each lost match here")
    ] = None,
    label: Annotated[str, typer.Option("--label", help="name of this version; without it the commit")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="folder of the logs; without it build/strength")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", help="file of the results; without it bench/results/strength.jsonl"),
    ] = None,
    saved: Annotated[
        Path | None, typer.Option("--saved", help="show a file of earlier results instead of measuring")
    ] = None,
    page: Annotated[Path | None, typer.Option("--page", help="put the tables into this page")] = None,
    processes: Annotated[
        int, typer.Option("--processes", min=1, max=1024, help="matches played at once")
    ] = 1,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a player against a ladder of others in games of all kinds, or against its earlier version.

    The same command goes on where it was stopped; --matches may grow. Finished matches are kept in the logs,
    results by version in one file, and --page makes tables of it. With --short the exit status is 0 for
    stronger, 1 for weaker and 3 for not known.
    """
    with readable_errors(as_json):
        clone = _clone()
        place = (out or clone / "build" / "strength") / (label or _version(clone))
        target = output or (None if short else clone / "bench" / "results" / "strength.jsonl")
        if saved is not None:
            _show_saved(saved, page, as_json)
            return
        if losses:
            _show_losses(place, records, as_json)
            return
        allowance = _allowance(playouts, nodes, seconds, start, short)
        chosen, left_out = _games(games, quick or (short and not games), corpus)
        rungs = _rungs(player, against, short, chosen, allowance, seed, left_out)
        found = _Found(left_out)
        about = _about(label or _version(clone), allowance, seed)
        most = matches or (SHORT_MATCHES if short else 8)
        try:
            with _runner(processes, allowance) as runner:
                _play(rungs, runner, place, most, margin if short else None, found, as_json)
        except KeyboardInterrupt:
            found.complete = False
            typer.echo("\nstopped; the same command goes on", err=True)
        rows = [row for one in found.rungs.values() for row in one.rows(about)]
        _keep(rows, target, page)
    if short:
        _answer(found, rows, margin, as_json)
    else:
        _show(rows, found, as_json)


@dataclass
class _Found:
    """What a run has found so far."""

    left_out: list[str]
    rungs: dict[int, RungMatches] = field(default_factory=dict)
    """By the place of their opponent on the ladder."""
    complete: bool = True

    def as_json(self, rows: Sequence[StrengthRow]) -> dict[str, object]:
        return {
            "complete": self.complete,
            "left_out": self.left_out,
            "rows": [row.as_json() for row in rows],
        }


def _clone() -> Path:
    from .._paths import clone_folder

    clone = clone_folder()
    assert clone is not None, "`ludorum bench` asks for a clone before any of its verbs"
    return clone


def _version(clone: Path) -> str:
    from ..experiments.machine import version_of

    return version_of(clone) or "unknown"


def _allowance(
    playouts: int | None, nodes: int | None, seconds: float | None, start: float, short: bool
) -> Allowance:
    """What was asked for; the short form counts work unless seconds are named."""
    from ..experiments.strength.allowance import Allowance

    if seconds is not None and (playouts or nodes):
        raise ValueError("a move has --seconds, or counted work: --playouts and --nodes")
    if playouts is None and (nodes or (short and seconds is None)):
        playouts = SHORT_PLAYOUTS
    if playouts is None:
        return Allowance(seconds=seconds or 1.0, start_seconds=start)
    return Allowance(playouts, nodes or NODES_A_PLAYOUT * playouts)


def _about(version: str, allowance: Allowance, seed: int) -> RowOrigin:
    from ..experiments.strength.rung import RowOrigin

    run = about_run()
    return RowOrigin(version, run["date"], run["machine"]["processor"], allowance.words, seed)


def _games(names: str, quick: bool, corpus: Path | None) -> tuple[list[LadderGame], list[str]]:
    from ..experiments.strength.ladder_games import QUICK, ladder_games, named_games

    asked = [name.strip() for name in names.split(",") if name.strip()]
    if asked or quick:
        return named_games(asked or QUICK), []
    return ladder_games(corpus)


def _rungs(
    player: str,
    against: str,
    short: bool,
    games: Sequence[LadderGame],
    allowance: Allowance,
    seed: int,
    left_out: list[str],
) -> list[Rung]:
    from ..arena.protocol.invitations import parse_invitations
    from ..experiments.strength.allowance import OPENSPIEL
    from ..experiments.strength.rung import make_rung

    if short and not against:
        raise ValueError(
            "--short compares with one opponent: --against FOLDER of an earlier clone, or a player"
        )
    if short and Path(against).is_dir():
        against = f"{player}@{Path(against).resolve()}"
    rungs = []
    for rival in parse_invitations(against or _usual_ladder()):
        if rival.name.partition(":")[0] == OPENSPIEL and find_spec("pyspiel") is None:
            left_out.append("openspiel is left out: OpenSpiel is not installed (pip install '.[rivals]')")
            continue
        _check_player(rival.name if not rival.remote else player)
        rungs.append(make_rung(player, rival, games, allowance, seed))
        left_out += rungs[-1].left_out
    _check_player(player)
    if short and len(rungs) != 1:
        raise ValueError("--short compares with one opponent: name exactly one")
    return rungs


def _usual_ladder() -> str:
    return f"{LADDER},openspiel" if find_spec("pyspiel") else LADDER


def _check_player(name: str) -> None:
    """Make a player once: a wrong name should raise here, not lose every match."""
    from ..experiments.strength.allowance import OPENSPIEL
    from ..experiments.strength.clone_player import python_of
    from ..players import make_player

    base, _, clone = name.partition("@")
    if clone:
        python_of(Path(clone))
    elif base.partition(":")[0] != OPENSPIEL:
        make_player(name).close()


@contextmanager
def _runner(processes: int, allowance: Allowance) -> Iterator[Runner]:
    from ..arena.tournament.run import Processes
    from ..arena.tournament.worker import Patience
    from ..experiments.strength.allowance import STRETCH
    from ..experiments.strength.play_noted import play_noted

    patience = Patience(grace=10 + STRETCH * allowance.seconds)
    with Processes(processes, patience, partial(play_noted, by_processor=not allowance.is_counted)) as runner:
        yield runner


def _play(
    rungs: Sequence[Rung],
    runner: Runner,
    place: Path,
    matches: int,
    margin: float | None,
    found: _Found,
    as_json: bool,
) -> None:
    """Play all rungs; with a margin each only until it is decided."""
    from ..experiments.strength.rung import open_log, play_rung

    for number, rung in enumerate(rungs, 1):
        what = f"matches against {rung.rival} ({number} of {len(rungs)})"
        with open_log(rung, place) as log, _progress(what, as_json) as tell:

            def look(
                played: RungMatches, number: int = number, tell: Callable[[RungMatches], None] = tell
            ) -> bool:
                found.rungs[number] = played
                tell(played)
                return margin is None or not played.test(margin).is_over

            play_rung(rung, log, runner, matches, look)


@contextmanager
def _progress(what: str, as_json: bool) -> Iterator[Callable[[RungMatches], None]]:
    """A message on the progress of a rung: a bar in a terminal, now and then a line in a file."""
    begin = told = time.monotonic()
    whole: int | None = None
    with shown_progress(what, as_json) as bar:

        def tell(played: RungMatches) -> None:
            nonlocal whole, told
            left = len(played.missing)
            whole = left if whole is None else whole
            done, now = whole - left, time.monotonic()
            if bar is not None:
                bar(done, whole)
            elif not as_json and not sys.stderr.isatty() and now - told >= LINE_SECONDS and done:
                told = now
                more = duration((now - begin) * left / done)
                typer.echo(f"{done} of {whole} {what}, {more} left", err=True)

        yield tell


def _keep(rows: Sequence[StrengthRow], target: Path | None, page: Path | None) -> None:
    from ..experiments.strength.strength_rows import keep_rows, read_rows

    if target is None:
        return
    if rows:
        keep_rows(target, rows)
        typer.echo(f"written: {target}", err=True)
    if page is not None:
        _write_page(page, read_rows(target))


def _write_page(page: Path, rows: Sequence[StrengthRow]) -> None:
    from ..experiments.strength.strength_page import page_with

    before = page.read_text(encoding="utf-8") if page.exists() else ""
    page.write_text(page_with(before, rows), encoding="utf-8")
    typer.echo(f"written: {page}", err=True)


def _show_saved(saved: Path, page: Path | None, as_json: bool) -> None:
    from ..experiments.strength.strength_page import ladder_part
    from ..experiments.strength.strength_rows import read_rows

    if not saved.is_file():
        raise FileNotFoundError(f"no file of results: {saved}")
    rows = read_rows(saved)
    if page is not None:
        _write_page(page, rows)
    if as_json:
        print_json([row.as_json() for row in rows])
    else:
        typer.echo(ladder_part(rows), nl=False)


def _show(rows: Sequence[StrengthRow], found: _Found, as_json: bool) -> None:
    from ..experiments.strength.strength_page import ladder_part

    if as_json:
        print_json(found.as_json(rows))
    else:
        for remark in found.left_out:
            typer.echo(remark, err=True)
        typer.echo(ladder_part(rows), nl=False)
    if not found.complete:
        raise typer.Exit(INTERRUPTED)


def _answer(found: _Found, rows: Sequence[StrengthRow], margin: float, as_json: bool) -> None:
    """The answer of the short form, and its exit status."""
    from ..arena.tournament.statistics import StrengthAnswer
    from ..experiments.strength.rung import verdict_text

    for remark in () if as_json else found.left_out:
        typer.echo(remark, err=True)
    played = next(iter(found.rungs.values()), None)
    answer = StrengthAnswer.NOT_KNOWN
    if played is not None:
        test = played.test(margin)
        answer = test.answer
        if as_json:
            print_json({"answer": str(answer), "test": test.as_json(), **found.as_json(rows)})
        else:
            typer.echo(verdict_text(played, test))
    if not found.complete:
        raise typer.Exit(INTERRUPTED)
    codes = {StrengthAnswer.STRONGER: 0, StrengthAnswer.WEAKER: NO, StrengthAnswer.NOT_KNOWN: NOT_KNOWN}
    raise typer.Exit(codes[answer])


def _show_losses(place: Path, records: Path | None, as_json: bool) -> None:
    from ..experiments.strength.losses import keep_records, losses_text, lost_matches, most_misjudged
    from ..experiments.strength.rung import logged_matches

    lost: list[LostMatch] = []
    for plan, fixtures, results in logged_matches(place):
        lost += lost_matches(plan, fixtures, results)
        if records is not None:
            keep_records(plan, fixtures, results, records)
    lost.sort(key=most_misjudged)
    if as_json:
        print_json([one.as_json() for one in lost])
    else:
        typer.echo(losses_text(lost), nl=False)
