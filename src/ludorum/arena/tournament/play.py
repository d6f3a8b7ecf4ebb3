"""Plays one match of a plan, whoever asked for it: a thread, a process, another machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import lru_cache

from ..._core import SplitMix64
from ...asp import SolverError
from ...asp.ground import GroundingError
from ...engine.game import Game, GameError
from ...players import Player, Position, make_player
from ...rules.kif import format_term
from ...rules.terms import Term
from ..local import play_match
from ..match import Match
from ..protocol.remote_seat import RemoteSeat
from ..seat import LocalSeat
from ..seeds import seed_from
from .outside import outside_seat, play_outside
from .plan import Plan, PlannedGame
from .result import Ending, MatchResult, forfeit
from .schedule import Fixture

OPENING_TRIES = 20
"""How often an opening that ends the game is drawn again before it is made shorter."""

Busy = Callable[[int, bool], None]
"""Told of each seat whether its player is at work: whoever watches knows whom to blame."""


def play_fixture(plan: Plan, fixture: Fixture, busy: Busy = lambda seat, at_work: None) -> MatchResult:
    """Play a match of the plan to its end. What players do wrong is noted in the result."""
    begin = time.monotonic()
    game = load_planned(plan.game(fixture.game), plan.engine, plan.lenient)
    seats = game.info.players
    # Whoever plays alone gets the start as it is: a random move may spoil a puzzle for good.
    match = open_match(game, fixture.seed, plan.opening if len(seats) > 1 else 0, fixture.match_id)
    players: dict[Term, Player | RemoteSeat] = {}
    for seat, (role, name) in enumerate(zip(seats, fixture.players, strict=True)):
        invitation = plan.invitation(name)
        busy(seat, True)
        try:
            if invitation.remote:
                players[role] = outside_seat(game, invitation, plan.opening)
            else:
                players[role] = _Watched(make_player(name, _player_seed(plan, fixture, seat)), seat, busy)
        except Exception as error:  # a third party's code: its loss, not the tournament's end
            return forfeit(fixture.match_id, len(seats), [seat], str(error))
        finally:
            busy(seat, False)
    try:
        match = _play(plan, match, players)
    except Exception as error:
        # Players are guarded: it is the rules or the engine that fail, and nobody gets points for that.
        what = f"-1 - CE {type(error).__name__}: {error}"
        return MatchResult(fixture.match_id, (0,) * len(seats), Ending.VOID, _moves(match), (what,))
    return _result_of(match, fixture, time.monotonic() - begin)


def _player_seed(plan: Plan, fixture: Fixture, seat: int) -> int:
    """What a player of ours draws by. Strangers know what a match is called, but not the plan's seed."""
    return seed_from("player", plan.seed, fixture.player_seed(seat))


def _play(plan: Plan, match: Match, players: Mapping[Term, Player | RemoteSeat]) -> Match:
    ours = {role: player for role, player in players.items() if isinstance(player, Player)}
    if len(ours) == len(players):
        return play_match(match, ours, plan.play_seconds, None, plan.longest, plan.start_seconds)
    seats = {role: LocalSeat(one) if isinstance(one, Player) else one for role, one in players.items()}
    return play_outside(plan, match, seats)


def open_match(game: Game, seed: int, moves: int, match_id: str = "") -> Match:
    """A match with some random moves made; the same seed, the same moves. It is not over yet."""
    chance = SplitMix64(seed)
    tries = 0
    while True:
        match = Match(game, chance.below(1 << 62), match_id=match_id)
        for _ in range(moves):
            if match.is_over:
                break
            legal = {role: match.state.legal(role) for role in game.info.players}
            match.play({role: own[chance.below(len(own))] for role, own in legal.items()})
        if not match.is_over or moves == 0:
            return match
        tries += 1
        moves -= tries % OPENING_TRIES == 0


@lru_cache(maxsize=8)
def load_planned(game: PlannedGame, engine: str, lenient: bool) -> Game:
    """The game on its engine, kept for the next match; on ``lifted`` where there is no circuit."""
    try:
        return game.load(engine, lenient)
    except (GroundingError, SolverError, GameError):
        if engine != "compiled":
            raise
        return game.load("lifted", lenient)


class _Watched(Player):
    """A player that says when it is at work, so that a process that dies tells whose fault it was."""

    def __init__(self, player: Player, seat: int, busy: Busy) -> None:
        self.name = player.name
        self._player, self._seat, self._busy = player, seat, busy

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self._busy(self._seat, True)
        try:
            self._player.start(game, role, seconds)
        finally:
            self._busy(self._seat, False)

    def choose(self, position: Position, seconds: float) -> Term:
        self._busy(self._seat, True)
        try:
            return self._player.choose(position, seconds)
        finally:
            self._busy(self._seat, False)

    def hurry(self) -> None:
        self._player.hurry()

    def ended(self, role: Term, goal: int) -> None:
        self._player.ended(role, goal)

    def stop(self) -> None:
        self._player.stop()


def _moves(match: Match) -> tuple[str, ...]:
    return tuple(f"({' '.join(map(format_term, joint))})" for joint in match.moves)


def _result_of(match: Match, fixture: Fixture, seconds: float) -> MatchResult:
    seats = match.game.info.players
    return MatchResult(
        fixture.match_id,
        tuple(match.state.goal(role) or 0 for role in seats),
        Ending.FINISHED if match.is_over else Ending.UNFINISHED,
        _moves(match),
        tuple(f"{fault.step} {seats.index(fault.role)} {fault}" for fault in match.faults),
        seconds,
        match.times[0],
    )
