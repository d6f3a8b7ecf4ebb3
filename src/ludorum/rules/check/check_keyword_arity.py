"""Keywords take a fixed number of arguments: ``(legal ?p ?move)``, ``(true ?fluent)``, ``terminal``."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import KEYWORD_ARITIES
from ..source import Diagnostic, Severity
from ..syntax import Node
from ..terms import Term
from .analysis import Analysis

SHAPES = {
    "role": "(role name)",
    "init": "(init fluent)",
    "true": "(true fluent)",
    "does": "(does role move)",
    "next": "(next fluent)",
    "legal": "(legal role move)",
    "goal": "(goal role value)",
    "terminal": "terminal",
    "sees": "(sees role percept)",
    "base": "(base fluent)",
    "input": "(input role move)",
}


def check_keyword_arity(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        yield from _check(analysis, rule.head, rule.head_node)
    for edge in analysis.edges:
        yield from _check(analysis, edge.atom.term, edge.atom.node)


def _check(analysis: Analysis, term: Term, node: Node) -> Iterator[Diagnostic]:
    wanted = KEYWORD_ARITIES.get(term.name)
    if wanted is None or wanted == term.arity:
        return
    hint = f"write {SHAPES[term.name]}"
    if term.arity > wanted and node.items and node.items[0].name == term.name:
        hint += "; if the rest was meant as conditions, `<=` is missing"
    code = "hint-arity" if term.name in ("base", "input") else "keyword-arity"
    yield analysis.fault(
        code, Severity.ERROR, node,
        f"`{term.name}` takes {wanted} argument{'' if wanted == 1 else 's'}, here are {term.arity}", hint,
    )  # fmt: skip
