"""Monte Carlo regret minimisation, one node after the other: the plain twin of the kernel, number for number.

Lanctot, Waugh, Zinkevich, Bowling: "Monte Carlo Sampling for Regret Minimization in Extensive Games", 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from ..._core import SplitMix64
from ...engine.chances import draw_place
from .evaluate import Passes, Profile
from .game_tree import CHANCE, TERMINAL, GameTree
from .plain_cfr import ROUNDING


@dataclass
class _Visit:
    """A visited node, and the place of its first child among the visited ones."""

    node: int
    first_child: int = 0
    value: float = 0.0


@dataclass(frozen=True)
class _Passed:
    """A choice on the way of a sampled game, with the probabilities to come to it."""

    node: int
    chosen: int
    own: float
    others: float
    sampled: float
    likely: float


class PlainSampling:
    """Regrets and average strategies of all players of a tree."""

    def __init__(self, tree: GameTree, seed: int = 0) -> None:
        self.tree = tree
        self.passes = Passes(tree)
        self.random = SplitMix64(seed)
        self.regrets: list[float] = [0.0] * tree.slots
        self.weights: list[float] = [0.0] * tree.slots
        ends = tree.values[tree.player == TERMINAL]
        self._middle = (0.5 * ends.min(axis=0) + 0.5 * ends.max(axis=0)).tolist()
        self._least = float(ROUNDING * np.abs(tree.values).max(initial=0.0))

    def average(self) -> Profile:
        return self.passes.normalised(np.array(self.weights))

    def run_external(self, iterations: int) -> None:
        for _ in range(iterations):
            for player in range(len(self.tree.players)):
                self._traverse(player)

    def run_outcome(self, iterations: int, exploration: float) -> None:
        for _ in range(iterations):
            for player in range(len(self.tree.players)):
                self._play_once(player, exploration)

    def _edges(self, node: int) -> tuple[int, int]:
        """The first edge of a node, and how many it has."""
        first, last = self.tree.first_edge[node : node + 2].tolist()
        return first, last - first

    def _first_slot(self, node: int) -> int:
        return self.tree.sets[int(self.tree.information_set[node])].first

    def _strategy(self, slot: int, count: int) -> list[float]:
        positive = [value if value > self._least else 0.0 for value in self.regrets[slot : slot + count]]
        total = reduce(
            add, positive
        )  # `sum` rounds in another way since Python 3.12, and the kernel does not
        return [value / total for value in positive] if total > 0 else [1.0 / count] * count

    def _draw(self, chances: list[float]) -> int:
        left, last = (self.random.next() >> 11) * 2.0**-53, 0
        for at, chance in enumerate(chances):
            if chance <= 0:
                continue
            left -= chance
            if left < 0:
                return at
            last = at
        return last  # where rounding has left something over

    def _draw_of_nature(self, first: int, count: int) -> int:
        return draw_place(self.tree.weight[first : first + count].tolist(), self.random)

    def _traverse(self, player: int) -> None:
        visits = [_Visit(0)]
        for one in visits:  # which grows
            one.first_child = len(visits)
            visits += map(_Visit, self._followed(one, player))
        for one in reversed(visits):
            self._return_to(one, visits, player)

    def _followed(self, one: _Visit, player: int) -> list[int]:
        """The children that a traversal goes on to."""
        mover = int(self.tree.player[one.node])
        first, count = self._edges(one.node)
        children: list[int] = self.tree.child[first : first + count].tolist()
        if mover == TERMINAL:
            one.value = float(self.tree.values[one.node, player]) - self._middle[player]
            return []
        if mover == CHANCE:
            return [children[self._draw_of_nature(first, count)]]
        if mover == player:
            return children
        slot = self._first_slot(one.node)
        strategy = self._strategy(slot, count)
        if mover == (player + 1) % len(self.tree.players):
            self._add_to_average(slot, strategy, 1.0)
        return [children[self._draw(strategy)]]

    def _return_to(self, one: _Visit, visits: list[_Visit], player: int) -> None:
        mover = int(self.tree.player[one.node])
        if mover == TERMINAL:
            return
        if mover != player:
            one.value = visits[one.first_child].value
            return
        slot, (_, count) = self._first_slot(one.node), self._edges(one.node)
        strategy = self._strategy(slot, count)
        after = [visits[one.first_child + at].value for at in range(count)]
        for chance, value in zip(strategy, after, strict=True):
            one.value += chance * value
        for at, value in enumerate(after):
            self.regrets[slot + at] += value - one.value
        if len(self.tree.players) == 1:
            self._add_to_average(slot, strategy, 1.0)

    def _add_to_average(self, slot: int, strategy: list[float], weight: float) -> None:
        for at, chance in enumerate(strategy):
            self.weights[slot + at] += weight * chance

    def _play_once(self, player: int, exploration: float) -> None:
        passed: list[_Passed] = []
        node, own, others, sampled = 0, 1.0, 1.0, 1.0
        while (mover := int(self.tree.player[node])) != TERMINAL:
            first, count = self._edges(node)
            if mover == CHANCE:
                chosen = self._draw_of_nature(first, count)
                weights = self.tree.weight[first : first + count]
                likely = float(weights[chosen]) / float(weights.sum())
                others *= likely
                sampled *= likely
            else:
                strategy = self._strategy(self._first_slot(node), count)
                chances = strategy
                if mover == player:
                    chances = [exploration / count + (1 - exploration) * chance for chance in strategy]
                chosen = self._draw(chances)
                passed.append(_Passed(node, chosen, own, others, sampled, chances[chosen]))
                if mover == player:
                    own *= strategy[chosen]
                else:
                    others *= strategy[chosen]
                sampled *= chances[chosen]
            node = int(self.tree.child[first + chosen])
        self._learn(passed, float(self.tree.values[node, player]) - self._middle[player], player)

    def _learn(self, passed: list[_Passed], value: float, player: int) -> None:
        for one in reversed(passed):
            slot, (_, count) = self._first_slot(one.node), self._edges(one.node)
            strategy = self._strategy(slot, count)
            after = value / one.likely
            value = strategy[one.chosen] * after
            if self.tree.player[one.node] != player:
                continue
            scale = one.others / one.sampled
            for at in range(count):
                self.regrets[slot + at] += scale * ((after if at == one.chosen else 0.0) - value)
            self._add_to_average(slot, strategy, one.own / one.sampled)
