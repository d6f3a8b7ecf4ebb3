"""Substitution in rules, shared by several passes."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from ..ruleset import Atom, Distinct, Not, Rule, formula_variables
from ..terms import Pattern, Substitution, Term, Variable, substitute, variables_of
from .expand_connectives import Literal

Change = Callable[[Pattern], Pattern]
Kind = TypeVar("Kind", bound=Literal)


def change_literal(literal: Kind, change: Change) -> Kind:
    """The literal with its terms changed."""
    made: Literal
    match literal:
        case Atom(term):
            made = Atom(change_term(term, change), literal.node)
        case Distinct(left, right):
            made = Distinct(change(left), change(right), literal.node)
        case Not(Atom() | Distinct() as body):
            made = Not(change_literal(body, change), literal.node)
        case _:
            raise TypeError(f"not a plain literal: {literal}")
    return made  # type: ignore[return-value]


def change_rule(rule: Rule, change: Change) -> Rule:
    """The rule with its terms changed; its body must be a list of literals."""
    body = tuple(change_literal(literal, change) for literal in rule.body)  # type: ignore[type-var]
    return Rule(change_term(rule.head, change), body, rule.node)


def change_term(term: Term, change: Change) -> Term:
    changed = change(term)
    assert isinstance(changed, Term)
    return changed


def rule_variables(rule: Rule) -> list[Variable]:
    """The variables of a rule, head first, each once."""
    body = (variable for literal in rule.body for variable in formula_variables(literal))
    return list(dict.fromkeys([*variables_of(rule.head), *body]))


def rename_apart(rule: Rule, taken: Collection[Variable]) -> Rule:
    """The rule with new names for variables, so that it shares none with the taken ones."""
    names = {variable.name for variable in taken}
    values: Substitution = {}
    for variable in rule_variables(rule):
        name = variable.name
        while name in names:
            name += "_"
        names.add(name)
        values[variable] = Variable(name)
    return change_rule(rule, lambda pattern: substitute(pattern, values))
