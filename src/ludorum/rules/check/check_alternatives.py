"""A rule whose ``or``s multiply to more alternatives than an engine may write down."""

from __future__ import annotations

from collections.abc import Iterator

from ..normalise.expand_connectives import MAX_ALTERNATIVES, count_alternatives
from ..source import Diagnostic, Severity
from .analysis import Analysis


def check_alternatives(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        if count_alternatives(rule) > MAX_ALTERNATIVES:
            yield analysis.fault(
                "too-many-alternatives", Severity.ERROR, rule.node,
                f"the `or`s of this rule multiply to more than {MAX_ALTERNATIVES} alternatives",
                "give a group of alternatives a relation of its own",
            )  # fmt: skip
