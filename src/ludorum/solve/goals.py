"""The goal values that rules can give a role."""

from __future__ import annotations

from ..rules.argument_domains import argument_domains
from ..rules.ruleset import Ruleset
from ..rules.terms import Term, as_integer

SAMPLE = (100, 75, 50, 25, 0)
"""The values asked about where the rules compute many goal values."""
FEW = 8
"""The number of computed values up to which each is asked about."""


def goal_values(rules: Ruleset, role: Term) -> tuple[int, ...]:
    """The values that the rules can give a role, highest first; a sample where they compute many."""
    return every_goal_value(rules, role) or SAMPLE


def every_goal_value(rules: Ruleset, role: Term) -> tuple[int, ...] | None:
    """All values, perhaps with some that never occur; None where many are computed."""
    found: set[int] = set()
    for rule in rules.by_signature.get(("goal", 2), ()):
        owner, value = rule.head.args
        if isinstance(owner, Term) and owner.is_ground and owner is not role:
            continue
        if not isinstance(value, Term):
            return _computed(rules)
        number = as_integer(value)
        if number is not None and 0 <= number <= 100:
            found.add(number)
    return tuple(sorted(found, reverse=True)) or (0,)


def _computed(rules: Ruleset) -> tuple[int, ...] | None:
    """The values by the domain of the argument, for all roles together."""
    names = argument_domains(rules).get(("goal", 2), (frozenset(), frozenset()))[1]
    numbers = {as_integer(Term(name)) for name in names}
    values = {number for number in numbers if number is not None and 0 <= number <= 100}
    return tuple(sorted(values, reverse=True)) if 0 < len(values) <= FEW else None
