"""Symmetric roles: some renaming that exchanges two roles leaves the rules as they are."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from ..symmetry import find_symmetry
from .property import RULES, Property
from .verdict import Verdict, VerdictStatus

if TYPE_CHECKING:
    from .subject import Subject


class SymmetricRoles(Property):
    """Any two players can be exchanged, perhaps apart from the initial state."""

    name = "symmetric-roles"
    claim = "a renaming that exchanges two players leaves the rules as they are, for any two of them"

    def by_rules(self, subject: Subject) -> Verdict | None:
        players = subject.game.info.players
        if len(players) < 2:
            return self.verdict(
                VerdictStatus.UNKNOWN, RULES, "there is only one player: the question does not arise"
            )
        found = []
        for one, other in combinations(players, 2):
            symmetry = find_symmetry(subject.rules, one, other, is_up=subject.watch.is_up)
            if symmetry is None:
                return self.verdict(
                    VerdictStatus.UNKNOWN, RULES, f"no renaming that exchanges {one} and {other} was found"
                )
            found.append(symmetry)
        apart = any(symmetry.apart_from_init for symmetry in found)
        value = [
            {
                "roles": [str(role) for role in symmetry.roles],
                "renaming": dict(symmetry.renaming),
                "apart_from_init": symmetry.apart_from_init,
            }
            for symmetry in found
        ]
        reason = "the rules are the same after a renaming" + (", but for the initial state" if apart else "")
        return self.verdict(VerdictStatus.PROVED, RULES, reason, value=value)
