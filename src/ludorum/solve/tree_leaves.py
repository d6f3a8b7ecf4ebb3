"""Strategy trees that cannot be closed: the heuristic value that a first move keeps at the leaves.

At leaves where play is not over, the value of a state is the sum of the weights of its facts. For each first
move this finds the highest value that some strategy keeps at every such leaf, whatever the others do, while
no play ends below the value of the tree (asp-player, sections 12.4 and 15).
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil

from clingo import Function, Number, Symbol

from ..asp.names import asp_term
from ..rules.terms import Term
from ..search.budget import Stopwatch
from .horizon import OutOfTime, solve_in_time
from .strategy_search import StrategySearch

SCALE = 100
"""Parts of a goal point that weights are rounded to: the solver has whole numbers only."""
MOST = 100

_LEAF = """
#external leaf(k,t).
:- leaf(k,t), open(N), node(N,k), #sum { W,F : worth(F,W), p_true_1(F,N) } < t.
"""


@dataclass(frozen=True)
class LeafWeights:
    """The value of a state in goal points: ``bias`` plus the weights of the facts that hold."""

    weights: Mapping[Term, float] = field(default_factory=dict)
    bias: float = 50.0

    def parts(self, fact: Term) -> int:
        """The weight of a fact in whole parts."""
        return round(self.weights.get(fact, 0.0) * SCALE)

    def threshold(self, points: int) -> int:
        """The sum of parts that makes a state worth so many points."""
        return ceil((points - self.bias) * SCALE - 1e-6)


def leaf_values(
    search: StrategySearch, leaves: LeafWeights, watch: Stopwatch, least: int = 0, most: int = MOST
) -> dict[Term, int]:
    """For each first move that is not settled the most points, in whole ones, that it keeps at the leaves.

    Those that keep less than ``least`` have that. Moves for which the time was too short are left out.
    """
    asked = _Asked(search, leaves, watch)
    found: dict[Term, int] = {}
    try:
        for atom, move in search.first_moves.items():
            if move in search.verdicts:
                continue
            low, high = least, most
            while low < high:
                middle = (low + high + 1) // 2
                if asked.keeps(atom, middle):
                    low = middle
                else:
                    high = middle - 1
            found[move] = low
    except OutOfTime:
        pass
    return found


class _Asked:
    """The questions, each threshold grounded once."""

    def __init__(self, search: StrategySearch, leaves: LeafWeights, watch: Stopwatch) -> None:
        self.search = search
        self.leaves = leaves
        self.watch = watch
        self.name = f"leaf{search.depth}"
        if search.leaf_weights is None:
            search.leaf_weights = leaves
            facts = [f"worth({asp_term(fact)},{leaves.parts(fact)})." for fact in leaves.weights]
            search.add("worth", (), "\n".join([*facts, "#defined worth/2."]))
            search.ground([("worth", ())])
        elif search.leaf_weights != leaves:
            raise ValueError("a tree has one heuristic: make another tree for another one")
        search.add(self.name, ("k", "t"), _LEAF)
        self._grounded: set[int] = set()
        self._longest = search.seconds_of_level
        """The estimated seconds of grounding a threshold: it visits each leaf, as their level did."""

    def keeps(self, first: Symbol, points: int) -> bool:
        left = self.watch.seconds_left
        if self.watch.is_up() or (left is not None and self._longest > left):
            raise OutOfTime
        numbers = [Number(self.search.depth), Number(self.leaves.threshold(points))]
        if points not in self._grounded:
            begin = time.monotonic()
            self.search.ground([(self.name, numbers)])
            self._longest = max(self._longest, time.monotonic() - begin)
            self._grounded.add(points)
        external = Function("leaf", numbers)
        self.search.control.assign_external(external, True)
        try:
            self.search.solves += 1
            return solve_in_time(self.search.control, [(first, True)], self.watch)
        finally:
            self.search.control.assign_external(external, False)
