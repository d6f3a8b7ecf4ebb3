"""Fluents that never change again: those that stay true once they are, and those that stay false.

``read_persistence`` finds them from the ground rules alone, ``solve.prove.goal_persistence`` proves more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...rules.terms import Term

Candidate = tuple[Term, bool]
"""A fluent, and the value that it may keep."""


@dataclass(frozen=True)
class LastingFluents:
    """What is known of some fluents, in every state and for every joint move, those of nature included."""

    once_true: frozenset[Term] = frozenset()
    """Those that stay true once they are."""
    once_false: frozenset[Term] = frozenset()
    """Those that stay false once they are."""
    ended_by: Mapping[Term, frozenset[Term]] = field(default_factory=dict)
    """Of a fluent those of ``once_true`` that never hold together with it: with one of them it is false for
    ever."""

    def keeps(self, fluent: Term, value: bool) -> bool:
        """Whether a fluent is known to keep a value once it has it."""
        return fluent in (self.once_true if value else self.once_false)

    def lasts(self, fluent: Term, facts: frozenset[Term]) -> bool:
        """Whether the truth of a fluent in a state is known to stay as it is."""
        holds = fluent in facts
        ended = not holds and not facts.isdisjoint(self.ended_by.get(fluent, ()))
        return ended or self.keeps(fluent, holds)

    def __or__(self, other: LastingFluents) -> LastingFluents:
        """What either of two knows."""
        ended_by = {
            fluent: self.ended_by.get(fluent, frozenset()) | other.ended_by.get(fluent, frozenset())
            for fluent in {**self.ended_by, **other.ended_by}
        }
        return LastingFluents(self.once_true | other.once_true, self.once_false | other.once_false, ended_by)
