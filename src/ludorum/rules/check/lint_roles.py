"""Constants in the place of a role that are no role."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..source import Diagnostic, Severity
from ..syntax import Node
from ..terms import Term
from .analysis import Analysis, argument_node

ROLE_FIRST = frozenset({"legal", "goal", "sees", "does", "input"})


def lint_roles(analysis: Analysis) -> Iterator[Diagnostic]:
    roles = set(analysis.ruleset.roles)
    if not roles or any(rule.body for rule in analysis.ruleset.by_signature.get(("role", 1), ())):
        return  # without role facts there is nothing to compare with
    for rule in analysis.ruleset.rules:
        yield from _check(analysis, rule.head, rule.head_node, roles)
    for edge in analysis.edges:
        yield from _check(analysis, edge.atom.term, edge.atom.node, roles)


def _check(analysis: Analysis, term: Term, node: Node, roles: set[Term]) -> Iterator[Diagnostic]:
    if term.name not in ROLE_FIRST or term.arity != 2:
        return
    role = term.args[0]
    if isinstance(role, Term) and role.is_ground and role not in roles:
        known = ", ".join(sorted(map(quoted, list(roles)[:8])))
        yield analysis.fault(
            "not-a-role", Severity.WARNING, argument_node(node, 0),
            f"`{term.name}` of {quoted(role)}, which is no role", f"the roles are {quoted(known)}",
        )  # fmt: skip
