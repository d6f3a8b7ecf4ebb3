"""Search over information sets in kernels over the circuit: the twin of ``ismcts``, many descents at once.

With ``batch=1`` it makes one descent after the other and grows the same trees as the plain search, node by
node. Otherwise descents go down together, a level at a time, in lanes; those under way count as losses until
their games are over.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .._core import InformationTree
from ..engine.compiled import CompiledGame
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Decision
from .ismcts import IsmctsConfig, decision_at_root
from .one_user import one_user
from .world_votes import SampledWorld

MEMORY_BYTES = 1 << 28
"""The most memory of the trees; they grow no more where they have it."""


class CompiledIsmcts:
    """A search for one game; the trees are dropped after each question."""

    def __init__(
        self,
        game: CompiledGame,
        config: IsmctsConfig | None = None,
        *,
        batch: int = 0,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        """``batch``: descents at once; 0 leaves it to the number of lanes.

        ValueError for a policy or prior: the kernels cannot ask Python in the middle of games.
        """
        self.game = game
        self.config = config or IsmctsConfig()
        if self.config.policy is not None or self.config.prior is not None:
            raise ValueError("the compiled search has neither policies nor priors of moves")
        self.kernel = InformationTree(
            game.single.evaluators,
            chance=game.info.chance_seats,
            sees_roles=np.array([seat for seat, _, _ in game.circuit.sees], np.int32),
            everyone=self.config.observers == "all",
            exploration=self.config.exploration,
            random_others=self.config.random_others,
            max_steps=self.config.max_steps,
            games_a_leaf=self.config.games_a_leaf,
            batch=batch,
            memory_bytes=memory_bytes,
        )
        self._user = threading.RLock()

    def seeded(self, seed: int) -> CompiledIsmcts:
        """This search, with another seed from now on."""
        self.config = replace(self.config, seed=seed)
        return self

    @one_user
    def search_worlds(
        self,
        worlds: Sequence[SampledWorld],
        role: Term,
        budget: Budget,
        before: Decision | None = None,
        trust: int = 0,
    ) -> Decision:
        """As ``Ismcts.search_worlds``; the same seed gives the same answer for counted budgets."""
        watch = Stopwatch(budget)
        self.kernel.begin(
            self.game.roles.index(role),
            states=self._rows(worlds),
            weights=np.array([world.weight for world in worlds], np.float64),
            views=self._views(worlds),
            seed=self.config.seed,
        )
        if before is not None and trust:
            self._trust(before, trust)
        nodes, descents = self.kernel.grow(
            descents=budget.playouts,
            nodes=budget.nodes,
            seconds=watch.seconds_left,
            stop=None if budget.stop is None else budget.stop.is_set,
        )
        moves = self.game.circuit.moves
        found = self.kernel.look() or []
        tried = [(moves[move][1], visits, total) for move, visits, available, total in found if available]
        return decision_at_root(role, tried, nodes, descents, watch.seconds)

    def _rows(self, worlds: Sequence[SampledWorld]) -> NDArray[np.uint8]:
        rows = b"".join(self.game.packed(world.state) for world in worlds)
        return np.frombuffer(rows, np.uint8).reshape(len(worlds), self.game.state_bytes)

    def _views(self, worlds: Sequence[SampledWorld]) -> NDArray[np.uint64]:
        views = [world.views for world in worlds]
        width = len(self.game.roles) if views and all(views) else 0
        return np.array(views if width else [()] * len(worlds), np.uint64).reshape(len(worlds), width)

    def _trust(self, before: Decision, visits: int) -> None:
        seat = self.game.roles.index(before.role)
        numbers = [self.game.circuit.move_number(seat, choice.move) for choice in before.choices]
        values = [choice.value for choice in before.choices]
        self.kernel.trust(np.array(numbers, np.int32), np.array(values, np.float64), visits)
