"""A searcher that values states by how near they are to goals, as the rules alone say it."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from ..asp.ground import GroundingError
from ..engine.compiled import CompiledGame
from ..engine.game import Game, State
from ..engine.words import Named
from ..evaluate.goals.compiled_evaluation import CompiledEvaluation
from ..evaluate.goals.evaluation import GoalEvaluation
from ..evaluate.goals.ground_atoms import NoCompiledFormError
from ..evaluate.goals.training import TrainingConfig, train
from ..evaluate.goals.versions import VERSIONS, GoalValue
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.compiled_state import compiled_game
from ..search.decision import Decision, Searcher
from ..search.mcts import Mcts
from ..search.mcts_config import MctsConfig
from ..search.sharpened import sharpened
from .feature_searcher import heuristic_search
from .goal_stages import find_more

log = logging.getLogger("ludorum.goals")
log.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class GoalConfig:
    """Settings of the searcher."""

    version: str = "final"
    """What the evaluation function is made of: one of ``VERSIONS``."""
    learn_share: float = 0.5
    """The largest share of the first search's time for what is found out late."""
    train: int = 0
    """Random games on whose ends the weights are trained before the first search; none unless asked for."""
    compiled: bool = True
    """Whether to value states in compiled code, where there is a circuit."""
    cutoff: int = -1
    """Search with a tree (``Mcts``) whose playouts are cut off after so many moves; below 0 with minimax."""
    seed: int = 0

    def __post_init__(self) -> None:
        if self.version not in VERSIONS:
            raise ValueError(f"no version {self.version!r}; there are {', '.join(VERSIONS)}")
        if self.train < 0:
            raise ValueError(f"weights are trained on some games or on none, not on {self.train}")
        if not 0 <= self.learn_share <= 1:
            raise ValueError(f"the share to learn in is between 0 and 1, not {self.learn_share}")


class GoalSearcher:
    """Searches with the values of one evaluation function, which is made at the start from the rules."""

    def __init__(self, game: Game, config: GoalConfig | None = None) -> None:
        self.game = game
        self.config = config or GoalConfig()
        self.troubles: list[str] = []
        self.evaluation = self._made()
        """None where the rules are too large to be ground: then ends of the game alone are seen."""
        self._knows_all = not VERSIONS[self.config.version].finds_more
        self._is_trained = not self.config.train
        self._compiled: CompiledEvaluation | None = None
        self._tried: CompiledGame | None = None
        self._kept: Mcts | None = None

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        watch = Stopwatch(budget)
        self._find_more(watch)
        self._train()
        self._compile(watch)
        searcher = self._searcher(state, role)
        return searcher.search(
            state, role, Budget(watch.seconds_left, budget.playouts, budget.nodes, budget.stop)
        )

    @property
    def evaluated(self) -> int:
        """The different states that were evaluated; in compiled code those that come again count again."""
        return sum(made.evaluated for made in (self.evaluation, self._compiled) if made is not None)

    def ponder(self, state: State, role: Named, budget: Budget) -> None:
        """Grow the tree of the match; minimax leaves nothing to the next search."""
        if self._kept is not None:
            self._kept.ponder(state, role, budget)

    def forget(self) -> None:
        """Drop the tree; minimax leaves nothing to the next search, since values are spread anew for each."""
        if self._kept is not None:
            self._kept.forget()

    def _find_more(self, watch: Stopwatch) -> None:
        """Find out late what there is time for; once in a match."""
        if self._knows_all or not isinstance(self.evaluation, GoalEvaluation):
            return
        self._knows_all = True
        allowed = Stopwatch(replace(watch.budget, seconds=self._share(watch)))
        try:
            find_more(self.game, self.evaluation, VERSIONS[self.config.version], allowed)
        except GroundingError as error:
            self._tell(error)

    def _train(self) -> None:
        """Train the weights; once, and only where that was asked for. Games are counted, not seconds."""
        if self._is_trained or not isinstance(self.evaluation, GoalEvaluation):
            return
        self._is_trained = True
        config = TrainingConfig(games=self.config.train, seed=self.config.seed)
        self.evaluation.use(train(self.evaluation, self.game, config).network)

    def _share(self, watch: Stopwatch) -> float | None:
        """The seconds that may be spent on what is not search."""
        left = watch.seconds_left
        return None if left is None else left * self.config.learn_share

    def _compile(self, watch: Stopwatch) -> None:
        """Compile the evaluation as soon as there is a circuit, and time is left; once."""
        game = compiled_game(self.game) if self.config.compiled and not watch.is_up() else None
        if game is None or self._tried is game or not isinstance(self.evaluation, GoalEvaluation):
            return
        self._tried = game
        try:
            self._compiled = CompiledEvaluation(self.evaluation, game, self._share(watch))
        except NoCompiledFormError as error:
            self._tell(f"states are valued without compiled code: {error}")

    def _searcher(self, state: State, role: Term) -> Searcher:
        if self.evaluation is None:
            return heuristic_search(self.game, None, self.config.seed)
        if self.config.cutoff >= 0:
            return self._tree(state)
        evaluation = self._compiled or self.evaluation.after(state)
        if len(self.game.info.players) > 2 or self.game.info.chance_role is not None:
            return heuristic_search(self.game, evaluation, self.config.seed)
        fine = sharpened(evaluation, state, role, evaluation.goal_values(role))
        return heuristic_search(self.game, fine, self.config.seed)

    def _tree(self, state: State) -> Searcher:
        """The tree of the match, which is kept where the evaluation is compiled; else it is a new one."""
        assert self.evaluation is not None
        config = MctsConfig(cutoff=self.config.cutoff, seed=self.config.seed)
        if self._compiled is None:
            return Mcts(self.game, config, self.evaluation.after(state))
        if self._kept is None or self._kept.evaluation is not self._compiled:
            self._kept = Mcts(self.game, config, self._compiled)
        return self._kept

    def _made(self) -> GoalValue | None:
        try:
            return VERSIONS[self.config.version].make(self.game)
        except GroundingError as error:
            self._tell(error)
            return None

    def _tell(self, trouble: object) -> None:
        self.troubles.append(str(trouble))
        log.warning("%s: %s", self.game.name, trouble)
