"""Numbers of roles, arguments and conditions that no game needs and engines do not support."""

from __future__ import annotations

from collections.abc import Iterator

from ..source import Diagnostic, Severity
from ..terms import Term
from .analysis import Analysis

MOST_ROLES = 1000
MOST_ARGUMENTS = 1000
"""The most arguments of a relation or function: the limit of the lifted engine."""
MOST_CONDITIONS = 4000
"""The most conditions of a rule: each is a join, and ordering them takes quadratic time."""


def check_sizes(analysis: Analysis) -> Iterator[Diagnostic]:
    roles = analysis.ruleset.by_signature.get(("role", 1), ())
    if len(roles) > MOST_ROLES:
        yield analysis.fault(
            "too-many-roles", Severity.ERROR, roles[MOST_ROLES].head_node,
            f"{len(roles)} roles: {MOST_ROLES} can play at most", "give the game fewer roles",
        )  # fmt: skip
    atoms = [(rule.head, rule.head_node) for rule in analysis.ruleset.rules]
    atoms += [(edge.atom.term, edge.atom.node) for edge in analysis.edges]
    for term, node in [*atoms, *analysis.inner_terms]:
        if isinstance(term, Term) and len(term.args) > MOST_ARGUMENTS:
            yield analysis.fault(
                "too-many-arguments", Severity.ERROR, node,
                f"{len(term.args)} arguments: a relation or function has {MOST_ARGUMENTS} at most",
                "put them into several facts, one for each",
            )  # fmt: skip
    for rule in analysis.ruleset.rules:
        if len(rule.body) > MOST_CONDITIONS:
            yield analysis.fault(
                "too-many-conditions", Severity.ERROR, rule.head_node,
                f"{len(rule.body)} conditions: a rule has {MOST_CONDITIONS} at most",
                "give some of them a relation of their own",
            )  # fmt: skip
