"""The fuzzy evaluation of Fluxplayer: goals by a t-norm of Yager's family, to be measured against."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping

from .theory import Formula, Kind, Theory

HELD = 0.75
"""The value of a fact that holds; one that does not has the rest to 1."""
EXPONENT = 15.0


def either(one: float, other: float) -> float:
    """The truth of a disjunction."""
    return float(min(1.0, (one**EXPONENT + other**EXPONENT) ** (1 / EXPONENT)))


def both(one: float, other: float) -> float:
    """The truth of a conjunction."""
    return 1 - either(1 - one, 1 - other)


class FluxplayerValue:
    """The value of a state by the formulas of all goal values of a role, and of the end."""

    def __init__(self, theory: Theory, goals: Mapping[int, Formula], terminal: Formula) -> None:
        self._theory = theory
        self._goals = goals
        self._terminal = terminal

    def value(self, holds: Callable[[Hashable], bool]) -> float:
        """0 to 100."""
        total = sum(self._goals)
        if not total:
            return 0.0
        known: dict[int, float] = {}
        over = self._shade(self._terminal, holds, known)
        shades = 0.0
        for goal, formula in self._goals.items():
            shade = self._shade(formula, holds, known)
            if self._theory.truth(formula, holds):
                shades += goal * either(shade, over)
            else:
                shades += goal * both(shade, 1 - over)
        return 100 * shades / total

    def _shade(self, formula: Formula, holds: Callable[[Hashable], bool], known: dict[int, float]) -> float:
        if isinstance(formula, bool):
            return 1.0 if formula else 0.0
        for number in self._theory.below([formula]):
            if number not in known:
                known[number] = self._of_node(number, holds, known)
        value = known[formula >> 1]
        return 1 - value if formula & 1 else value

    def _of_node(self, number: int, holds: Callable[[Hashable], bool], known: Mapping[int, float]) -> float:
        node = self._theory.nodes[number]
        if node.kind is Kind.LEAF:
            return HELD if holds(self._theory.leaves[number]) else 1 - HELD
        parts = [1 - known[part >> 1] if part & 1 else known[part >> 1] for part in node.parts]
        joined = both if node.kind is Kind.ALL else either
        value = parts[0]
        for part in parts[1:]:
            value = joined(value, part)
        return value
