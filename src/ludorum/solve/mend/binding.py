"""Variables that no condition binds: add a condition, or take another variable of the rule for it."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from ...rules.binding import free_variables
from ...rules.keywords import HINTS, KEYWORDS
from ...rules.repair.argument_classes import ArgumentClasses
from ...rules.ruleset import Rule, Ruleset, formula_variables
from ...rules.source import Source, Span
from ...rules.syntax import Kind
from ...rules.terms import Signature, Term, Variable, variables_of
from .proposal import Edit, Fault, Proposal, Survey

LIKE = 0.5
"""How much of their letters two names share if one is a slip for the other."""


def survey_binding(source: Source, rules: Ruleset, survey: Survey) -> None:
    """A fault for each such variable of each rule."""
    classes = ArgumentClasses(rules)
    domains = _listed(rules)
    for rule in rules.rules:
        if rule.head.name in HINTS:
            continue
        for variable in free_variables(rule):
            line, _ = source.position(rule.node.span.start)
            where = f"{rule.node.span.start} {variable}"
            fault = Fault("binding", where, f"line {line}: nothing binds {variable}")
            found = [*_conditions(source, rule, variable, classes, domains), *_slips(rule, variable)]
            survey.add(
                fault,
                (
                    Proposal(f"line {line}: {reason}", edits, frozenset({fault}), cost)
                    for reason, edits, cost in found
                ),
            )


Change = tuple[str, tuple[Edit, ...], int]


def _conditions(
    source: Source,
    rule: Rule,
    variable: Variable,
    classes: ArgumentClasses,
    domains: dict[Signature, set[Term]],
) -> Iterator[Change]:
    """A relation of one argument whose facts cover the values of the variable's place."""
    place = classes.class_of(rule, variable)
    if place is None:
        return
    is_role = classes.is_role(place)
    values = set(classes.terms(place))
    for (name, _), rows in domains.items():
        fits = (name == "role") == is_role and bool(rows) and values <= rows
        if fits or (name == "role" and is_role):
            condition = f"({name} {variable})"
            edit = _insert(rule, condition, source)
            yield f"nothing binds {variable}; {condition} does", (edit,), 1 + (name != "role")


def _slips(rule: Rule, variable: Variable) -> Iterator[Change]:
    """Another variable of the rule that is written nearly the same."""
    others = {*variables_of(rule.head), *(each for part in rule.body for each in formula_variables(part))}
    for other in sorted(others - {variable}, key=lambda each: each.name):
        if SequenceMatcher(None, variable.name, other.name).ratio() < LIKE:
            continue
        edits = tuple(
            Edit(node.span, str(other))
            for node in rule.node.walk()
            if node.kind is Kind.VARIABLE and node.name == variable.name
        )
        if edits:
            yield f"{variable} looks like a slip for {other}", edits, 2


def _insert(rule: Rule, condition: str, source: Source) -> Edit:
    """The condition behind the head, or a body where the rule was a fact."""
    head = rule.head_node.span
    if rule.node.span == head:
        return Edit(head, f"(<= {source.text[head.start : head.end]}\n    {condition})")
    return Edit(Span(head.end, head.end), f"\n    {condition}")


def _listed(rules: Ruleset) -> dict[Signature, set[Term]]:
    """Relations of one argument that facts list, with what they list."""
    found: dict[Signature, set[Term]] = {}
    for signature, own in rules.by_signature.items():
        name, arity = signature
        if arity != 1 or (name in KEYWORDS and name != "role") or any(rule.body for rule in own):
            continue
        found[signature] = {rule.head.args[0] for rule in own if isinstance(rule.head.args[0], Term)}
    return found
