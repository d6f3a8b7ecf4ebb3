"""The rule of a sheet to blame where a question has too many answers to list."""

from __future__ import annotations

from .dependencies import Dependencies
from .normalise.estimate_domains import positive_atoms
from .normalise.estimate_sizes import Sizes
from .normalise.expand_connectives import expand_connectives
from .quoting import quoted
from .ruleset import Ruleset
from .terms import Signature

MANY = 1e5
"""Instances from which a rule may be to blame."""


def told_cost(rules: Ruleset, asked: Signature) -> str:
    """The rule with most instances of those that a question needs, with its place; nothing if few."""
    plain = expand_connectives(rules)
    sizes = Sizes(plain)
    counted = [
        (sizes.join(list(positive_atoms(rule))), rule)
        for rule in Dependencies(plain).slice([asked])
        if rule.body
    ]
    if not counted:
        return ""
    count, rule = max(counted, key=lambda one: one[0])
    if count < MANY:
        return ""
    line, column = rules.source.position(rule.node.span.start)
    place = f"{rules.source.name}:{line}:{column}: " if rules.source.text else ""
    return f"{place}{quoted(rule)} has some {count:.0e} instances"
