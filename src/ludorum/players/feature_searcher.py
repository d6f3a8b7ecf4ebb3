"""A searcher that values states by the features of the rules.

A game that was met before, by its rules or by their shape, is played with the weights that are kept for it;
for a new one they are learned from random games, in a share of the first thinking time, and kept. What a
match came to is noted, and rates the weights that were used in it (asp-player, section 15).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from dataclasses import dataclass

from ..engine.game import Game, GameError, State
from ..evaluate.features import Features
from ..evaluate.heuristic import Heuristic
from ..evaluate.heuristic_store import HeuristicStore, HeuristicStoreError
from ..evaluate.learning import LearnConfig, examples_from, learn, play_games
from ..rules.terms import Term
from ..search.alphabeta import AlphaBeta, AlphaBetaConfig
from ..search.budget import Budget, Stopwatch
from ..search.compiled_state import compiled_game
from ..search.decision import Decision, Searcher
from ..search.evaluation import Evaluation, FactWeights
from ..search.maxn import MaxN, MaxNConfig

log = logging.getLogger("ludorum.features")
log.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class FeatureConfig:
    """Numbers that people may want to turn."""

    memory: str = ""
    """The folder of heuristics; nothing is kept without one."""
    games: int = 300
    """Random games to learn from, at most."""
    learn_share: float = 0.5
    """Of the time of the first search, at most."""
    without: str = ""
    """Features to leave out, by what their keys begin with, with ``+`` between several."""
    facts: bool = False
    """Value states by facts alone, in compiled code: blind to how near goals are, and many times as fast."""
    seed: int = 0


class FeatureSearcher:
    """See the module."""

    def __init__(self, game: Game, config: FeatureConfig | None = None) -> None:
        self.game = game
        self.config = config or FeatureConfig()
        self.heuristic: Heuristic | None = None
        """None before the first search, and where there is nothing to learn from."""
        self.known = False
        """Whether the game was known already, so that nothing had to be learned."""
        self.troubles: list[str] = []
        self._searcher: Searcher | None = None
        self._is_ready = False
        self._role: Term | None = None
        self._store = HeuristicStore(self.config.memory) if self.config.memory else None

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        watch = Stopwatch(budget)
        if not self._is_ready:
            self._prepare(watch)
            self._is_ready = True
        if self._searcher is None or self._role is not role:
            self._role = role
            self._searcher = heuristic_search(self.game, self.evaluation(role), self.config.seed)
        left = Budget(watch.seconds_left, budget.playouts, budget.nodes, budget.stop)
        return self._searcher.search(state, role, left)

    def forget(self) -> None:
        """Drop what was searched; what was learned stays."""
        if self._searcher is not None:
            self._searcher.forget()

    def ended(self, role: Term, goal: int) -> None:
        """Note what the match came to."""
        if self._store is not None and self.heuristic is not None:
            try:
                self._store.rate(self.heuristic, str(role), goal)
            except HeuristicStoreError as error:
                self._note_trouble(str(error))

    # -- getting to know the game ------------------------------------------------------------------------

    def _prepare(self, watch: Stopwatch) -> None:
        left = watch.seconds_left
        share = None if left is None else left * self.config.learn_share
        if self.game.rules is None:
            return
        features = Features(self.game, 10.0 if share is None else share / 2)
        until = None if left is None or share is None else time.monotonic() + left * self.config.learn_share
        self.heuristic = self._remembered(features)
        if self.heuristic is not None:
            self.known = True
            return
        without = left_out(features, self.config.without)
        plays = play_games(features, LearnConfig(games=self.config.games, seed=self.config.seed), until=until)
        examples = examples_from(features, plays)
        try:
            self.heuristic = learn(features, examples, without=without, seed=self.config.seed)
        except GameError as error:
            self._note_trouble(str(error))
            return
        if self._store is not None and not without:
            try:
                self._store.save(self.heuristic, len(examples))
            except HeuristicStoreError as error:
                self._note_trouble(str(error))

    def _remembered(self, features: Features) -> Heuristic | None:
        if self._store is None or self.config.without:
            return None
        try:
            found = self._store.find(features)
        except HeuristicStoreError as error:
            self._note_trouble(str(error))
            return None
        return None if found is None else found[0]

    def _note_trouble(self, text: str) -> None:
        self.troubles.append(text)
        log.warning("%s: %s", self.game.name, text)

    # -- searching with it -------------------------------------------------------------------------------

    def evaluation(self, role: Term) -> Evaluation | None:
        """The heuristic in the form that suits the search best; None where there is none."""
        if self.heuristic is None:
            return None
        circuit = compiled_game(self.game)
        if self.config.facts and circuit is not None and len(self.game.info.players) <= 2:
            weights = fact_weights(self.heuristic, role, circuit.circuit.fluents)
            if weights is not None:
                return weights
        return self.heuristic


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


def left_out(features: Features, without: str) -> list[str]:
    """The keys that begin with one of some words between plus signs; ValueError where a word means none."""
    words = [word for word in without.split("+") if word]
    for word in words:
        if not any(key.startswith(word) for key in features.keys):
            kinds = sorted({key.split("-")[0] for key in features.keys})
            raise ValueError(f"no feature of {features.game.name} begins with {word!r}: {', '.join(kinds)}")
    return [key for key in features.keys if any(key.startswith(word) for word in words)]
