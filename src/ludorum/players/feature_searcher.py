"""A searcher that values states by the features of the rules.

A game that was met before, by its rules or by their shape, is played with the weights stored for it; for a
new game they are learned from random games, in a share of the first thinking time, and stored. The result of
a match rates the weights that were used in it (asp-player, section 15).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ..engine.game import Game, State
from ..engine.words import Named
from ..evaluate.acquaintance import Acquaintance, AcquaintanceConfig
from ..evaluate.heuristic import Heuristic
from ..rules.terms import Term
from ..search.alphabeta import AlphaBeta
from ..search.alphabeta_config import AlphaBetaConfig
from ..search.budget import Budget, Stopwatch
from ..search.compiled_state import compiled_game
from ..search.decision import Decision, Searcher
from ..search.evaluation import Evaluation, FactWeights
from ..search.maxn import MaxN, MaxNConfig


@dataclass(frozen=True)
class FeatureConfig(AcquaintanceConfig):
    """Settings of the searcher."""

    learn_share: float = 0.5
    """The largest share of the first search's time for learning the game."""
    facts: bool = False
    """Value states by facts alone, in compiled code: blind to how near goals are, and many times as fast."""


class FeatureSearcher:
    """A searcher with learned weights of features, which are stored between matches."""

    def __init__(self, game: Game, config: FeatureConfig | None = None) -> None:
        self.game = game
        self.config = config or FeatureConfig()
        self.acquaintance = Acquaintance(game, self.config)
        self._searcher: Searcher | None = None
        self._role: Term | None = None

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        watch = Stopwatch(budget)
        left = watch.seconds_left
        self.acquaintance.meet(None if left is None else left * self.config.learn_share)
        if self._searcher is None or self._role is not role:
            self._role = role
            self._searcher = heuristic_search(self.game, self.evaluation(role), self.config.seed)
        rest = Budget(watch.seconds_left, budget.playouts, budget.nodes, budget.stop)
        return self._searcher.search(state, role, rest)

    def forget(self) -> None:
        """Drop the search tree; learned weights stay."""
        if self._searcher is not None:
            self._searcher.forget()

    def ended(self, role: Term, goal: int) -> None:
        """Note the result of the match."""
        self.acquaintance.ended(role, goal)

    def evaluation(self, role: Term) -> Evaluation | None:
        """The heuristic in the form that suits the search best; None where there is no heuristic."""
        heuristic, circuit = self.acquaintance.heuristic, compiled_game(self.game)
        if heuristic is None:
            return None
        if self.config.facts and circuit is not None and len(self.game.info.players) <= 2:
            weights = fact_weights(heuristic, role, circuit.circuit.fluents)
            if weights is not None:
                return weights
        return heuristic


def heuristic_search(
    game: Game, evaluation: Evaluation | None, seed: int = 0, table_bytes: int = 64 << 20
) -> Searcher:
    """A search with an evaluation at its leaves that suits the game."""
    if len(game.info.players) > 2 or game.info.chance_role is not None:
        return MaxN(game, evaluation, MaxNConfig(table_bytes=table_bytes))
    return AlphaBeta(game, evaluation, AlphaBetaConfig(table_bytes=table_bytes, seed=seed))


def fact_weights(heuristic: Heuristic, role: Term, facts: Collection[Term]) -> FactWeights | None:
    """A heuristic as weights of facts, for searches in compiled code; None where a table decides."""
    found = heuristic.fact_weights(role, facts)
    return None if found is None else FactWeights({role: found[0]}, found[1])
