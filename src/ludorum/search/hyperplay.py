"""HyperPlay: every world on its own is judged by random games after each own move, and the worlds vote.

After Schofield, Cerexhe and Thielscher ("HyperPlay: A Solution to General Game Playing with Imperfect
Information", 2012). Where the game has a circuit all worlds are played in lanes at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import SplitMix64
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import Game
from ..engine.packed_rows import joint_shares
from ..engine.simulator import Simulator, joint_counts
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Choice, Decision
from .world_votes import SampledWorld

MOST_CHILDREN = 1 << 15
"""Successors that are played out at once."""


@dataclass(frozen=True)
class HyperPlayConfig:
    """How worlds are judged."""

    worlds: int = 200
    max_steps: int = 2000
    """The most steps of a random game."""
    seed: int = 0


class HyperPlay:
    """Judges worlds by random games."""

    def __init__(self, game: Game, config: HyperPlayConfig | None = None) -> None:
        self.game = game
        self.config = config or HyperPlayConfig()
        self._random = SplitMix64(self.config.seed)
        self._simulator = game.simulator() if isinstance(game, CompiledGame) else None

    def seeded(self, seed: int) -> HyperPlay:
        """Itself, with random games that the seed determines from now on."""
        self._random = SplitMix64(seed)
        return self

    def search_worlds(self, worlds: Sequence[SampledWorld], role: Term, budget: Budget) -> Decision:
        """The move with the best mean goal over all worlds and random games."""
        watch = Stopwatch(budget)
        if isinstance(self.game, CompiledGame) and self._simulator is not None:
            lanes = _Lanes(self.game, worlds, role, self.config, self._random, self._simulator)
            found = lanes.run(watch)
        else:
            found = self._one_by_one(worlds, role, watch)
        choices = sorted(found.choices(), key=lambda choice: (-choice.value, -choice.visits, choice.move))
        return Decision(role, choices[0].move, tuple(choices), found.playouts, found.playouts, watch.seconds)

    def _one_by_one(self, worlds: Sequence[SampledWorld], role: Term, watch: Stopwatch) -> _Values:
        """Rounds of one random game after each own move of each world."""
        found, random, roles = _Values(), self._random, self.game.roles
        seat = roles.index(role)
        while True:
            for world in worlds:
                if found.playouts and watch.is_up(playouts=found.playouts):
                    return found
                replies = [world.state.legal(one) for one in roles]
                for move in replies[seat]:
                    joint = self.game.random_joint(replies, random)
                    joint[seat] = move
                    after = world.state.play(joint)
                    ends = after.playouts(1, seed=random.next(), max_steps=self.config.max_steps)
                    found.add(move, world.weight, ends[seat], 1)


class _Values:
    """Goals after each own move, weighted by worlds."""

    def __init__(self) -> None:
        self._weights: dict[Term, float] = {}
        self._totals: dict[Term, float] = {}
        self._visits: dict[Term, int] = {}
        self.playouts = 0

    def add(self, move: Term, weight: float, goal: float, count: int) -> None:
        self._weights[move] = self._weights.get(move, 0.0) + weight
        self._totals[move] = self._totals.get(move, 0.0) + weight * goal
        self._visits[move] = self._visits.get(move, 0) + count
        self.playouts += count

    def choices(self) -> list[Choice]:
        return [
            Choice(move, self._visits[move], self._totals[move] / weight)
            for move, weight in self._weights.items()
        ]


class _Lanes:
    """All successors of many worlds at once: others' moves are as likely as any."""

    def __init__(
        self,
        game: CompiledGame,
        worlds: Sequence[SampledWorld],
        role: Term,
        config: HyperPlayConfig,
        random: SplitMix64,
        simulator: Simulator[CompiledState],
    ) -> None:
        self.game, self.config, self.random = game, config, random
        self.seat = game.roles.index(role)
        self.simulator = simulator
        self.rows = self.simulator.pack([world.state for world in worlds])
        self.weights = np.array([world.weight for world in worlds])
        legal = self.simulator.legal_moves(self.rows)
        self.sizes = joint_counts(legal, [len(own) for own in game.circuit.role_moves])

    def run(self, watch: Stopwatch) -> _Values:
        found = _Values()
        most = watch.budget.playouts or MOST_CHILDREN
        while not found.playouts or not watch.is_up(playouts=found.playouts):
            for batch in self._batches(min(most, MOST_CHILDREN)):
                self._play(batch, found, max(1, min(MOST_CHILDREN, most - found.playouts)))
                if watch.is_up(playouts=found.playouts):
                    break
        return found

    def _batches(self, most: int) -> list[NDArray[np.int64]]:
        """All worlds in random order, in groups whose successors are few enough."""
        order = np.random.default_rng(self.random.next()).permutation(len(self.rows))
        groups = (np.cumsum(self.sizes[order]) // most).astype(np.int64)
        return [order[groups == group] for group in np.unique(groups)]

    def _play(self, batch: NDArray[np.int64], found: _Values, playouts: int) -> None:
        """About so many random games in some worlds, at least one after each joint move."""
        children, parents, moves = self.simulator.successors(self.rows[batch])
        each = max(1, playouts // len(children))
        sums = self.simulator.playouts_from(
            children, each, seed=self.random.next() >> 1, max_steps=self.config.max_steps
        )
        own = moves[:, self.seat]
        legal = self.simulator.legal_moves(self.rows[batch])
        circuit = self.game.circuit
        shares = joint_shares(legal, circuit.role_moves, circuit.weights, parents, moves)
        weights = each * self.weights[batch][parents] * shares
        for move in np.unique(own).tolist():
            which = own == move
            total = float(weights[which].sum())
            mean = float((weights[which] * sums[which, self.seat]).sum()) / (each * total)
            found.add(self.game.circuit.moves[move][1], total, mean, each * int(which.sum()))
