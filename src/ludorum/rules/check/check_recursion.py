"""GDL's recursion restriction, which keeps the set of true atoms finite.

Let a body literal stand in a circle with the head. Each of its arguments must be ground, or be an argument
of the head, or have its variables bound by a positive literal outside the circle (Love et al., GDL
specification, definition of the recursion restriction).
"""

from __future__ import annotations

from collections.abc import Iterator

from ..dependencies import Edge
from ..quoting import quoted, written
from ..ruleset import Rule, signed_atoms
from ..source import Diagnostic, Severity
from ..terms import Pattern, Variable, variables_of
from .analysis import Analysis, argument_node


def check_recursion(analysis: Analysis) -> Iterator[Diagnostic]:
    groups = analysis.dependencies.component_of
    outside: tuple[Rule, set[Variable]] | None = None
    for edge in analysis.edges:
        if groups.get(edge.body) is not groups[edge.head] or not _recursive(analysis, edge):
            continue
        if outside is None or outside[0] is not edge.rule:
            outside = (edge.rule, _bound_outside(analysis, edge.rule))
        yield from _check_literal(analysis, edge, outside[1])


def _recursive(analysis: Analysis, edge: Edge) -> bool:
    return edge.head == edge.body or len(analysis.dependencies.component_of[edge.head]) > 1


def _check_literal(analysis: Analysis, edge: Edge, bound: set[Variable]) -> Iterator[Diagnostic]:
    head = edge.rule.head.args
    for index, arg in enumerate(edge.atom.term.args):
        if arg.is_ground or arg in head or all(variable in bound for variable in variables_of(arg)):
            continue
        place = argument_node(edge.atom.node, index)
        if _grows(arg, head):
            yield analysis.fault(
                "growing-term", Severity.ERROR, place,
                f"terms grow without end: {written(edge.head)} builds a larger term from {quoted(arg)} "
                f"each time round through {written(edge.body)}",
                "bind the argument by a condition outside the circle, or count with finitely many constants",
            )  # fmt: skip
        else:
            yield analysis.fault(
                "recursion-restriction", Severity.ERROR, place,
                f"{quoted(arg)} in the recursive condition is no argument of the head and not bound outside",
                f"add a condition that binds it and does not depend on {written(edge.head)}",
            )  # fmt: skip


def _grows(arg: Pattern, head: tuple[Pattern, ...]) -> bool:
    """Whether the head wraps a variable of the argument in a function, which the argument does not."""
    names = set(variables_of(arg))
    return any(
        not isinstance(term, Variable) and not term.is_ground and names & set(variables_of(term))
        for term in head
    )


def _bound_outside(analysis: Analysis, rule: Rule) -> set[Variable]:
    groups = analysis.dependencies.component_of
    group = groups[rule.signature]
    return {
        variable
        for atom, positive in signed_atoms(rule.body)
        if positive and groups.get(atom.term.signature) is not group
        for variable in variables_of(atom.term)
    }
