"""One name with two arities: allowed, but other systems take it for one relation, and it is often a slip."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import KEYWORDS
from ..quoting import quoted
from ..source import Diagnostic, Severity
from ..syntax import Node
from ..terms import Signature, Term
from .analysis import Analysis


def lint_arities(analysis: Analysis) -> Iterator[Diagnostic]:
    sentences = [(rule.head, rule.head_node) for rule in analysis.ruleset.rules]
    sentences += [(edge.atom.term, edge.atom.node) for edge in analysis.edges]
    relations = [(term, node) for term, node in sentences if term.name not in KEYWORDS]
    # A constant and a function of one name are never taken for each other.
    functions = [(term, node) for term, node in analysis.inner_terms if term.args]
    yield from _compare(analysis, "relation", relations)
    yield from _compare(analysis, "function", functions)


def _compare(analysis: Analysis, kind: str, terms: list[tuple[Term, Node]]) -> Iterator[Diagnostic]:
    first: dict[str, tuple[Term, Node]] = {}
    told: set[Signature] = set()
    for term, node in terms:
        other, before = first.setdefault(term.name, (term, node))
        if other.arity == term.arity or term.signature in told:
            continue
        told.add(term.signature)
        yield analysis.fault(
            f"{kind}-arities", Severity.WARNING, node,
            f"the {kind} {quoted(term.name)} with {term.arity} arguments here and {other.arity} in line "
            f"{analysis.line(before)}: they are two different {kind}s",
            "use one arity, or two names",
        )  # fmt: skip
