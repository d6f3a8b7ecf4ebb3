"""What behaviour strategies are worth in a tree: expected values, best responses, exploitability.

A strategy is an array with a probability for each move of each information set. All passes go through the
tree level by level with whole arrays.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from .game_tree import CHANCE, Floats, GameTree, Ints

Profile = Floats
"""Strategies of all players: a probability by slot."""


class Passes:
    """The passes through a tree that strategies are valued with."""

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        counts = np.diff(tree.first_edge)
        self.parent: Ints = np.repeat(np.arange(tree.size, dtype=np.int32), counts)
        self.mover: Ints = tree.player[self.parent]
        """By edge: who chooses it, or CHANCE."""
        self._drawn = self.mover == CHANCE
        totals = np.bincount(self.parent, tree.weight, minlength=tree.size)
        self._draw: Floats = tree.weight / totals[self.parent]
        """By edge: how likely nature draws it, where nature does."""
        self._edges = [
            slice(int(tree.first_edge[first]), int(tree.first_edge[last]))
            for first, last in zip(tree.levels[:-1], tree.levels[1:], strict=True)
        ]

    @cached_property
    def set_of_slot(self) -> Ints:
        """By slot: the information set of the move."""
        lengths = [len(one.moves) for one in self.tree.sets]
        return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)

    @cached_property
    def uniform(self) -> Profile:
        """Every move of an information set as likely as any other."""
        lengths = np.bincount(self.set_of_slot, minlength=len(self.tree.sets))
        return np.asarray(1.0 / lengths[self.set_of_slot], np.float64)

    def normalised(self, weights: Floats) -> Profile:
        """Probabilities in proportion to weights; uniform in information sets without any weight."""
        sums = np.bincount(self.set_of_slot, weights, minlength=len(self.tree.sets))[self.set_of_slot]
        return np.where(sums > 0, weights / np.where(sums > 0, sums, 1.0), self.uniform)

    def probabilities(self, profile: Profile) -> Floats:
        """By edge: how likely it is where its node is reached."""
        return np.where(self._drawn, self._draw, profile[self.tree.slot])

    def values(self, profile: Profile) -> Floats:
        """By node and player: the expected goal value."""
        return self.values_of(self.probabilities(profile))

    def values_of(self, chances: Floats) -> Floats:
        """As ``values``, for probabilities by edge."""
        tree = self.tree
        values = tree.values.copy()
        for edges in reversed(self._edges):
            np.add.at(values, self.parent[edges], chances[edges, None] * values[tree.child[edges]])
        return values

    def reach(self, chances: Floats, player: int) -> tuple[Floats, Floats]:
        """By node: the product of the player's own probabilities on the way, and that of all others."""
        own, others = np.ones(self.tree.size), np.ones(self.tree.size)
        for edges in self._edges:
            is_own = self.mover[edges] == player
            parent, child = self.parent[edges], self.tree.child[edges]
            own[child] = own[parent] * np.where(is_own, chances[edges], 1.0)
            others[child] = others[parent] * np.where(is_own, 1.0, chances[edges])
        return own, others

    def best_response(self, profile: Profile, player: int) -> tuple[float, Profile]:
        """The most that a player can get against the others' strategies, and a strategy that gets it."""
        tree = self.tree
        chances = self.probabilities(profile)
        _, others = self.reach(chances, player)
        values = tree.values[:, player].copy()
        best = profile.copy()
        for edges in reversed(self._edges):
            own = np.flatnonzero(self.mover[edges] == player) + edges.start
            if len(own):
                chances[own] = self._greedy(own, others[self.parent[own]] * values[tree.child[own]], best)
            np.add.at(values, self.parent[edges], chances[edges] * values[tree.child[edges]])
        return float(values[0]), best

    def _greedy(self, edges: Ints, worth: Floats, best: Profile) -> Floats:
        """The first best move of each information set with all probability, noted in ``best``."""
        slots = self.tree.slot[edges]
        used, place = np.unique(slots, return_inverse=True)
        sums = np.bincount(place, worth)
        sets = self.set_of_slot[used]
        order = np.lexsort((used, -sums, sets))
        firsts = used[order][np.flatnonzero(np.diff(sets[order], prepend=-1))]
        best[used] = 0.0
        best[firsts] = 1.0
        return best[slots]

    def gains(self, profile: Profile) -> list[float]:
        """By player: what a best response to the others gains over its own strategy; 0 in an equilibrium."""
        values = self.values(profile)[0]
        responses = [self.best_response(profile, number)[0] for number in range(len(values))]
        return [max(0.0, float(best - value)) for best, value in zip(responses, values, strict=True)]

    def nash_conv(self, profile: Profile) -> float:
        """The gains of all players together."""
        return sum(self.gains(profile))

    def exploitability(self, profile: Profile) -> float:
        """The mean gain of a player that deviates to a best response."""
        return self.nash_conv(profile) / len(self.tree.players)
