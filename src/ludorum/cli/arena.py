"""``ludorum arena``: a tournament between players, with scores, ratings and a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from .common import (
    NO,
    EngineOption,
    JsonOption,
    LenientOption,
    PonderOption,
    ThreadsOption,
    clock_option,
    players_option,
    print_json,
    readable_errors,
)
from .completion import complete_game
from .match_text import KeyOption, clocks_from

if TYPE_CHECKING:
    from ..arena.tournament import MatchLog, Runner, TournamentPlan
    from ..arena.tournament.publishing import TournamentPoster
    from ..arena.tournament.run import Progress
    from ..arena.tournament.summary import Summary

Choice = TypeVar("Choice", bound=StrEnum)

DEFAULT_CLOCK = "0,1"
REALTIME_CLOCK = "0,60"
RESULT_NAME = "result.json"
REPORT_NAME = "report.html"


def run(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME", help="library names or paths of rule sheets", autocompletion=complete_game
        ),
    ] = None,
    players: Annotated[
        str,
        players_option("mcts:playouts=200,random; also by address, NAME=http://host:9147"),
    ] = "",
    matches: Annotated[
        int, typer.Option("--matches", min=1, help="for each game and meeting, rounded up to all seatings")
    ] = 2,
    clock: Annotated[str | None, clock_option(f"{DEFAULT_CLOCK}, in realtime {REALTIME_CLOCK}")] = None,
    schedule: Annotated[
        str, typer.Option("--schedule", help="round-robin, gauntlet, ladder, swiss or elimination")
    ] = "round-robin",
    rounds: Annotated[int | None, typer.Option("--rounds", min=1, help="of a Swiss tournament")] = None,
    seatings: Annotated[
        str, typer.Option("--seatings", help="all orders of the players, or rotations only")
    ] = "all",
    opening: Annotated[
        int,
        typer.Option("--opening", min=0, help="random moves at first, the same for all seatings"),
    ] = 2,
    longest: Annotated[
        int | None,
        typer.Option(
            "--longest", min=1, help="most decisions of a match; without it the game's own bound, else 1000"
        ),
    ] = None,
    processes: Annotated[
        int, typer.Option("--processes", min=1, max=1024, help="matches played at once")
    ] = 1,
    threads: ThreadsOption = 1,
    ponder: PonderOption = False,
    ray: Annotated[bool, typer.Option("--ray", help="play on Ray (at RAY_ADDRESS, else here)")] = False,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar="ELO0,ELO1", help="end when a sequential test of two is decided")
    ] = "",
    anchor: Annotated[
        str, typer.Option("--anchor", metavar="NAME[=ELO]", help="player of fixed rating; else the mean is 0")
    ] = "",
    out: Annotated[Path | None, typer.Option("--out", help="folder for log, result and report")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="continue the tournament in --out")] = False,
    records: Annotated[
        Path | None, typer.Option("--records", help="write a record of each match into this folder")
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="write the report (HTML) here")] = None,
    engine: EngineOption = "compiled",
    publish: Annotated[
        str | None,
        typer.Option("--publish", metavar="URL", help="send every match, signed, to a server of spectators"),
    ] = None,
    key: KeyOption = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            min=0,
            help="seed of every random choice; without it 0, and with remote players a secret one",
        ),
    ] = None,
    as_json: JsonOption = False,
    lenient: LenientOption = False,
) -> None:
    """Play a tournament. With --sprt the exit status is 0 only if the first player proved stronger."""
    with readable_errors(as_json), ExitStack() as stack:
        from ..arena.protocol.invitations import format_invitation, parse_invitations
        from ..arena.tournament import ScheduleKind, Seatings, Sequential, TournamentPlan, planned_game

        plan: TournamentPlan | None = None
        if games or not resume:
            planned = tuple(planned_game(name, lenient) for name in games or ())
            by_clock = any(one.realtime for one in planned)
            start, play = clocks_from(clock, None, REALTIME_CLOCK if by_clock else DEFAULT_CLOCK)
            invited = parse_invitations(players) if players else []
            plan = TournamentPlan(
                games=planned,
                players=tuple(one.name for one in invited),
                matches=matches,
                schedule=_choice("--schedule", schedule, ScheduleKind),
                seatings=_choice("--seatings", seatings, Seatings),
                rounds=rounds,
                start_seconds=start,
                play_seconds=play,
                opening=opening,
                longest=longest,
                seed=_seed(seed, any(one.remote for one in invited), out if resume else None),
                sprt=Sequential(*_numbers("--sprt", sprt)) if sprt else None,
                engine=engine,
                lenient=lenient,
                outside=tuple(format_invitation(one) for one in invited if one.remote),
                threads=threads,
                ponder=ponder,
            )
            _check_players(plan)
        log = _open_log(plan, out, resume)
        if log is not None:
            plan = stack.enter_context(log).plan
        assert plan is not None
        if publish is not None and plan.is_realtime:
            raise ValueError(
                "--publish: servers of spectators take matches as a list of states, one for each round, and "
                "these are played in realtime; --records keeps them"
            )
        poster = _poster(publish, key)
        summary = _play(plan, log, stack.enter_context(_runner(processes, ray)), anchor, as_json, poster)
        _write(summary, out, report, records)
        _show(summary, as_json, [*_files(out, report), *filter(None, [records])], poster)
        test = summary.played.test
        if test is not None and test.result is not True:
            raise typer.Exit(NO)


def _seed(given: int | None, strangers: bool, log: Path | None) -> int:
    """The seed of a tournament: secret where remote players could foresee nature's draws."""
    from ..arena.match.seeds import secret_seed
    from ..arena.tournament.log import LogError, read_log

    if given is not None:
        return given
    if log is not None:
        with suppress(LogError):  # nothing to continue: opening the log says so
            return read_log(log)[0].seed
    return secret_seed() if strangers else 0


