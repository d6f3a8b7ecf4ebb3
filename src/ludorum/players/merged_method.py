"""Play by regrets over a tree with joined histories, where the whole tree is too large for an equilibrium.

For two players. The strategies hide and bluff, since every role answers by what it can tell about the state;
they are no promise, because roles forget the order in which they came to know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ..engine.errors import GameError
from ..engine.game import Game
from ..knowledge.worlds import WorldSampler
from ..rules.terms import Term
from ..search.budget import TO_THE_END, Budget, Stopwatch
from ..search.decision import Decision
from ..search.mixed import NoAdviceError
from ..solve.equilibrium.evaluate import Profile
from ..solve.equilibrium.merged_regrets import MergedRegrets
from ..solve.equilibrium.merged_tree import MergedTree, make_merged_tree
from .drawn_move import draw_move, preparing_seconds, told_history

NODES_A_SECOND = 4_000
"""Nodes for each second of a clock: a slow machine makes more."""


@dataclass(frozen=True)
class MergedConfig:
    """How large a tree may be before its histories are joined, and how often regrets are updated."""

    most_nodes: int = 25_000
    iterations: int = 300
    seed: int = 0


@dataclass(frozen=True)
class LearnedTree:
    """Strategies of both players, and what they get by them."""

    merged: MergedTree
    profile: Profile
    values: tuple[float, ...]


class MergedMethod:
    """Strategies of the whole game, for one role."""

    def __init__(self, game: Game, role: Term, config: MergedConfig | None = None) -> None:
        self.game, self.role = game, role
        self.config = config or MergedConfig()
        self.learned: LearnedTree | None = None
        self._tried = 0

    def prepare(self, seconds: float | None) -> None:
        nodes = self.config.most_nodes
        if seconds is not None:
            nodes = min(nodes, int(seconds * NODES_A_SECOND))
        if self.learned is not None or nodes <= self._tried or len(self.game.info.players) != 2:
            return
        self._tried = nodes
        known = _LEARNED.setdefault(self.game, {})
        key = nodes, self.config.iterations
        if seconds is None and key in known:
            self.learned = known[key]
            return
        self.learned = self._learn(nodes, seconds)
        if seconds is None:
            known[key] = self.learned

    @property
    def is_ready(self) -> bool:
        return self.learned is not None

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        watch = Stopwatch(budget)
        self.prepare(preparing_seconds(budget))
        if self.learned is None:
            raise NoAdviceError("the tree of the game is too large")
        found = self.learned.merged.find(self.role, told_history(worlds))
        if found is None:
            raise NoAdviceError("the match is not in the tree")
        tree = self.learned.merged.tree
        chances = self.learned.profile[found.first : found.first + len(found.moves)]
        drawn = draw_move(found.moves, chances, self.learned.values[tree.players.index(self.role)], seed)
        said = f"regrets over joined histories play {drawn} here"
        return Decision(self.role, drawn.move, drawn.choices, tree.size, 0, watch.seconds, reasons=(said,))

    def _learn(self, nodes: int, seconds: float | None) -> LearnedTree | None:
        watch = Stopwatch(TO_THE_END if seconds is None else Budget(seconds=seconds / 2))
        try:
            merged = make_merged_tree(self.game, nodes, watch.is_up)
        except GameError:  # too large, or a role cannot know its moves
            return None
        regrets = MergedRegrets(merged.tree)
        regrets.run(self.config.iterations, watch.is_up)
        profile = regrets.average()
        return LearnedTree(merged, profile, tuple(regrets.values(profile)))


_LEARNED: WeakKeyDictionary[Game, dict[tuple[int, int], LearnedTree | None]] = WeakKeyDictionary()
