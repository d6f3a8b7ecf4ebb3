"""Persistence: fluents that never become false once true, or never true once false."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ...rules.terms import Term
from .plays import Plays
from .proof import Proof, seen_in
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .verdict import Verdict, VerdictStatus

Latch = tuple[int, bool]
CHUNK = 1 << 16
"""Edges processed in one batch."""


class Persistence(Property):
    name = "persistence"
    claim = "each fluent listed stays as it is for the rest of the play once it is true (or false)"

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        changes = np.zeros(len(reach.game.circuit.fluents), np.int8)
        for begin in range(0, len(reach.children), CHUNK):
            part = slice(begin, begin + CHUNK)
            before, after = reach.facts[reach.parents[part]], reach.facts[reach.children[part]]
            changes |= (after & ~before).any(axis=0).astype(np.int8)
            changes |= 2 * (before & ~after).any(axis=0).astype(np.int8)
        return self._listed(reach.game.circuit.fluents, _from_changes(changes), EXHAUSTIVE)

    def by_induction(self, proof: Proof) -> Verdict | None:
        return self._listed(proof.transitions.fluents, proof.latches, INDUCTION)

    def observed(self, plays: Plays) -> Verdict | None:
        facts = sorted({fact for state in plays.states for fact in state.facts()}, key=str)
        return self._listed(facts, _from_changes(seen_in(plays, facts).steps), PLAY)

    def _listed(self, fluents: Sequence[Term], latches: Iterable[Latch], method: str) -> Verdict:
        latches = list(latches)
        once_true = [str(fluents[at]) for at, lasting in latches if lasting]
        once_false = [str(fluents[at]) for at, lasting in latches if not lasting]
        value = {"once_true": once_true, "once_false": once_false}
        if not latches:
            return self.verdict(VerdictStatus.UNKNOWN, method, "no fluent persists", value=value)
        status = VerdictStatus.OBSERVED if method == PLAY else VerdictStatus.PROVED
        reason = f"{len(once_true)} fluents stay true, {len(once_false)} stay false"
        return self.verdict(status, method, reason, value=value)


def _from_changes(changes: np.ndarray[tuple[int], np.dtype[np.int8]]) -> list[Latch]:
    """Fluents seen to change in one direction at most; 1: to true, 2: to false."""
    latches = [(at, True) for at in np.flatnonzero((changes & 2) == 0).tolist()]
    return latches + [(at, False) for at in np.flatnonzero((changes & 1) == 0).tolist()]
