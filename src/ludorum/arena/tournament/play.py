"""Plays one match of a plan, in a thread, a process, or on another machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache, partial

from ...asp import SolverError
from ...asp.ground import GroundingError
from ...engine.errors import GameError
from ...engine.game import Game
from ...players import Player, make_player
from ...players.isolated import IsolatedPlayer
from ...players.player import DelegatingPlayer
from ...players.registry import is_foreign
from ...rules.terms import Term, format_term
from ..match.local import play_match
from ..match.match import Match
from ..match.opening import open_match
from ..match.seat import LocalSeat
from ..match.seeds import seed_from
from ..protocol.remote_seat import RemoteSeat
from .by_clock import play_by_clock
from .outside import outside_seat, play_outside
from .plan import PlannedGame, TournamentPlan
from .result import Ending, MatchResult, SeatFault, forfeit
from .schedule import Fixture
from .trace import Busy

MakePlayer = Callable[[TournamentPlan, str, int, Match, int], Player]
"""Makes the player of a name: with its seed, the match after its opening, and the seat it takes there."""


def registered_player(plan: TournamentPlan, name: str, seed: int, match: Match, seat: int) -> Player:
    """The player that the registry knows by this name."""
    return make_player(name, seed, threads=plan.threads, ponder=plan.ponder)


DEATHS = 2
"""This many deaths of a player's process in the same match are its fault; a single one may be the
machine's."""


def play_fixture(
    plan: TournamentPlan,
    fixture: Fixture,
    busy: Busy = lambda seat, at_work: None,
    make: MakePlayer = registered_player,
) -> MatchResult:
    """Play a match of the plan to its end. Faults of players are noted in the result.

    A player whose own process dies has the match played again once; the second time it loses.
    """
    if plan.game(fixture.game).realtime:
        seeds = [_player_seed(plan, fixture, seat) for seat in range(len(fixture.players))]
        return play_by_clock(plan, fixture, busy, seeds)
    game = load_planned(plan.game(fixture.game), plan.engine, plan.lenient)
    seats = len(game.info.players)
    for _ in range(DEATHS):
        players: dict[Term, Player | RemoteSeat] = {}
        try:
            return _play_once(plan, fixture, game, players, busy, make)
        except _UnmadeError as error:
            return forfeit(fixture.match_id, seats, [error.seat], str(error))
        except _DeadError as error:
            dead = error
        finally:
            for player in players.values():
                if isinstance(player, Player):
                    player.close()
    return forfeit(fixture.match_id, seats, dead.seats, str(dead))


class _UnmadeError(Exception):
    """A player could not be made."""

    def __init__(self, seat: int, what: str) -> None:
        super().__init__(what)
        self.seat = seat


class _DeadError(Exception):
    """Processes of players have died."""

    def __init__(self, deaths: Mapping[int, str]) -> None:
        super().__init__(f"the player's process {'; '.join(deaths.values())}")
        self.seats = list(deaths)


def _play_once(
    plan: TournamentPlan,
    fixture: Fixture,
    game: Game,
    players: dict[Term, Player | RemoteSeat],
    busy: Busy,
    make: MakePlayer,
) -> MatchResult:
    """``players`` is filled with those of the match: the caller closes them."""
    begin = time.monotonic()
    seats = game.info.players
    # A single player gets the start as it is: a random move may make a puzzle unsolvable.
    match = open_match(game, fixture.seed, plan.opening if len(seats) > 1 else 0, fixture.match_id)
    for seat, (role, name) in enumerate(zip(seats, fixture.players, strict=True)):
        invitation = plan.invitation(name)
        busy(seat, not is_foreign(name))
        try:
            if invitation.remote:
                players[role] = outside_seat(game, invitation, plan.opening)
            else:
                players[role] = make(plan, name, _player_seed(plan, fixture, seat), match, seat)
        except Exception as error:  # third-party code: it loses, and the tournament goes on
            raise _UnmadeError(seat, str(error)) from error
        finally:
            busy(seat, False)
    try:
        match = _play(plan, match, players, busy)
    except _DeadError:
        raise
    except Exception as error:
        # Players are guarded: the rules or the engine have failed, which gives no points.
        void = forfeit(fixture.match_id, len(seats), [], f"{type(error).__name__}: {error}")
        return replace(void, moves=_moves(match))
    return _result_of(match, fixture, time.monotonic() - begin)


def _player_seed(plan: TournamentPlan, fixture: Fixture, seat: int) -> int:
    """The seed of a player of ours. Remote players know the match id, but not the plan's seed."""
    return seed_from("player", plan.seed, fixture.player_seed(seat))


def _play(
    plan: TournamentPlan, match: Match, players: Mapping[Term, Player | RemoteSeat], busy: Busy
) -> Match:
    """``busy`` is called for players of ours; one in a process of its own cannot crash this one."""
    roles = match.game.info.players
    ours = {role: player for role, player in players.items() if isinstance(player, Player)}
    isolated = {at: one for at, role in enumerate(roles) if (one := _isolated(ours.get(role))) is not None}

    def note(role: Term, at_work: bool) -> None:
        busy(roles.index(role), at_work and roles.index(role) not in isolated)

    def look(match: Match) -> None:
        for seat in isolated:
            busy(seat, False)  # a sign of life
        deaths = {seat: one.death for seat, one in isolated.items() if one.death}
        if deaths and not match.is_over:
            raise _DeadError(deaths)

    if len(ours) == len(players):
        return play_match(match, ours, plan.play_seconds, look, plan.longest, plan.start_seconds, note)
    seats = {
        role: LocalSeat(one, partial(note, role)) if isinstance(one, Player) else one
        for role, one in players.items()
    }
    return play_outside(plan, match, seats, look)


def _isolated(player: Player | None) -> IsolatedPlayer | None:
    """The player in a process of its own, where it is one, perhaps behind others that pass calls on."""
    while isinstance(player, DelegatingPlayer):
        player = player.player
    return player if isinstance(player, IsolatedPlayer) else None


@lru_cache(maxsize=8)
def load_planned(game: PlannedGame, engine: str, lenient: bool) -> Game:
    """The game on its engine, kept for the next match; on ``lifted`` where there is no circuit."""
    try:
        return game.load(engine, lenient)
    except (GroundingError, SolverError, GameError):
        if engine != "compiled":
            raise
        return game.load("lifted", lenient)


def _moves(match: Match) -> tuple[str, ...]:
    return tuple(f"({' '.join(map(format_term, joint))})" for joint in match.moves)


def _result_of(match: Match, fixture: Fixture, seconds: float) -> MatchResult:
    seats = match.game.info.players
    return MatchResult(
        fixture.match_id,
        tuple(match.state.goal(role) or 0 for role in seats),
        Ending.FINISHED if match.is_over else Ending.UNFINISHED,
        _moves(match),
        tuple(
            SeatFault(fault.step, seats.index(fault.role), fault.code, fault.text) for fault in match.faults
        ),
        seconds,
        match.times[0],
    )
