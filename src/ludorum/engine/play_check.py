"""Quick proofs that a game can be played: random plays, and all states near the start.

Every fault comes with the play that shows it, so each is certain. All bounds count states, moves and facts:
what is found does not depend on how fast the machine is. Where all states are near the start, no fault is
a proof that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .._core import SplitMix64
from ..rules.terms import Term
from .errors import GameError
from .game import Game, JointMove, State
from .near_states import MOST_JOINT_MOVES, Moves, NearStates, near_states


@dataclass(frozen=True)
class PlayLimits:
    """The limits of quick play: an ordinary sheet takes about a second."""

    states: int = 6000
    """States near the start, all of whose moves are followed."""
    plays: int = 20
    longest: int = 400
    """Moves after which a random play is abandoned."""
    work: int = 100_000
    """Facts and legal moves of all states visited: half for those near the start, half for plays."""


class PlayFaultKind(Enum):
    """The kinds of faults that a play can show."""

    OVER_AT_START = "over at the start"
    STUCK = "a role has no move"
    NEVER_ENDS = "no play from here comes to an end"
    MAY_NOT_END = "a play comes back to where it was"
    NO_GOAL = "an end without a goal value"


@dataclass(frozen=True)
class PlayFault:
    """A fault of a game, and the moves that lead to it."""

    kind: PlayFaultKind
    roles: tuple[Term, ...]
    """The roles concerned; empty where all are."""
    moves: Moves
    loop: Moves = ()
    """Moves that lead back to the same state, for ever."""
    onwards: Moves = ()
    """Moves between ``moves`` and ``loop``."""
    values: tuple[Term, ...] = ()
    """Goal values at the end, of the first of the roles."""


@dataclass(frozen=True)
class PlayReport:
    """What quick play found."""

    faults: tuple[PlayFault, ...]
    complete: bool = False
    """Whether all reachable states were visited."""
    trouble: str = ""
    """Why it was abandoned, in words."""


def check_play(game: Game, limits: PlayLimits | None = None, seed: int = 0) -> PlayReport:
    """The faults that quick play shows, one of each kind, the shortest play where the start is near."""
    player = _Player(game, limits or PlayLimits(), seed)
    try:
        return player.report()
    except GameError as error:
        return PlayReport(tuple(player.found.values()), False, str(error))
    except RecursionError:
        return PlayReport(tuple(player.found.values()), False, "terms grow within terms without end")


class _Player:
    def __init__(self, game: Game, limits: PlayLimits, seed: int) -> None:
        self.game = game
        self.limits = limits
        self.seed = seed
        self.left = limits.work // 2
        self.found: dict[PlayFaultKind, PlayFault] = {}

    def report(self) -> PlayReport:
        start = self.game.initial()
        if start.is_terminal:
            self._note(PlayFault(PlayFaultKind.OVER_AT_START, (), ()))
        near = near_states(start, self.limits.states, self._spend)
        for at, state in enumerate(near.states):
            if at < near.looked_at or state.is_terminal:
                self._note(self._fault_of(state, near.way_to(at)))
        self._look_for_circles(near)
        if not near.complete and PlayFaultKind.STUCK not in self.found:
            self.left += self.limits.work // 2
            self._play_at_random()
        return PlayReport(tuple(self.found.values()), near.complete)

    def _note(self, fault: PlayFault | None) -> None:
        if fault is not None:
            self.found.setdefault(fault.kind, fault)

    def _spend(self, state: State) -> bool:
        """Count a visited state; False where no work is left for its moves."""
        if self.left <= 0:
            return False
        cost, moves = len(state.facts()), 1
        for role in self.game.roles:
            own = len(state.legal(role))
            cost += 1 + own
            moves = min(moves * own, MOST_JOINT_MOVES)
        self.left -= cost + 10 * moves
        return self.left > 0 or state.joint is None

    def _fault_of(self, state: State, moves: Moves) -> PlayFault | None:
        if not state.is_terminal:
            without = tuple(role for role in self.game.roles if not state.legal(role))
            return PlayFault(PlayFaultKind.STUCK, without, moves) if without else None
        for role in self.game.info.players:
            if state.goal(role) is None:
                return PlayFault(PlayFaultKind.NO_GOAL, (role,), moves, values=state.goal_terms(role))
        return None

    def _look_for_circles(self, near: NearStates) -> None:
        if not self._note_never_ends(near, ()) and (circle := near.circle()) is not None:
            self._note(PlayFault(PlayFaultKind.MAY_NOT_END, (), *circle))

    def _note_never_ends(self, near: NearStates, before: Moves) -> bool:
        at = near.without_end()
        if at is not None:
            way, loop = near.round_from(at)
            self._note(PlayFault(PlayFaultKind.NEVER_ENDS, (), before + near.way_to(at), loop, way))
        return at is not None

    def _play_at_random(self) -> None:
        for number in range(self.limits.plays):
            seen: dict[State, int] = {}
            moves: list[JointMove] = []
            for state in self._random_states(SplitMix64(self.seed + number)):
                if state.joint is not None:
                    moves.append(state.joint)
                self._note(self._fault_of(state, tuple(moves)))
                if state in seen:
                    self._note_repetition(state, moves, seen[state])
                    break
                seen[state] = len(moves)
            if self.left <= 0 or PlayFaultKind.STUCK in self.found:
                break

    def _random_states(self, chooser: SplitMix64) -> Iterator[State]:
        state = self.game.initial()
        yield state
        for _ in range(self.limits.longest):
            self.left -= len(state.facts()) + 1
            choices = [state.legal(role) for role in self.game.roles]
            self.left -= sum(map(len, choices))
            if state.is_terminal or not all(choices) or self.left <= 0:
                return
            state = state.play([own[chooser.below(len(own))] for own in choices])
            yield state

    def _note_repetition(self, state: State, moves: list[JointMove], first: int) -> None:
        """Note the fault of a state that recurs: a play through it need never end."""
        if PlayFaultKind.MAY_NOT_END in self.found or PlayFaultKind.NEVER_ENDS in self.found:
            return
        near = near_states(state, self.limits.states // 10, self._spend)
        if not self._note_never_ends(near, tuple(moves)):
            self._note(PlayFault(PlayFaultKind.MAY_NOT_END, (), tuple(moves[:first]), tuple(moves[first:])))
