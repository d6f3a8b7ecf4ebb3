"""Safety: each variable of a head, a negated literal or a ``distinct`` stands in a positive body literal.

Checked for each alternative of ``or``. The declarative meaning of an unsafe rule ranges over infinitely many
terms; a Prolog prover would answer something, but not the same thing in every order of the literals.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..binding import bound_by, unbound, unbound_uses
from ..quoting import quoted
from ..ruleset import Atom, Rule, formula_variables, signed_atoms, variable_span
from ..source import Diagnostic, Severity
from ..syntax import NodeKind
from ..terms import Variable, variables_of
from .analysis import Analysis, flattened

ROLE_FIRST = frozenset({"legal", "goal", "sees"})


def check_safety(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        if rule.head.is_ground and not rule.body:
            continue
        bound = bound_by(rule.body)
        yield from _check_head(analysis, rule, bound)
        yield from _check_body(analysis, rule, bound)


def _check_head(analysis: Analysis, rule: Rule, bound: frozenset[Variable]) -> Iterator[Diagnostic]:
    code = "unsafe-head" if rule.body else "variable-in-fact"
    free = unbound((rule.head,), bound)
    if not free:
        return
    somewhere = _bound_somewhere(rule)
    spans = {
        node.name: node.span for node in reversed(flattened(rule.head_node)) if node.kind is NodeKind.VARIABLE
    }
    for variable in free:
        name = quoted(str(variable))
        if not rule.body:
            message = f"the variable {name} in a fact: a fact must say for what it holds"
        elif variable in somewhere:
            message = f"{name} of the head is bound in some alternatives of the body, but not in all"
        else:
            message = f"{name} of the head occurs in no positive condition of the body"
        hint = f"add a condition that binds {name}"
        if rule.head.name in ROLE_FIRST and rule.head.args and rule.head.args[0] is variable:
            hint = f"add (role {name}) if this is meant for every role"
        span = spans.get(variable.name, rule.head_node.span)
        yield analysis.fault(code, Severity.ERROR, span, message, hint)


def _check_body(analysis: Analysis, rule: Rule, bound: frozenset[Variable]) -> Iterator[Diagnostic]:
    elsewhere: frozenset[Variable] | None = None
    for literal, variable in unbound_uses(rule.body, bound):
        elsewhere = _named_outside_negations(rule) if elsewhere is None else elsewhere
        name = quoted(str(variable))
        span = variable_span(literal.node, variable)
        if not isinstance(literal, Atom):
            yield analysis.fault(
                "unsafe-distinct", Severity.ERROR, span,
                f"{name} is compared, but no positive condition binds it",
                f"add a condition that binds {name}",
            )  # fmt: skip
        elif variable in elsewhere:
            yield analysis.fault(
                "unsafe-negation", Severity.ERROR, span,
                f"{name} stands in a negated condition, but no positive condition binds it",
                f"add a condition that binds {name}",
            )  # fmt: skip
        else:
            yield analysis.fault(
                "negation-only-variable", Severity.ERROR, span,
                f'{name} occurs only under a negation: Prolog reads "there is none", but the rule is unsafe',
                f"define a relation for {quoted(literal.term)} without {name}, and negate that",
            )  # fmt: skip


def _bound_somewhere(rule: Rule) -> set[Variable]:
    """The variables of positive atoms, in whatever alternative."""
    return {
        variable
        for atom, positive in signed_atoms(rule.body)
        if positive
        for variable in variables_of(atom.term)
    }


def _named_outside_negations(rule: Rule) -> frozenset[Variable]:
    """The variables of the head, of positive atoms and of comparisons."""
    found = _bound_somewhere(rule).union(variables_of(rule.head))
    for part in rule.body:
        if not isinstance(part, Atom) and part.node.head == "distinct":
            found.update(formula_variables(part))
    return frozenset(found)
