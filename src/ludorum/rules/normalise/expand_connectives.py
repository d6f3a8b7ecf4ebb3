"""Rewrite bodies with nested ``and``, ``or``, ``not`` into alternative lists of plain literals.

``(<= h (or a b) (not (and c d)))`` becomes four rules. Negation is pushed inwards by De Morgan's laws, so a
literal is an atom, a comparison, or the negation of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TypeAlias, Union

from ..ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset
from ..source import Diagnostic, RulesError, Severity, Source

MAX_ALTERNATIVES = 4096
"""Alternatives one rule may expand to; the widest public sheet needs far fewer."""

Literal: TypeAlias = Union[Atom, Distinct, Not]
"""After expansion: an atom, a comparison, or ``Not`` of one of them."""


def expand_connectives(ruleset: Ruleset) -> Ruleset:
    """The same rules without ``and``, ``or`` and nested ``not``."""
    return ruleset.with_rules(
        Rule(rule.head, body, rule.node) for rule in ruleset.rules for body in literal_bodies(rule, ruleset.source)
    )


def literal_bodies(rule: Rule, source: Source | None = None) -> list[tuple[Literal, ...]]:
    """The alternative bodies of a rule, in the order of its disjuncts."""
    count = _count(rule.body)
    if count > MAX_ALTERNATIVES:
        fault = Diagnostic("too-many-alternatives", Severity.ERROR, rule.node.span,
                           f"this rule has {count} alternatives, more than {MAX_ALTERNATIVES}",
                           "give a group of alternatives a name of its own",
                           source or Source("<made>", ""))  # fmt: skip
        raise RulesError([fault])
    return list(_product([_alternatives(formula) for formula in rule.body]))


def _count(formulas: Sequence[Formula], positive: bool = True) -> int:
    """How many alternatives a conjunction has, without writing them down."""
    total = 1
    for formula in formulas:
        total *= _count_one(formula, positive)
    return total


def _count_one(formula: Formula, positive: bool) -> int:
    if isinstance(formula, Not):
        return _count_one(formula.body, not positive)
    if isinstance(formula, (And, Or)):
        if isinstance(formula, And) == positive:
            return _count(formula.parts, positive)
        return sum(_count_one(part, positive) for part in formula.parts)
    return 1


def _alternatives(formula: Formula, positive: bool = True) -> list[tuple[Literal, ...]]:
    if isinstance(formula, Not):
        return _alternatives(formula.body, not positive)
    if isinstance(formula, (And, Or)):
        parts = [_alternatives(part, positive) for part in formula.parts]
        return list(_product(parts)) if isinstance(formula, And) == positive else list(chain.from_iterable(parts))
    return [(formula,)] if positive else [(Not(formula, formula.node),)]


def _product(choices: Sequence[list[tuple[Literal, ...]]]) -> Iterator[tuple[Literal, ...]]:
    if not choices:
        yield ()
        return
    rest = list(_product(choices[1:]))
    for first in choices[0]:
        for other in rest:
            yield first + other
