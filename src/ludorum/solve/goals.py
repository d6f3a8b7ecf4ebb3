"""The goal values that rules name for a role."""

from __future__ import annotations

from ..rules.ruleset import Ruleset
from ..rules.terms import Term, as_integer

ANY = (100, 75, 50, 25, 0)
"""What is asked about where rules compute goal values instead of naming them."""


def goal_values(rules: Ruleset, role: Term) -> tuple[int, ...]:
    """The values that the rules can give a role, highest first; a sample where they are computed."""
    found: set[int] = set()
    for rule in rules.by_signature.get(("goal", 2), ()):
        owner, value = rule.head.args
        if isinstance(owner, Term) and owner.is_ground and owner is not role:
            continue
        number = as_integer(value) if isinstance(value, Term) else None
        if number is None:
            return ANY
        if 0 <= number <= 100:
            found.add(number)
    return tuple(sorted(found, reverse=True)) or (0,)
