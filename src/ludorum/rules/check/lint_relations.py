"""Relations that are used and not defined, defined and not used, or used by unused rules only."""

from __future__ import annotations

from collections.abc import Iterator

from ..build import CONNECTIVES
from ..keywords import ANSWERS, GIVEN, KEYWORDS
from ..near_names import NearNames
from ..quoting import did_you_mean, written
from ..source import Diagnostic, Severity
from .analysis import Analysis


def lint_relations(analysis: Analysis) -> Iterator[Diagnostic]:
    yield from _undefined(analysis)
    yield from _unused(analysis)


def _undefined(analysis: Analysis) -> Iterator[Diagnostic]:
    known = analysis.ruleset.by_signature
    arities = dict(reversed(known))
    names = NearNames(name for name, _ in known)
    for edge in analysis.edges:
        if edge.body in known or edge.body[0] in GIVEN:
            continue
        hint = "define it, or correct the name"
        if edge.body[0] in arities:
            hint = f"it is defined with {arities[edge.body[0]]} arguments; is one missing or too many?"
        elif near := names.near(edge.body[0]):
            hint = did_you_mean(near)
        holds = "so this condition never holds" if edge.positive else "so this negation always holds"
        yield analysis.fault(
            "undefined-relation", Severity.WARNING, edge.atom.node,
            f"no rule or fact defines {written(edge.body)}, {holds}", hint,
        )  # fmt: skip


def _unused(analysis: Analysis) -> Iterator[Diagnostic]:
    known = analysis.ruleset.by_signature
    needed = analysis.dependencies.reachable(signature for signature in known if signature[0] in ANSWERS)
    for signature, rules in known.items():
        if signature in needed or signature[0] in KEYWORDS or signature[0] in CONNECTIVES:
            continue
        if signature not in analysis.mentioned:
            code, why = "unused-relation", "no rule uses it"
        else:
            code, why = "unneeded-relation", "only rules that the game does not need use it"
        yield analysis.fault(
            code, Severity.WARNING, rules[0].head_node, f"{written(signature)} is defined, but {why}",
            "remove it, or use it where it was meant to be used",
        )  # fmt: skip
