"""Perfect-information Monte Carlo: every world is searched as if it were known, and the worlds vote.

It is strong where hidden information matters little, and blind to its value: it never pays for knowing more,
since each search believes that it knows everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Decision, Searcher
from .world_votes import SampledWorld, joint_vote


@dataclass(frozen=True)
class PimcConfig:
    """How many worlds are searched."""

    worlds: int = 20
    seed: int = 0


class Pimc:
    """Asks one searcher of open games about every world; what it has kept of one may serve the next."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    def search_worlds(self, worlds: Sequence[SampledWorld], role: Term, budget: Budget) -> Decision:
        """The move with the best mean value; each world has the same share of the budget.

        One world alone is searched as it is, and its proofs hold as far as the searcher says so.
        """
        if len(worlds) == 1:
            return self._searcher.search(worlds[0].state, role, budget)
        watch = Stopwatch(budget)
        votes: list[tuple[float, Decision]] = []
        for at, world in enumerate(sorted(worlds, key=lambda one: -one.weight)):
            if votes and watch.is_up():
                break
            share = _share(budget, watch, len(worlds), len(worlds) - at)
            votes.append((world.weight, self._searcher.search(world.state, role, share)))
        return joint_vote(role, votes, watch.seconds)


def _share(budget: Budget, watch: Stopwatch, worlds: int, left: int) -> Budget:
    """The budget of one world: counted work is divided by all, time by those that are left."""
    return replace(
        budget,
        seconds=None if watch.seconds_left is None else watch.seconds_left / left,
        playouts=None if budget.playouts is None else max(1, budget.playouts // worlds),
        nodes=None if budget.nodes is None else max(1, budget.nodes // worlds),
    )
