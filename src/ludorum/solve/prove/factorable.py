"""Factorable: the game falls into parts that share nothing but a clock and the end."""

from __future__ import annotations

from .proof import Proof
from .property import INDUCTION, Property
from .verdict import Verdict, VerdictStatus


class Factorable(Property):
    """Proved where independent parts are found; never refuted, since the search for parts is incomplete."""

    name = "factorable"
    claim = "the game falls into two or more parts that share nothing but a clock and the end"

    def by_induction(self, proof: Proof) -> Verdict | None:
        from .subgames import split

        clock, parts = split(proof)
        value = [
            {
                "fluents": sorted({fluent.name for fluent in fluents}),
                "moves": sorted({f"{role} {move.name}" for role, move in moves}),
            }
            for fluents, moves in parts
        ]
        if len(parts) < 2:
            return self.verdict(VerdictStatus.UNKNOWN, INDUCTION, "it was not split", value=value)
        names = sorted({fluent.name for fluent in clock})
        shared = f", apart from the clock {' '.join(names)}" if names else ""
        return self.verdict(VerdictStatus.PROVED, INDUCTION, f"{len(parts)} parts{shared}", value=value)
