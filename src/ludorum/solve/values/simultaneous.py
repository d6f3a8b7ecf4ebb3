"""Exact values where two roles choose at once, or nature draws: small games, state by state, in fractions.

Every state's joint moves make a matrix of the values after them; nature's moves are averaged by their odds
first. Two roles must be opposed, which is checked at every end; one role alone has a matrix of one column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from operator import mul
from typing import TypeVar

from ...engine.game import State
from ...rules.terms import Term
from ...search.budget import Stopwatch
from ...search.state_graph import UnsolvedError
from .matrix_game import MatrixSolution, solve_matrix

MOST_STATES = 200_000

Value = TypeVar("Value")


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


@dataclass(frozen=True)
class MixedPlay:
    """How all roles play in one state where several may choose at once, and what that is worth."""

    chances: dict[Term, dict[Term, float]]
    """How likely a role makes each of its legal moves; they add up to 1."""
    worth: dict[Term, dict[Term, float]]
    """The goal value that a role may expect after each of its moves, if the others play by their chances."""

    def value(self, role: Term) -> float:
        """What the role may expect, 0..100."""
        chances, worth = self.chances[role], self.worth[role]
        return sum(chance * worth[move] for move, chance in chances.items())


def solve_simultaneous(state: State, watch: Stopwatch, limit: int = MOST_STATES) -> MixedSolution:
    """The value of a state for the first player.

    NotOpposedError where the goals of two have no constant sum, or there are more than two; UnsolvedError
    where play can go in circles, states are too many, or the budget is over.
    """
    return Induction(state, watch, limit).run()


class Induction:
    """The work of ``solve_simultaneous``; refuses games with more than two players when it is made."""

    def __init__(
        self, start: State, watch: Stopwatch, limit: int = MOST_STATES, most_cells: int | None = None
    ) -> None:
        """``most_cells``: the largest matrix that is solved, so that a clock can be kept."""
        game = start.game
        players = game.info.players
        if len(players) > 2:
            raise NotOpposedError(
                f"{len(players)} players, of which several choose at once, have no single value"
            )
        self.game, self.start, self.watch, self.limit = game, start, watch, limit
        self.most_cells = most_cells
        self.seats = [game.roles.index(player) for player in players]
        self.total: int | None = None
        self.values: dict[State, Fraction | None] = {}
        """None while a state is being worked out."""

    def run(self) -> MixedSolution:
        value_states(self.start, self.values, lambda state: self._value(state).value, self.watch, self.limit)
        solution = self._value(self.start)
        assert self.total is not None
        mixtures = self._mixtures(self.start, solution)
        return MixedSolution(solution.value, self.total, mixtures, len(self.values))

    def too_many_states(self) -> UnsolvedError:
        return too_many_states(self.limit)

    def play(self, state: State) -> MixedPlay:
        """Optimal play of both in a state that has a value and is no end."""
        solution, moves = self._value(state), self._moves(state)
        assert moves is not None
        assert self.total is not None
        first, second = (moves[seat] for seat in self.seats)
        table = [[self._mean(state, moves, one, other) for other in second] for one in first]
        rows = [sum(map(mul, row, solution.columns), Fraction(0)) for row in table]
        columns = [
            self.total - sum(map(mul, column, solution.rows), Fraction(0))
            for column in zip(*table, strict=True)
        ]
        roles = [self.game.roles[seat] for seat in self.seats]
        return MixedPlay(
            {roles[0]: _by_move(first, solution.rows), roles[1]: _by_move(second, solution.columns)},
            {roles[0]: _by_move(first, rows), roles[1]: _by_move(second, columns)},
        )

    def _value(self, state: State) -> MatrixSolution:
        moves = self._moves(state)
        if moves is None:
            return MatrixSolution(self._end(state), (Fraction(1),), (Fraction(1),))
        own = [moves[seat] for seat in self.seats]
        first, second = own if len(own) == 2 else (own[0], (None,))
        if self.most_cells is not None and len(first) * len(second) > self.most_cells:
            raise UnsolvedError(f"a state has a matrix of more than {self.most_cells} cells")
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


def _by_move(moves: tuple[Term, ...], numbers: Iterable[Fraction]) -> dict[Term, float]:
    return dict(zip(moves, map(float, numbers), strict=True))


def value_states(
    start: State,
    values: dict[State, Value | None],
    value_of: Callable[[State], Value],
    watch: Stopwatch,
    limit: int,
) -> None:
    """Value all states that follow from one, each after those that it leads to; ``values`` has None for
    states that are still being worked out.

    UnsolvedError where play can go in circles, states are too many, or the budget is over.
    """
    lines: list[tuple[State, Iterator[State]]] = []

    def enter(state: State) -> None:
        values[state] = None
        lines.append((state, map(state.play, state.joint_moves())))

    enter(start)
    while lines:
        state, waiting = lines[-1]
        if watch.is_up(len(values)):
            raise UnsolvedError("not solved within the limits", is_limit=True, states=len(values))
        child = next(waiting, None)
        if child is None:
            values[state] = value_of(state)
            lines.pop()
        elif child not in values:
            if len(values) >= limit:
                raise too_many_states(limit)
            enter(child)
        elif values[child] is None:
            raise UnsolvedError("play can go in circles, and matrices need ends")


def too_many_states(limit: int) -> UnsolvedError:
    return UnsolvedError(f"it has more than {limit} states, the most that matrices are made for")
