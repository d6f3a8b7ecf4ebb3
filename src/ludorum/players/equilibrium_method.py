"""Play by an equilibrium, where the whole tree of a game is small: its strategy is looked up by what the role
has moved and perceived so far.

Only games are played so in which an equilibrium is a promise: those of two players whose goals have the same
sum at every end of the tree, where nobody can win more against it than the game is worth, and those of one
player, where it is the best there is. All bounds count nodes and iterations; where a clock is given, it says
how many nodes there may be.
"""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from ..engine.compiled import CompiledGame
from ..engine.errors import GameError
from ..engine.game import Game
from ..knowledge.worlds import WorldSampler
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision
from ..search.mixed import NoAdviceError
from ..solve.equilibrium.evaluate import Passes, Profile
from ..solve.equilibrium.game_tree import TERMINAL, GameTree, InformationSet
from ..solve.equilibrium.make_tree import make_tree
from ..solve.equilibrium.minimise import RegretMinimiser
from .drawn_move import draw_move, preparing_seconds, told_history

NODES_A_SECOND, NODES_A_SECOND_IN_LANES = 1_500, 50_000
"""Nodes of a tree for each second of a clock, without a circuit and with one: a slow machine makes several
times as many."""
ROUND = 25
"""Iterations between two looks at what a deviation gains."""


@dataclass(frozen=True)
class EquilibriumConfig:
    """How large a tree may be, and how close to an equilibrium its strategy."""

    most_nodes: int = 250_000
    """Where the game has a circuit; else some hundredths of it."""
    within: float = 0.1
    """Points of a goal that a deviation may gain."""
    iterations: int = 1_000
    seed: int = 0


@dataclass(frozen=True)
class SolvedTree:
    """Strategies of all players in a tree, and what they are worth."""

    tree: GameTree
    profile: Profile
    gain: float
    """What the best deviation of a player gains."""
    values: tuple[float, ...]
    """By player."""


class EquilibriumMethod:
    """A strategy of the whole game, for one role."""

    def __init__(self, game: Game, role: Term, config: EquilibriumConfig | None = None) -> None:
        self.game, self.role = game, role
        self.config = config or EquilibriumConfig()
        self.solved: SolvedTree | None = None
        """None where the tree is too large, or an equilibrium of it promises nothing."""
        self._tried = 0
        self._sets: dict[object, InformationSet] = {}

    def prepare(self, seconds: float | None) -> None:
        in_lanes = isinstance(self.game, CompiledGame)
        pace = NODES_A_SECOND_IN_LANES if in_lanes else NODES_A_SECOND
        nodes = self.config.most_nodes * pace // NODES_A_SECOND_IN_LANES
        if seconds is not None:
            nodes = min(nodes, int(seconds * pace))
        if self.solved is not None or nodes <= self._tried:
            return
        self._tried = nodes
        self.solved = self._look_up(nodes) if seconds is None else self._solve(nodes, seconds)
        if self.solved is not None:
            self._sets = {one.history: one for one in self.solved.tree.sets if one.role is self.role}

    @property
    def is_ready(self) -> bool:
        return self.solved is not None

    def decide(self, worlds: WorldSampler, budget: Budget, seed: int) -> Decision:
        watch = Stopwatch(budget)
        self.prepare(preparing_seconds(budget))
        found = self._sets.get(told_history(worlds))
        if found is None or self.solved is None:
            raise NoAdviceError("the tree of the game is too large, or the match is not in it")
        chances = self.solved.profile[found.first : found.first + len(found.moves)]
        value = self.solved.values[self.solved.tree.players.index(self.role)]
        drawn = draw_move(found.moves, chances, value, seed)
        said = f"an equilibrium plays {drawn} here; no deviation gains more than {self.solved.gain:.2f}"
        nodes = self.solved.tree.size
        return Decision(self.role, drawn.move, drawn.choices, nodes, 0, watch.seconds, reasons=(said,))

    def _look_up(self, nodes: int) -> SolvedTree | None:
        """What counted work finds, which is the same in every match: it is kept as long as the game is."""
        config = self.config
        known = _SOLVED.setdefault(self.game, {})
        key = nodes, config.within, config.iterations
        if key not in known:
            known[key] = self._solve(nodes, None)
        return known[key]

    def _solve(self, nodes: int, seconds: float | None) -> SolvedTree | None:
        watch = Stopwatch(Budget(nodes=nodes, seconds=seconds))
        try:
            tree = make_tree(self.game, None, nodes)
        except GameError:  # too large, or no equilibrium is defined
            return None
        if not is_promise(tree):
            return None
        if len(tree.players) == 1:
            passes = Passes(tree)
            value, best = passes.best_response(passes.uniform, 0)
            return SolvedTree(tree, best, 0.0, (value,))
        cfr = RegretMinimiser(tree)
        gain = np.inf
        while gain > self.config.within and cfr.iterations < self.config.iterations:
            cfr.run(min(ROUND, self.config.iterations - cfr.iterations), watch.is_up)
            profile = cfr.average()
            values, gains = cfr.worth(profile)
            gain = max(gains)
            if watch.is_up():
                break
        return SolvedTree(tree, profile, float(gain), tuple(values))


_SOLVED: WeakKeyDictionary[Game, dict[tuple[int, float, int], SolvedTree | None]] = WeakKeyDictionary()


def is_promise(tree: GameTree) -> bool:
    """Whether an equilibrium of the tree is the best a player can be sure of."""
    if len(tree.players) == 1:
        return True
    sums = tree.values[tree.player == TERMINAL].sum(axis=1)
    return len(tree.players) == 2 and bool(np.ptp(sums) == 0)
