"""Realtime matches of ``match`` and ``host``: how they are played, and what is printed of them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .common import NO, print_json
from .match_text import MOST_SECONDS
from .realtime_keeping import Keeping, kept, write_lines

if TYPE_CHECKING:
    from ..arena.protocol.invitations import Invitation
    from ..arena.world import RealtimeMatch
    from ..arena.world.realtime_match import Told
    from ..engine.wdl_master import WdlMaster
    from ..rules.terms import Term

DEFAULT_LENGTH = "10,60"
"""Seconds to prepare, and of the whole match."""


NOT_CONTINUED = (
    "--from: a match in realtime is one stretch of time on the clock, and players cannot be brought back to "
    "the middle of it; begin a new one"
)
NOT_PUBLISHED = (
    "--publish: servers of spectators take matches as a list of states, one for each round, and this one is "
    "played in realtime; --record and --store keep it"
)
NO_LIMIT = "--limit: a match in realtime is as long as its clock says: --clock 10,60 are 60 seconds"


def realtime_master(game: str) -> WdlMaster | None:
    """A realtime game, ready to be played; None where a game has rounds. RulesError where it is faulty."""
    from ..engine.load import load_realtime
    from ..rules.library import WDL, find_sheet

    if game == "-":
        return None
    sheet = find_sheet(game)
    return load_realtime(sheet) if sheet.language == WDL else None


def refuse_options(**given: object) -> None:
    """ValueError where an option was given that realtime matches do not know."""
    for name, value in given.items():
        if value not in (None, False, "", 0, 0.0):
            raise ValueError(f"--{name} is for games in rounds; this one is played in realtime")


def refuse_rounds(go_on: str | None, publish: str | None, limit: int | None) -> None:
    """ValueError where an option was given that makes no sense for the clock, with the reason."""
    for given, why in ((go_on, NOT_CONTINUED), (publish, NOT_PUBLISHED), (limit, NO_LIMIT)):
        if given is not None:
            raise ValueError(why)


def length_from(text: str | None) -> tuple[float, float]:
    """Seconds to prepare and of the whole match, 0 for no bound; ValueError where an option says neither."""
    try:
        start, length = map(float, (text or DEFAULT_LENGTH).split(","))
    except ValueError:
        start = length = -1.0
    if not (0 <= start < MOST_SECONDS and 0 <= length < MOST_SECONDS):
        raise ValueError(
            f"--clock {text!r}: write two numbers of seconds, to prepare and of the whole match, such as "
            f"{DEFAULT_LENGTH}; the second may be 0 for no bound"
        )
    return start, length


def demonstrate(master: WdlMaster, player: str, seed: int, record: Path | None) -> None:
    """A match of a player against players that act at random, told line by line."""
    from ..arena.protocol.invitations import Invitation

    others = [Invitation("random")] * (len(master.roles) - 1)
    keeping = Keeping(record)
    play_realtime(master, [Invitation(player), *others], length_from(None), seed, "", keeping, as_json=False)


def sit_in(master: WdlMaster, role: str | None, player: str, seed: int, record: Path | None) -> None:
    """A person plays a role at the screen, and players the others."""
    from ..arena.protocol.invitations import Invitation
    from ..arena.world import RealtimeMatch
    from ..arena.world.hosting import RealtimeHosting, refuse_unable
    from ..engine.board import find_grid
    from ..engine.wdl_sample import SampledMaster
    from .terminal.realtime_app import PersonSeat, RealtimeApp

    names = [str(one) for one in master.roles]
    if role is not None and role not in names:
        raise ValueError(f"nobody is called {role!r} in this game; there are {', '.join(names)}")
    own = master.roles[0 if role is None else names.index(role)]
    invited = [Invitation(player)] * len(names)
    refuse_unable(master, invited)
    match = RealtimeMatch(master, "M1", seed, start_clock=0, seconds=0)

    def make(people: Mapping[Term, PersonSeat]) -> RealtimeHosting:
        return RealtimeHosting(match, invited, people)

    app = RealtimeApp(make, own, find_grid(SampledMaster(master)))
    try:
        app.run()
    finally:
        if record is not None:
            write_lines(match.record, record)


def play_realtime(
    master: WdlMaster,
    invitations: Sequence[Invitation],
    clocks: tuple[float, float],
    seed: int,
    name: str,
    keeping: Keeping,
    as_json: bool,
    no_colons: bool = False,
) -> None:
    """Play a match to its end, and print what happens."""
    import asyncio

    from ..arena.records.begin import check_match_id
    from ..arena.world import RealtimeMatch
    from ..arena.world.hosting import RealtimeHosting, refuse_unable

    refuse_unable(master, invitations)
    match_id = check_match_id(name) if name else f"M{secrets.token_hex(5)}"
    match = RealtimeMatch(master, match_id, seed, *clocks)
    hosting = RealtimeHosting(match, invitations, no_colons=no_colons)
    with kept(match, keeping) as keeper:

        def tell(told: Told) -> None:
            if keeper is not None and _is_move(told):
                keeper.note_moves()
            if not as_json:
                _print_event(told)

        hosting.controller.on_event = tell
        trouble = asyncio.run(hosting.play())
    players = {str(role): one.name for role, one in zip(master.roles, invitations, strict=True)}
    _print_end(match, players, trouble, hosting.controller.punctuality.worst, as_json)


def _is_move(told: Told) -> bool:
    from ..arena.protocol.realtime_messages import Happened

    return any(isinstance(one, Happened) for one in told.values())


def _print_event(told: Told) -> None:
    """A line for a move, as those see it who are told least; nothing for a signal of the clock."""
    from ..arena.protocol.realtime_messages import Happened

    views = [one for one in told.values() if isinstance(one, Happened)]
    if views:
        seen = min(views, key=lambda one: len(str(one.move)))
        typer.echo(f"  {seen.player}: {seen.move}")


def _print_end(
    match: RealtimeMatch, players: Mapping[str, str], trouble: Mapping[Term, str], worst: float, as_json: bool
) -> None:
    goals = match.record.goals or {}
    seconds = match.state.clock * match.tick_seconds
    if as_json:
        print_json({
            "match": match.match_id, "game": match.record.game, "players": players, "goals": goals,
            "ticks": match.state.clock, "seconds": round(seconds, 3), "latest_tick": round(worst, 4),
            "trouble": {str(role): text for role, text in trouble.items()},
        })  # fmt: skip
    else:
        for role, text in trouble.items():
            typer.echo(f"{role} ({players[str(role)]}): {text}", err=True)
        ends = ", ".join(
            f"{role} {' '.join(goals.get(role, ())) or 'none'} ({who})" for role, who in players.items()
        )
        typer.echo(f"over after {seconds:.2f} seconds, {match.state.clock} ticks: {ends}")
    if not match.is_over:
        raise typer.Exit(NO)
