"""The searcher by Monte Carlo tree search: it grows the compiled tree where there is a circuit, else the
plain one, and reads the decision off its root."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

from .._core import SplitMix64
from ..engine.auto import best_engine
from ..engine.compiled import CompiledGame
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .compiled_mcts import CompiledTree
from .decision import Choice, Decision, honest, without_proofs
from .evaluation import BoundedEvaluation, KernelEvaluation
from .leaf_values import LeafValues
from .mcts_config import MctsConfig
from .one_user import one_user
from .plain_mcts.mcts import PlainTree
from .plain_mcts.nodes import highest_goals
from .plain_mcts.policy import draw_weighted
from .tree import MoveStats, StateStats, Tree, TreeGrowth, best_place

LONGEST_LINE = 60
"""Joint moves of an expected line."""


class Mcts:
    """A searcher for one game; the tree is kept between searches.

    States may come from any engine of the game: they are converted by their facts. A game whose circuit is
    still being built begins with the plain tree and starts anew with the compiled one when it is ready.
    """

    def __init__(
        self,
        game: Game,
        config: MctsConfig | None = None,
        evaluation: BoundedEvaluation | None = None,
    ) -> None:
        """With an evaluation playouts are cut off (``MctsConfig.cutoff``): it says what states are worth."""
        self.game = game
        self.config = config or MctsConfig()
        self.evaluation = evaluation
        self._engine: Game = best_engine(game)
        self._tree: Tree = _make_tree(self._engine, self.config, evaluation)
        self._user = threading.RLock()

    @property
    def memory(self) -> int:
        """Bytes of the tree."""
        return self._tree.memory

    @property
    def nodes(self) -> int:
        """Nodes of the tree."""
        return self._tree.nodes

    @property
    def is_compiled(self) -> bool:
        """Whether the tree is grown by kernels."""
        return not isinstance(self._tree, PlainTree)

    @one_user
    def forget(self) -> None:
        self._tree.forget()

    @one_user
    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The move of a role; GameError where the game is over or a role has no legal move."""
        watch = Stopwatch(budget)
        role = state.game.role(role)
        seat = self._seat(state, role)
        legal = state.legal(role)
        if len(legal) == 1 and self._answers_at_once(budget):
            only = Choice(legal[0], 0, 50.0)
            return Decision(role, legal[0], (only,), 0, 0, watch.seconds)
        inner, tree, growth = self._grow(state, seat, watch)
        found = self._decide(inner, tree, seat, growth, watch)
        if self._rests_on_observation and found.claims_something:
            found = _proofs_by_ends(state, seat, found)
        return honest(self.game, found)

    @one_user
    def ponder(self, state: State, role: Named, budget: Budget) -> None:
        """Grow the tree from a state, also where the role has no choice; the next search goes on with it."""
        self._grow(state, self._seat(state, state.game.role(role)), Stopwatch(budget))

    def _seat(self, state: State, role: Term) -> int:
        """The number of the role; GameError where nothing can be searched for it."""
        if state.is_terminal:
            raise GameError(f"{self.game.name} is over: there is nothing to choose")
        if role not in self.game.roles:
            raise GameError(f"{role} is no role of {self.game.name}")
        for one in self.game.roles:
            if not state.legal(one):
                raise GameError(f"{one} has no legal move although {self.game.name} is not over: {state}")
        return self.game.roles.index(role)

    def _grow(self, state: State, seat: int, watch: Stopwatch) -> tuple[State, Tree, TreeGrowth]:
        """Grow the tree; the state in its engine, the tree, and the work."""
        inner, tree = self._serve(state)
        values = None if self.evaluation is None else LeafValues(self.evaluation, inner)
        return inner, tree, tree.grow(inner, seat, watch, values)

    @property
    def _rests_on_observation(self) -> bool:
        """Whether values may rest on a constant sum that was observed at some ends and is not proved."""
        info = self.game.info
        observes = self.config.constant_sum == "observed" and len(info.players) == 2
        return observes and info.proved_sum is None

    def _answers_at_once(self, budget: Budget) -> bool:
        counted = budget.playouts is not None or budget.nodes is not None
        return not (self.config.think_when_forced or counted or budget.seconds is None)

    def _serve(self, state: State) -> tuple[State, Tree]:
        """The state in the engine of the tree; a better engine that has become ready gets a new tree."""
        engine = best_engine(self.game)
        if engine is not self._engine:
            self._engine, self._tree = engine, _make_tree(engine, self.config, self.evaluation)
        if state.game is engine:
            return state, self._tree
        try:
            return engine.state(state.facts()), self._tree
        except GameError:
            # An unreachable state: only an engine without a circuit can go on from it.
            return state, PlainTree(state.game, self.config)

    def _mixes(self, stats: Sequence[MoveStats]) -> bool:
        """Whether regrets were matched: then the move is drawn from the average strategy."""
        return any(move.weight > 0 for move in stats)

    def _draw(self, stats: Sequence[MoveStats], visits: int, seat: int) -> int:
        """Roles draw apart: two players with the same seed and as many visits must not choose alike."""
        chooser = SplitMix64(self.config.seed + visits + (seat << 40))
        return draw_weighted([move.weight for move in stats], chooser)

    def _decide(self, state: State, tree: Tree, seat: int, growth: TreeGrowth, watch: Stopwatch) -> Decision:
        look = tree.look(state)
        if look is None:
            raise GameError(f"{self.game.name}: the search has lost its root")
        highest = highest_goals(state.game)
        stats = look.stats[seat]
        best = (
            self._draw(stats, look.visits, seat) if self._mixes(stats) else best_place(stats, highest[seat])
        )
        value = look.values[seat]
        total = sum(move.weight for move in stats)
        choices = [
            Choice(
                move.move,
                move.visits,
                float(move.proven) if move.proven is not None else move.mean,
                move.proven is not None,
                move.weight / total if total else None,
            )
            for move in stats
        ]
        if len(stats) == 1 and look.visits:
            mean = _root_mean(look, seat)
            choices = [Choice(stats[0].move, look.visits, mean, value is not None)]
        order = sorted(
            range(len(choices)),
            key=lambda at: (at != best, -choices[at].visits, -choices[at].value),
        )
        return Decision(
            role=self.game.roles[seat],
            move=choices[best].move,
            choices=tuple(choices[at] for at in order),
            nodes=growth.nodes,
            playouts=growth.playouts,
            seconds=watch.seconds,
            depth=growth.depth,
            proven=value is not None and stats[best].proven in (None, value),
            line=_line(state, tree, highest),
        )


