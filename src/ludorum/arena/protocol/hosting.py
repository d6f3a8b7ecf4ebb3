"""Hosting: a match between anybody, from invitations to the record that is on disk before anyone is told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ...engine.game import Game
from ...players import make_player
from ...rules.terms import Term
from ..clocks import Clocks
from ..match import Match
from ..referee import Referee
from ..seat import LocalSeat, Seat
from ..spectator import format_published, load_published, publish
from .dialects import Dialect
from .invitations import Invitation
from .remote_seat import RemoteSeat
from .scramble import Scrambler, scrambler_of


@dataclass(frozen=True)
class Hosting:
    """How a match is hosted."""

    dialect: Dialect
    clocks: Clocks
    seed: int = 0
    scramble: bool = False
    preview: float = 0.0
    """Seconds that players may look at the rules before the match; 0 for no preview."""
    record: Path | None = None
    """Where the match is written down, anew after every step."""
    max_steps: int = 1000


def seat_players(
    game: Game, invitations: list[Invitation], hosting: Hosting, rejoin: bool = False
) -> dict[Term, Seat]:
    """A seat for every role; ValueError where somebody cannot play this game."""
    roles = game.info.players
    if len(invitations) != len(roles):
        names = ", ".join(map(str, roles))
        raise ValueError(
            f"{game.name} is for {len(roles)} ({names}), {len(invitations)} players are given: "
            f"name one for each role, in this order"
        )
    return {
        role: _seat(game, at, one, hosting, rejoin)
        for at, (role, one) in enumerate(zip(roles, invitations, strict=True))
    }


def _seat(game: Game, at: int, invitation: Invitation, hosting: Hosting, rejoin: bool) -> Seat:
    if not invitation.remote:
        return LocalSeat(make_player(invitation.name, hosting.seed))
    return RemoteSeat(
        invitation.name,
        game,
        language=invitation.language,
        dialect=hosting.dialect,
        scrambler=_scrambler(game, at, hosting),
        method=invitation.method,
        rejoin=rejoin,
    )


def _scrambler(game: Game, at: int, hosting: Hosting) -> Scrambler | None:
    """Words of the match for everybody or, as in Dresden, other words for every player."""
    if not hosting.scramble or game.rules is None:
        return None
    own = at + 1 if hosting.dialect.name == "dresden" else 0
    return scrambler_of(game.rules, hosting.seed + 1000 * own)


async def host_match(
    match: Match,
    seats: dict[Term, Seat],
    hosting: Hosting,
    on_step: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match to its end. Its record is on disk before anybody is told of a step."""
    names = await _introduce(seats, hosting)

    async def note(match: Match) -> None:
        if hosting.record is not None:
            write_match(match, hosting, tuple(names.get(role, "random") for role in match.game.roles))
        if on_step:
            on_step(match)

    return await Referee(match, seats, hosting.clocks, note, hosting.max_steps).run()


async def _introduce(seats: dict[Term, Seat], hosting: Hosting) -> dict[Term, str]:
    """Ask remote players for their names and show them the rules; who says nothing keeps its address."""

    async def one(seat: Seat) -> str:
        if not isinstance(seat, RemoteSeat):
            return seat.name
        info = await seat.info(hosting.clocks)
        if hosting.preview:
            await seat.preview(hosting.clocks, hosting.preview)
        return info.name if info is not None and info.name else seat.name

    found = await asyncio.gather(*(one(seat) for seat in seats.values()))
    return dict(zip(seats, found, strict=True))


def write_match(match: Match, hosting: Hosting, names: tuple[str, ...]) -> None:
    """Put the record in its place: there is always a whole one, the old or the new."""
    assert hosting.record is not None
    published = publish(match.record("ludorum host"), hosting.clocks, names, rules=match.game)
    text = format_published(replace(published, scrambled=hosting.scramble))
    fresh = hosting.record.with_name(hosting.record.name + ".part")
    with fresh.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(hosting.record)


def resume_match(game: Game, path: Path, hosting: Hosting) -> Match:
    """The match of a record, to go on with; RecordError or GameError where that cannot be."""
    return Match.resumed(game, load_published(path).record, replace_by=hosting.dialect.replace_by)
