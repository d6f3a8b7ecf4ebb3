"""Hosting: a match between any players, from invitations to a record that is on disk before it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...engine.game import Game
from ...players import make_player
from ...rules.terms import Term
from ..match.clocks import Clocks
from ..match.limits import is_given_up
from ..match.match import Match
from ..match.referee import Referee
from ..match.seat import LocalSeat, Seat
from ..match.seeds import seed_from
from ..records.notes import Notes
from ..records.posting import Poster
from ..records.publisher import Publisher
from ..records.signatures import SigningKey
from ..records.spectator import PublishedMatch
from .dialects import Dialect
from .invitations import Invitation, refuse_shared_ports
from .remote_seat import RemoteSeat
from .scramble import Scrambler, names_without_colons, scrambler_of

if TYPE_CHECKING:  # it brings SQLAlchemy, which takes as long to import as all the rest
    from ..records.store import MatchStore


@dataclass(frozen=True)
class Hosting:
    """How a match is hosted, and where its record goes."""

    dialect: Dialect
    clocks: Clocks
    seed: int = 0
    scramble: bool = False
    no_colons: bool = False
    """Whether names of modules are sent to remote players without colons."""
    preview: float = 0.0
    """Seconds that players may look at the rules before the match; 0 for no preview."""
    limit: int | None = None
    """Decisions after which the match is given up; None for the bound of the game, else 1000."""
    record: Path | None = None
    """A file that is rewritten after every step."""
    store: MatchStore | None = None
    key: SigningKey | None = None
    poster: Poster | None = None
    """The publisher of the match; closed by its creator."""
    first: PublishedMatch | None = None
    """The record that the match continues."""
    threads: int = 1
    """Threads of each search of our players, and …"""
    ponder: bool = False
    """… whether it goes on while others move."""

    @property
    def is_scrambled(self) -> bool:
        """Whether remote players are told other names; a resumed match keeps what it began with."""
        return self.scramble if self.first is None else bool(self.first.scrambled)


def seat_players(match: Match, invitations: list[Invitation], hosting: Hosting) -> dict[Term, Seat]:
    """A seat for every role; ValueError where a player cannot play this game."""
    game = match.game
    roles = game.info.players
    if len(invitations) != len(roles):
        names = ", ".join(map(str, roles))
        raise ValueError(
            f"{game.name} is for {len(roles)} ({names}), {len(invitations)} players are given: "
            f"name one for each role, in this order"
        )
    refuse_shared_ports(invitations)
    return {
        role: _seat(match, at, one, hosting)
        for at, (role, one) in enumerate(zip(roles, invitations, strict=True))
    }


def _seat(match: Match, at: int, invitation: Invitation, hosting: Hosting) -> Seat:
    if not invitation.remote:
        seed = seed_from("player", match.seed, at)
        return LocalSeat(make_player(invitation.name, seed, threads=hosting.threads, ponder=hosting.ponder))
    scrambler, rejoin = _scrambler(match, at, hosting), hosting.first is not None
    return remote_seat(match.game, invitation, hosting.dialect, scrambler, rejoin)


def remote_seat(
    game: Game,
    invitation: Invitation,
    dialect: Dialect,
    scrambler: Scrambler | None = None,
    rejoin: bool = False,
) -> RemoteSeat:
    """A seat for the player that listens at the address; ValueError where it cannot play this game."""
    return RemoteSeat(
        invitation.address,
        game,
        language=invitation.language,
        dialect=dialect,
        scrambler=scrambler,
        method=invitation.method,
        name=invitation.name,
        rejoin=rejoin,
    )


def _scrambler(match: Match, at: int, hosting: Hosting) -> Scrambler | None:
    """The scrambled words of the match, the same for all players or, as in Dresden, others for every player.

    They come from the name of the match, which every player knows, so that a resumed match has the words it
    began with. They must not come from its seed: then words would tell what nature is going to draw.
    """
    if match.game.rules is None:
        return None
    if not hosting.is_scrambled:
        return names_without_colons(match.game.rules.as_sent) if hosting.no_colons else None
    own = at + 1 if hosting.dialect.own_words else 0
    return scrambler_of(match.game.rules.as_sent, seed_from("words", match.match_id, own))


async def host_match(
    match: Match,
    seats: dict[Term, Seat],
    hosting: Hosting,
    on_step: Callable[[Match], None] | None = None,
) -> Match:
    """Play a match to its end. Its record is on disk before any player is told of a step.

    The record and the players are told the same: a match that takes too many decisions, or is interrupted
    while remote players take part in it, is aborted for both.
    """
    names = await _introduce(seats, hosting)

    played_by = tuple(names.get(role, "random") for role in match.game.roles)
    publisher = Publisher(hosting.clocks, played_by, hosting.first, hosting.key, hosting.is_scrambled)
    notes = Notes(publisher, hosting.store, hosting.record, hosting.poster)

    def may_go_on() -> bool:
        return not is_given_up(match, hosting.limit)

    async def note(match: Match) -> None:
        notes.write(match, aborted=not may_go_on())
        if on_step:
            on_step(match)

    try:
        referee = Referee(match, seats, hosting.clocks, note, hosting.limit, names=names)
        return await referee.run()
    except BaseException:
        if any(seat.follows for seat in seats.values()) and may_go_on() and not match.is_over:
            notes.write(match, aborted=True)  # the players have been told ABORT: the match cannot be resumed
        raise


async def _introduce(seats: dict[Term, Seat], hosting: Hosting) -> dict[Term, str]:
    """Show remote players the rules, and ask those without a given name for their names."""

    async def one(seat: Seat) -> str:
        if not isinstance(seat, RemoteSeat):
            return seat.name
        info = await seat.info(hosting.clocks)
        if hosting.preview:
            await seat.preview(hosting.clocks, hosting.preview)
        own = "" if info is None or seat.name != str(seat.address) else info.name
        return own or seat.name

    found = await asyncio.gather(*(one(seat) for seat in seats.values()))
    return dict(zip(seats, found, strict=True))
