"""Mutual exclusion: families of fluents of which at most one, or exactly one, holds in every state."""

from __future__ import annotations

import numpy as np

from .families import Family, find_families
from .plays import Plays
from .proof import Proof, seen_in
from .property import EXHAUSTIVE, INDUCTION, PLAY, Property
from .reachable import Reachable
from .verdict import Verdict, VerdictStatus


class Exclusion(Property):
    name = "exclusion"
    claim = "of each family listed at most one fluent holds in any state, or exactly one"

    def by_reachable(self, reach: Reachable) -> Verdict | None:
        return self._listed(find_families(reach.game.circuit.fluents, reach.facts), EXHAUSTIVE)

    def by_induction(self, proof: Proof) -> Verdict | None:
        return self._listed(proof.families, INDUCTION)

    def observed(self, plays: Plays) -> Verdict | None:
        facts = sorted({fact for state in plays.states for fact in state.facts()}, key=str)
        families = find_families(facts, np.asarray(seen_in(plays, facts).states))
        return self._listed(families, PLAY)

    def _listed(self, families: list[Family], method: str) -> Verdict:
        families = [family for family in families if len(family.members) > 1]
        counts: dict[tuple[str, bool], int] = {}
        for family in families:
            key = family.schema, family.exactly
            counts[key] = counts.get(key, 0) + 1
        value = [
            {"family": schema, "holds": "exactly one" if exactly else "at most one", "count": count}
            for (schema, exactly), count in counts.items()
        ]
        if not families:
            return self.verdict(VerdictStatus.UNKNOWN, method, "no family was found", value=value)
        status = VerdictStatus.OBSERVED if method == PLAY else VerdictStatus.PROVED
        return self.verdict(status, method, f"{len(families)} families", value=value)
