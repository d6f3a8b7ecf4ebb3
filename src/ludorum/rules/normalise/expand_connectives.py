"""Rewrite bodies with nested ``and``, ``or``, ``not`` into alternative lists of plain literals.

``(<= h (or a b) (not (and c d)))`` becomes four rules. Negation is pushed inwards by De Morgan's laws, so a
literal is an atom, a comparison, or the negation of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import TypeAlias

from ..ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset
from ..source import Diagnostic, RulesError, Severity, Source

MAX_ALTERNATIVES = 4096
"""Alternatives one rule may expand to; the widest public sheet needs far fewer."""

Literal: TypeAlias = Atom | Distinct | Not
"""After expansion: an atom, a comparison, or ``Not`` of one of them."""


def expand_connectives(ruleset: Ruleset) -> Ruleset:
    """The same rules without ``and``, ``or`` and nested ``not``."""
    return ruleset.with_rules(
        Rule(rule.head, body, rule.node)
        for rule in ruleset.rules
        for body in literal_bodies(rule, ruleset.source)
    )


def literal_bodies(rule: Rule, source: Source | None = None) -> list[tuple[Literal, ...]]:
    """The alternative bodies of a rule, in the order of its disjuncts."""
    if count_alternatives(rule) > MAX_ALTERNATIVES:
        fault = Diagnostic("too-many-alternatives", Severity.ERROR, rule.node.span,
                           f"this rule has more than {MAX_ALTERNATIVES} alternatives",
                           "give a group of alternatives a name of its own",
                           source or Source("<made>", ""))  # fmt: skip
        raise RulesError([fault])
    return list(_product([_alternatives(formula) for formula in rule.body]))


def count_alternatives(rule: Rule) -> int:
    """How many alternatives a rule has, counted up to one more than are allowed."""
    return _count(rule.body)


def _count(formulas: Sequence[Formula], positive: bool = True) -> int:
    total = 1
    for formula in formulas:
        total = min(total * _count_one(formula, positive), MAX_ALTERNATIVES + 1)
    return total


def _count_one(formula: Formula, positive: bool) -> int:
    if isinstance(formula, Not):
        return _count_one(formula.body, not positive)
    if isinstance(formula, (And, Or)):
        if isinstance(formula, And) == positive:
            return _count(formula.parts, positive)
        return min(sum(_count_one(part, positive) for part in formula.parts), MAX_ALTERNATIVES + 1)
    return 1


def _alternatives(formula: Formula, positive: bool = True) -> list[tuple[Literal, ...]]:
    if isinstance(formula, Not):
        return _alternatives(formula.body, not positive)
    if isinstance(formula, (And, Or)):
        parts = [_alternatives(part, positive) for part in formula.parts]
        joined = isinstance(formula, And) == positive
        return list(_product(parts)) if joined else list(chain.from_iterable(parts))
    return [(formula,)] if positive else [(Not(formula, formula.node),)]


def _product(choices: Sequence[list[tuple[Literal, ...]]]) -> Iterator[tuple[Literal, ...]]:
    for choice in product(*choices):
        yield tuple(chain.from_iterable(choice))
