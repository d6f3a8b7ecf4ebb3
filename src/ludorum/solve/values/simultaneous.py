"""Exact values where two roles choose at once, or nature draws: small games, state by state, in fractions.

Every state's joint moves make a matrix of the values after them; nature's moves are averaged by their odds
first. Two roles must be opposed, which is checked at every end; one role alone has a matrix of one column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from ...engine.game import State
from ...rules.terms import Term
from ...search.budget import Stopwatch
from ...search.state_graph import UnsolvedError
from .matrix_game import MatrixSolution, solve_matrix

MOST_STATES = 200_000


class NotOpposedError(UnsolvedError):
    """The two roles do not share a constant sum, so that no matrix has a value for both."""


@dataclass(frozen=True)
class MixedSolution:
    """The value for the first of two opposed players, or the only one, and mixtures for the first state."""

    value: Fraction
    total: int
    """The sum of both players' goals; not used for one player."""
    mixtures: dict[Term, dict[Term, Fraction]]
    """In the first state, by role and move; moves that are never made are left out."""
    states: int


def solve_simultaneous(state: State, watch: Stopwatch, limit: int = MOST_STATES) -> MixedSolution:
    """The value of a state for the first player.

    NotOpposedError where the goals of two have no constant sum, or there are more than two; UnsolvedError
    where play can go in circles, states are too many, or the budget is over.
    """
    return Induction(state, watch, limit).run()


class Induction:
    """The work of ``solve_simultaneous``; refuses games with more than two players when it is made."""

    def __init__(self, start: State, watch: Stopwatch, limit: int = MOST_STATES) -> None:
        game = start.game
        players = game.info.players
        if len(players) > 2:
            raise NotOpposedError(
                f"{len(players)} players, of which several choose at once, have no single value"
            )
        self.game, self.start, self.watch, self.limit = game, start, watch, limit
        self.seats = [game.roles.index(player) for player in players]
        self.total: int | None = None
        self.values: dict[State, Fraction | None] = {}
        """None while a state is being worked out."""

    def run(self) -> MixedSolution:
        lines: list[tuple[State, Iterator[State]]] = []

        def enter(state: State) -> None:
            self.values[state] = None
            lines.append((state, map(state.play, state.joint_moves())))

        enter(self.start)
        while lines:
            state, waiting = lines[-1]
            if self.watch.is_up(len(self.values)):
                raise UnsolvedError("not solved within the limits", is_limit=True, states=len(self.values))
            child = next(waiting, None)
            if child is None:
                self.values[state] = self._value(state).value
                lines.pop()
            elif child not in self.values:
                if len(self.values) >= self.limit:
                    raise self.too_many_states()
                enter(child)
            elif self.values[child] is None:
                raise UnsolvedError("play can go in circles, and matrices need ends")
        solution = self._value(self.start)
        assert self.total is not None
        mixtures = self._mixtures(self.start, solution)
        return MixedSolution(solution.value, self.total, mixtures, len(self.values))

    def too_many_states(self) -> UnsolvedError:
        return UnsolvedError(f"it has more than {self.limit} states, the most that matrices are made for")

    def _value(self, state: State) -> MatrixSolution:
        moves = self._moves(state)
        if moves is None:
            return MatrixSolution(self._end(state), (Fraction(1),), (Fraction(1),))
        own = [moves[seat] for seat in self.seats]
        first, second = own if len(own) == 2 else (own[0], (None,))
        return solve_matrix([[self._mean(state, moves, one, other) for other in second] for one in first])

    def _moves(self, state: State) -> list[tuple[Term, ...]] | None:
        moves = [state.legal(role) for role in self.game.roles]
        return None if state.is_terminal or not all(moves) else moves

    def _mean(self, state: State, moves: list[tuple[Term, ...]], one: Term, other: Term | None) -> Fraction:
        options = list(moves)
        options[self.seats[0]] = (one,)
        if other is not None:
            options[self.seats[1]] = (other,)
        total, sum_of_weights = Fraction(0), 0
        for joint in product(*options):
            value = self.values[state.play(joint)]
            if value is not None:
                weight = self._weight(joint)
                total, sum_of_weights = total + weight * value, sum_of_weights + weight
        return total / sum_of_weights

    def _weight(self, joint: tuple[Term, ...]) -> int:
        chances = self.game.chances
        return prod(chances.weight(joint[seat]) for seat in self.game.info.chance_seats)

    def _end(self, state: State) -> Fraction:
        goals = [min(100, max(0, goal or 0)) for goal in state.goals()]
        total = sum(goals[seat] for seat in self.seats)
        if self.total is None:
            self.total = total
        if total != self.total and len(self.seats) == 2:
            raise NotOpposedError(
                "the players choose at once and are not opposed:"
                f" they get {min(self.total, total)} or {max(self.total, total)} together,"
                " and no one value is the best of both"
            )
        return Fraction(goals[self.seats[0]])

    def _mixtures(self, state: State, solution: MatrixSolution) -> dict[Term, dict[Term, Fraction]]:
        moves = self._moves(state)
        if moves is None:
            return {}
        return {
            self.game.roles[seat]: {
                move: weight for move, weight in zip(moves[seat], weights, strict=True) if weight
            }
            for seat, weights in zip(self.seats, (solution.rows, solution.columns), strict=False)
        }
