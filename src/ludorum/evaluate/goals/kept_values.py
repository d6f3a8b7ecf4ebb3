"""Values of states that were evaluated before."""

from __future__ import annotations

from ...rules.terms import Term

MOST_KEPT = 100_000
"""Values that are kept; all are dropped when there are more."""


class KeptValues:
    """Values by the facts of a state and the role: what a search adds for its depth is not part of them."""

    def __init__(self) -> None:
        self._values: dict[tuple[frozenset[Term], Term], float] = {}
        self.made = 0
        """How many values were made, which were not there."""

    def find(self, facts: frozenset[Term], role: Term) -> float | None:
        return self._values.get((facts, role))

    def keep(self, facts: frozenset[Term], role: Term, value: float) -> None:
        if len(self._values) >= MOST_KEPT:
            self._values.clear()
        self._values[facts, role] = value
        self.made += 1

    def clear(self) -> None:
        """Forget them: from now on there are other values."""
        self._values.clear()
