"""A WDL sheet as plain GDL rules for checks: each legal move in all the forms that ``does`` may give it.

A move is answered with its random names and its ``visible``; rules meet it with an event in place of each
name, whole or as one of the players is told of it. Every form becomes a rule of ``legal``.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..ruleset import Atom, Formula, Rule, Ruleset
from ..terms import Pattern, Term, Variable
from .draws import names_in
from .rewriting import with_terms
from .statements import VISIBLE

CLOCK_RULE = Rule(Term("clock", (Variable("n"),)), (Atom(Term("true", (Variable("n"),))),))
"""Says nothing but that there is a relation ``clock``, whose rows are none of the sheet's."""


def plain_form(master: Ruleset, names: frozenset[Term], realtime: bool) -> Ruleset:
    """The rules of a sheet with these random names, in which chance and hidden parts are written out."""
    rules = [one for rule in master.rules for one in _forms(rule, names)]
    if realtime:
        rules.append(CLOCK_RULE)
    return Ruleset(tuple(rules), master.source)


def resolved_rule(rule: Rule, names: frozenset[Term], mark: str = "") -> Rule:
    """A legal rule in which a variable stands for the event of each name."""
    found = names_in(rule.head.args[1], names) if len(rule.head.args) == 2 else []
    events: dict[Pattern, Pattern] = {name: Variable(f"{name.name} event{mark}") for name in found}
    conditions: list[Formula] = [
        Atom(Term("random", (name, Variable(f"{name.name} weight{mark}"), events[name]))) for name in found
    ]
    if not events:
        return rule
    head = Term("legal", (rule.head.args[0], with_terms(rule.head.args[1], events)))
    return Rule(head, (*rule.body, *conditions), rule.node)


def move_forms(move: Pattern) -> list[Pattern]:
    """A move with all of its private parts, and with each choice of them that some player may be told."""
    return list(dict.fromkeys(parts[0] for parts in _forms_of(move) if parts))


def _forms(rule: Rule, names: frozenset[Term]) -> Iterator[Rule]:
    if rule.head.signature != ("legal", 2):
        yield rule
        return
    rule = resolved_rule(rule, names)
    for move in move_forms(rule.head.args[1]):
        yield Rule(Term("legal", (rule.head.args[0], move)), rule.body, rule.node)


def _forms_of(pattern: Pattern) -> list[tuple[Pattern, ...]]:
    """What may be left of a pattern: nothing, or one pattern."""
    if not isinstance(pattern, Term) or not pattern.args:
        return [(pattern,)]
    if pattern.signature == (VISIBLE, 2):
        return [*_forms_of(pattern.args[1]), ()]
    return [
        (Term(pattern.name, tuple(part for parts in choice for part in parts)),)
        for choice in product(*map(_forms_of, pattern.args))
    ]
