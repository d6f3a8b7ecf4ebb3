"""What a role knows, from the last steps alone: sound, and as quick late in a match as at its start.

Histories begin some steps back, in any state that has the facts known then and any that were possible. What
was known of facts together is lost there, so that this is not complete (filtering-gdl2, 9.5).
"""

from __future__ import annotations

from collections.abc import Iterable

from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .history_knower import MOST_CONFLICTS, Box, HistoryKnower
from .knower import KnowerAround

WINDOW = 4


class WindowKnower(KnowerAround):
    """The courses of the last steps that agree with a role's moves and percepts."""

    def __init__(
        self,
        rules: Ruleset,
        role: Term,
        window: int = WINDOW,
        *,
        heeds_messages: bool = True,
        conflicts: int | None = MOST_CONFLICTS,
    ) -> None:
        """``window``: steps that are looked back at least, and less than twice as many."""
        if window < 1:
            raise ValueError(f"a window of {window} steps: it needs one at least")
        self.role = role
        self.step = 0
        self.window = window
        self._rules = rules
        self._heeds_messages = heeds_messages
        self._conflicts = conflicts
        self._now = self._begin(None)
        self._told: list[tuple[Term, frozenset[Term], Box]] = []
        """The last steps, each with what was known before it."""

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        heard = frozenset(percepts)
        before = Box(self.known_facts(), self.possible_facts())
        self._now.update(move, heard)
        self._told.append((move, heard, before))
        self.step += 1
        if len(self._told) >= 2 * self.window:
            self._told = self._told[-self.window :]
            self._now = self._begin(self._told[0][2])
            for moved, seen, _ in self._told:
                self._now.update(moved, seen)

    def _begin(self, box: Box | None) -> HistoryKnower:
        return HistoryKnower(
            self._rules,
            self.role,
            roots=box,
            heeds_messages=self._heeds_messages,
            conflicts=self._conflicts,
        )
