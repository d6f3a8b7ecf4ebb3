"""A name that a sheet does not use: names added to rules must not clash with the sheet's own."""

from __future__ import annotations

from collections.abc import Iterator

from .ruleset import Atom, Distinct, Rule, Ruleset, subformulas
from .terms import Pattern, Term


def unused_name(rules: Ruleset, stem: str) -> str:
    """The stem, with as many underscores appended as make it unused."""
    taken = names_of_rules(rules)
    while stem in taken:
        stem += "_"
    return stem


def names_of_rules(rules: Ruleset) -> set[str]:
    """All names of relations, functions and constants."""
    return {name for rule in rules.rules for name in _names(rule)}


def _names(rule: Rule) -> Iterator[str]:
    yield from _names_of(rule.head)
    for formula in subformulas(rule.body):
        match formula:
            case Atom(term):
                yield from _names_of(term)
            case Distinct(left, right):
                yield from _names_of(left)
                yield from _names_of(right)


def _names_of(pattern: Pattern) -> Iterator[str]:
    if isinstance(pattern, Term):
        yield pattern.name
        for arg in pattern.args:
            yield from _names_of(arg)