MOST_CHECKED = 16
"""The most choices, best first, that are played after the search to see whether they end the game."""


def _proofs_by_ends(state: State, seat: int, decision: Decision) -> Decision:
    """The decision with no proofs but those by ends after one move, which need no constant sum."""
    roles = state.game.roles
    moves: list[tuple[Term, ...]] = [state.legal(role) for role in roles]
    if any(len(own) > 1 for at, own in enumerate(moves) if at != seat):
        return without_proofs(decision)

    def ends(move: Term) -> bool:
        return state.play([move if at == seat else own[0] for at, own in enumerate(moves)]).is_terminal

    choices = tuple(
        replace(choice, proven=choice.proven and rank < MOST_CHECKED and ends(choice.move))
        for rank, choice in enumerate(decision.choices)
    )
    chosen = next(choice for choice in choices if choice.move is decision.move)
    is_best = chosen.value >= highest_goals(state.game)[seat]
    return replace(decision, choices=choices, proven=decision.proven and chosen.proven and is_best)


def _root_mean(look: StateStats, seat: int) -> float:
    value = look.values[seat]
    return float(value) if value is not None else look.means[seat]


def _make_tree(engine: Game, config: MctsConfig, evaluation: BoundedEvaluation | None) -> Tree:
    if isinstance(engine, CompiledGame) and not config.plain:
        if evaluation is None:
            return CompiledTree(engine, config)
        if isinstance(evaluation, KernelEvaluation) and evaluation.game is engine:
            return CompiledTree(engine, config, valued=True)
    return PlainTree(engine, config)


def _line(state: State, tree: Tree, highest: list[int]) -> tuple[tuple[Term, ...], ...]:
    """The line that the tree expects from a state on, as far as it was searched."""
    line: list[tuple[Term, ...]] = []
    seen = {state}
    while len(line) < LONGEST_LINE and not state.is_terminal:
        look = tree.look(state)
        if look is None or look.visits == 0:
            break
        places = [best_place(own, highest[role]) for role, own in enumerate(look.stats)]
        chosen = [own[at] for own, at in zip(look.stats, places, strict=True)]
        line.append(tuple(move.move for move in chosen))
        state = state.play(line[-1])
        if state in seen:
            break
        seen.add(state)
    return tuple(line)
