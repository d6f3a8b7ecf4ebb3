"""The facts a role knows for certain where the rules hide something: those that all possible states share.

All states that agree with the role's moves and percepts are followed as long as they are few. The bounds are
counted, so that the same match shows the same facts on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from ...engine.game import State
from ...rules.terms import Term

MOST_STATES = 200
MOST_TRIALS = 2000
"""Joint moves tried in one step."""


class CertainFacts:
    """Follows one match for one role."""

    def __init__(self, role: Term) -> None:
        self.role = role
        self._possible: list[State] | None = None
        """None where there are too many states to be followed."""
        self._known = 0
        """States of the match that have been taken into account."""
        self._first: State | None = None

    def facts(self, states: Sequence[State]) -> frozenset[Term] | None:
        """The certain facts in the last of a match's states; None where the bounds were too small."""
        if self._first is not states[0] or len(states) < self._known:
            self._first, self._possible, self._known = states[0], [states[0]], 1
        for at in range(self._known, len(states)):
            if self._possible is not None:
                self._possible = self._after(self._possible, states[at])
        self._known = len(states)
        if not self._possible:
            return None
        return frozenset.intersection(*(state.facts() for state in self._possible))

    def _after(self, possible: list[State], now: State) -> list[State] | None:
        """The possible states one step later, by the role's own move and percepts in ``now`` alone."""
        roles = now.game.roles
        seat = roles.index(self.role)
        assert now.joint is not None
        own, told = now.joint[seat], frozenset(now.percepts(self.role))
        choices = [
            [[own] if role is self.role else state.legal(role) for role in roles]
            for state in possible
            if own in state.legal(self.role)
        ]
        if sum(prod(map(len, moves)) for moves in choices) > MOST_TRIALS:
            return None
        fitting = [state for state in possible if own in state.legal(self.role)]
        found: dict[frozenset[Term], State] = {}
        for state, moves in zip(fitting, choices, strict=True):
            for joint in product(*moves):
                after = state.play(joint)
                if not after.is_terminal and frozenset(after.percepts(self.role)) == told:
                    found.setdefault(after.facts(), after)
        return list(found.values()) if len(found) <= MOST_STATES else None