def _poster(url: str | None, key: Path | None) -> TournamentPoster | None:
    from ..arena.records.signatures import own_key
    from ..arena.tournament.publishing import TournamentPoster

    return None if url is None else TournamentPoster(url, own_key(key))


def _play(
    plan: TournamentPlan,
    log: MatchLog | None,
    runner: Runner,
    anchor: str,
    as_json: bool,
    poster: TournamentPoster | None,
) -> Summary:
    from ..arena.tournament import PlanError, run_tournament
    from ..arena.tournament.summary import summarise
    from .arena_text import watch

    fixed, elo = _anchor(anchor, plan.players)
    if fixed is not None and fixed not in plan.players:
        raise PlanError(f"the anchor {fixed!r} is no player; there are {', '.join(plan.players)}")
    try:
        with watch(as_json) as on_progress:

            def tell(progress: Progress) -> None:
                on_progress(progress)
                if poster is not None:
                    poster.look(progress)

            played = run_tournament(plan, runner, log, tell)
    except KeyboardInterrupt:
        if log is not None:
            kept = f"{len(log.results)} matches are kept"
            typer.echo(f"{kept}: ludorum arena --resume --out {log.path.parent} continues", err=True)
        raise
    return summarise(played, fixed, elo)


def _show(summary: Summary, as_json: bool, files: list[Path], poster: TournamentPoster | None) -> None:
    from dataclasses import asdict

    from .arena_text import result_text

    if not as_json:
        typer.echo(result_text(summary), nl=False)
        for path in files:
            typer.echo(f"written: {path}")
    posted = None if poster is None else poster.close(summary.played)
    if as_json:
        print_json(summary.as_json() | ({} if posted is None else {"published": asdict(posted)}))
    elif posted is not None:
        typer.echo(str(posted), err=bool(posted.trouble))


def _numbers(option: str, text: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"{option} takes two numbers, such as 0,10, not {text!r}") from None
    return first, second


def _choice(option: str, text: str, kind: type[Choice]) -> Choice:
    try:
        return kind(text)
    except ValueError:
        raise ValueError(f"{option} is one of {', '.join(kind)}, not {text!r}") from None


def _anchor(text: str, players: tuple[str, ...]) -> tuple[str | None, float]:
    """A player and its rating. Settings have equals signs too: a text that names a player has no rating."""
    if not text or text in players:
        return text or None, 0.0
    name, _, elo = text.rpartition("=")
    try:
        return name, float(elo)
    except ValueError:
        return text, 0.0


def _check_players(plan: TournamentPlan) -> None:
    """Make every player once: a wrong name should raise here, not lose every match."""
    from ..arena.tournament.outside import check_outside
    from ..players import make_player

    if plan.is_realtime:
        return  # the plan has made them
    for name in plan.players:
        if not plan.invitation(name).remote:
            make_player(name).close()
    check_outside(plan)


def _open_log(plan: TournamentPlan | None, out: Path | None, resume: bool) -> MatchLog | None:
    from ..arena.tournament import MatchLog

    if out is None:
        if resume:
            raise ValueError("--resume needs the folder of a tournament: --out FOLDER")
        return None
    if resume:
        return MatchLog.resume(out, plan)
    assert plan is not None
    return MatchLog.create(out, plan)


@contextmanager
def _runner(processes: int, ray: bool) -> Iterator[Runner]:
    from ..arena.tournament import OnRay, Processes

    with OnRay(processes if processes > 1 else None) if ray else Processes(processes) as runner:
        yield runner


def _write(summary: Summary, out: Path | None, report: Path | None, records: Path | None) -> None:
    from ..arena.tournament.report import report_page
    from .arena_matches import shown_matches

    if records is not None:
        from ..arena.tournament.records import write_records

        write_records(summary.played, records)

    page = report_page(summary, shown_matches(summary.played)) if out or report else ""
    if out is not None:
        text = json.dumps(summary.as_json(), indent=1, ensure_ascii=False) + "\n"
        (out / RESULT_NAME).write_text(text, encoding="utf-8")
        (out / REPORT_NAME).write_text(page, encoding="utf-8")
    if report is not None:
        report.write_text(page, encoding="utf-8")


def _files(out: Path | None, report: Path | None) -> list[Path]:
    from ..arena.tournament.log import LOG_NAME

    found = [] if out is None else [out / name for name in (LOG_NAME, RESULT_NAME, REPORT_NAME)]
    return found if report is None else [*found, report]
