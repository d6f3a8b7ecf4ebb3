"""All states of one part of a game, and the shortest way to each: parts of large games may be small."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product

from ..engine.errors import GameError
from ..engine.game import Game, JointMove, State
from ..engine.lifted import LiftedGame
from ..rules.ruleset import Ruleset
from ..search.budget import Stopwatch
from .horizon import OutOfTime

MOST_STATES = 100_000
"""The most states of a part that are enumerated; larger parts are left to other methods."""


class TooManyStates(GameError):
    """The part has too many states to list."""


class PartStates:
    """The states of a small game, nearest first. Ends are where its rules say so."""

    def __init__(self, rules: Ruleset, watch: Stopwatch, most: int = MOST_STATES) -> None:
        """OutOfTime, or TooManyStates, where they cannot be enumerated."""
        self.game: Game = LiftedGame(rules, "part")
        first = self.game.initial()
        self._came: dict[State, tuple[State, JointMove] | None] = {first: None}
        self._steps: dict[State, int] = {first: 0}
        todo = [first]
        for state in todo:  # grows as it goes
            if watch.is_up():
                raise OutOfTime
            if state.is_terminal:
                continue
            for joint in product(*(state.legal(role) for role in self.game.roles)):
                after = state.play(joint)
                if after not in self._came:
                    self._came[after] = (state, joint)
                    self._steps[after] = self._steps[state] + 1
                    todo.append(after)
            if len(todo) > most:
                raise TooManyStates(f"a part has more than {most} states")
        self.states: tuple[State, ...] = tuple(todo)

    def __iter__(self) -> Iterator[State]:
        return iter(self.states)

    def steps(self, state: State) -> int:
        """Joint moves of the shortest way to a state."""
        return self._steps[state]

    def nearest(self, fits: Callable[[State], bool]) -> State | None:
        """The nearest state that passes the test; None where none does."""
        return next((state for state in self.states if fits(state)), None)

    def way_to(self, state: State) -> tuple[JointMove, ...]:
        """A shortest way there."""
        moves: list[JointMove] = []
        while (before := self._came[state]) is not None:
            state, joint = before
            moves.append(joint)
        return tuple(reversed(moves))
