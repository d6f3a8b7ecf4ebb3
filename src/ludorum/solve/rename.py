"""Rules with renamed relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..rules.ruleset import And, Atom, Distinct, Formula, Not, Or, Rule
from ..rules.terms import Term


def rename_relations(rule: Rule, names: Mapping[str, str]) -> Rule:
    """A rule in which relations have the new names, in its head and its body; terms stay as they are."""
    return replace(
        rule, head=_term(rule.head, names), body=tuple(_formula(each, names) for each in rule.body)
    )


def _formula(formula: Formula, names: Mapping[str, str]) -> Formula:
    match formula:
        case Atom(term):
            return replace(formula, term=_term(term, names))
        case Not(body):
            return replace(formula, body=_formula(body, names))
        case And(parts) | Or(parts):
            return replace(formula, parts=tuple(_formula(part, names) for part in parts))
        case Distinct():
            return formula


def _term(term: Term, names: Mapping[str, str]) -> Term:
    return Term(names.get(term.name, term.name), term.args)
