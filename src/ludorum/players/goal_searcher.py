"""A searcher that values states by how near they are to goals, as the rules alone say it."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from ..asp.ground import GroundingError
from ..engine.game import Game, State
from ..engine.words import Named
from ..evaluate.goals.versions import VERSIONS, GoalValue
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision, Searcher
from ..search.sharpened import sharpened
from .feature_searcher import heuristic_search

log = logging.getLogger("ludorum.goals")
log.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class GoalConfig:
    """Settings of the searcher."""

    version: str = "v1.1"
    """What the evaluation function is made of: one of ``VERSIONS``."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.version not in VERSIONS:
            raise ValueError(f"no version {self.version!r}; there are {', '.join(VERSIONS)}")


class GoalSearcher:
    """Searches with the values of one evaluation function, which is made at the start from the rules."""

    def __init__(self, game: Game, config: GoalConfig | None = None) -> None:
        self.game = game
        self.config = config or GoalConfig()
        self.troubles: list[str] = []
        self.evaluation = self._made()
        """None where the rules are too large to be ground: then ends of the game alone are seen."""

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        watch = Stopwatch(budget)
        searcher = self._searcher(state, role)
        return searcher.search(
            state, role, Budget(watch.seconds_left, budget.playouts, budget.nodes, budget.stop)
        )

    @property
    def evaluated(self) -> int:
        """The different states that were evaluated."""
        return 0 if self.evaluation is None else self.evaluation.evaluated

    def forget(self) -> None:
        """There is nothing that one search leaves to the next: values are spread anew for each."""

    def _searcher(self, state: State, role: Term) -> Searcher:
        if self.evaluation is None:
            return heuristic_search(self.game, None, self.config.seed)
        if len(self.game.info.players) > 2 or self.game.info.chance_role is not None:
            return heuristic_search(self.game, self.evaluation, self.config.seed)
        fine = sharpened(self.evaluation, state, role, self.evaluation.goal_values(role))
        return heuristic_search(self.game, fine, self.config.seed)

    def _made(self) -> GoalValue | None:
        try:
            return VERSIONS[self.config.version].make(self.game)
        except GroundingError as error:
            self.troubles.append(str(error))
            log.warning("%s: %s", self.game.name, error)
            return None
