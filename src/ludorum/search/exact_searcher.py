"""A searcher that solves the game at its first question and looks moves up afterwards."""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.game import Game, State
from ..engine.information import has_no_secret
from ..engine.words import Named
from .budget import Budget
from .decision import Decision
from .exact import MOST_STATES, Solved, solve
from .mixed import NoAdviceError


@dataclass(frozen=True)
class ExactConfig:
    """Settings that may be changed, with their defaults."""

    limit: int = MOST_STATES
    """The number of states above which the game counts as too large."""


class ExactSearcher:
    """Tries once to solve the game from the first state it is asked about. NoAdviceError where that fails, or
    where something is hidden: the values of the open game are not those of the game.

    It tries once only: a game too large now is too large for the next moves too, and once the rest has become
    small other searches find its end as well.
    """

    def __init__(self, game: Game, config: ExactConfig | None = None) -> None:
        self.game = game
        self.config = config or ExactConfig()
        self._solved: Solved | None = None
        self._tried = False

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        if not self._tried:
            self._tried = True
            if has_no_secret(self.game):
                self._solved = solve(self.game, state, budget, self.config.limit)
        if self._solved is None or not self._solved.knows(state):
            raise NoAdviceError("this game was not solved")
        return self._solved.decide(state, role)

    def forget(self) -> None:
        self._solved = None
        self._tried = False
