"""Regret minimisation (CFR+) over a tree with joined histories, with whole arrays.

Nodes may have several parents, so the probabilities to come to a node are sums over them. How often a player
wants to come to an information set is the probability to come there over what the others and nature let it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .evaluate import Passes, Profile
from .game_tree import Floats, GameTree, Ints


@dataclass(frozen=True)
class _Level:
    """The nodes of one level that have edges, and their edges."""

    nodes: Ints
    edges: slice
    starts: Ints
    """Where the edges of each node begin among those of the level."""

    @classmethod
    def of(cls, tree: GameTree, first: int, last: int) -> _Level:
        nodes = np.arange(first, last, dtype=np.int32)
        nodes = nodes[tree.first_edge[nodes + 1] > tree.first_edge[nodes]]
        edges = slice(int(tree.first_edge[first]), int(tree.first_edge[last]))
        return cls(nodes, edges, tree.first_edge[nodes] - edges.start)


class MergedRegrets:
    """Regrets and average strategies of all players; ``run`` goes on where it was."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self.iterations = 0
        self.regrets: Floats = np.zeros(tree.slots)
        self._weights: Floats = np.zeros(tree.slots)
        self._passes = Passes(tree)
        self._own = [np.flatnonzero(self._passes.mover == player) for player in range(len(tree.players))]
        found = [_Level.of(tree, *ends) for ends in pairwise(tree.levels.tolist())]
        self._levels = [level for level in found if len(level.nodes)]

    def run(self, iterations: int, is_up: Callable[[], bool] | None = None) -> None:
        """Iterate so many times, or until time is up, but once."""
        for _ in range(iterations):
            self._iterate()
            if is_up is not None and is_up():
                break

    def average(self) -> Profile:
        """The average strategies, later ones with more weight."""
        return self._passes.normalised(self._weights)

    def values(self, profile: Profile) -> list[float]:
        """By player: the expected goal."""
        found: list[float] = self._values(self._passes.probabilities(profile))[0].tolist()
        return found

    def _iterate(self) -> None:
        self.iterations += 1
        profile = self._passes.normalised(self.regrets)
        chances = self._passes.probabilities(profile)
        values = self._values(chances)
        reached = self._reach(chances)
        slots, size = self.tree.slot, self.tree.slots
        for player, own in enumerate(self._own):
            let = chances.copy()
            let[own] = 1.0
            others = self._reach(let)
            parents = self._passes.parent[own]
            gain = values[self.tree.child[own], player] - values[parents, player]
            self.regrets += np.bincount(slots[own], others[parents] * gain, size)
            wanted = np.bincount(slots[own], reached[parents], size)
            allowed = np.bincount(slots[own], others[parents], size)
            share = np.divide(wanted, allowed, out=np.zeros(size), where=allowed > 0)
            self._weights += self.iterations * share * profile
        np.maximum(self.regrets, 0.0, out=self.regrets)

    def _reach(self, chances: Floats) -> Floats:
        """By node: the sum over all ways to it of the product of their chances."""
        found = np.zeros(self.tree.size)
        found[0] = 1.0
        for level in self._levels:
            parents = self._passes.parent[level.edges]
            np.add.at(found, self.tree.child[level.edges], chances[level.edges] * found[parents])
        return found

    def _values(self, chances: Floats) -> Floats:
        """By node and player: the expected goal."""
        values = self.tree.values.copy()
        for level in reversed(self._levels):
            after = chances[level.edges, None] * values[self.tree.child[level.edges]]
            values[level.nodes] = np.add.reduceat(after, level.starts, axis=0)
        return values
