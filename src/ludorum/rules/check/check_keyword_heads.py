"""Which keywords rules may define: never ``true`` and ``does``; ``role`` by facts; ``init`` best by facts."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import GIVEN
from ..source import Diagnostic, Severity
from .analysis import Analysis


def check_keyword_heads(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.rules:
        name = rule.head.name
        if name in GIVEN:
            instead = "init or next" if name == "true" else "legal"
            yield analysis.fault(
                "keyword-head", Severity.ERROR, rule.head_node,
                f"`{name}` cannot be the head of a rule or a fact: a match gives it",
                f"did you mean {instead}?",
            )  # fmt: skip
        elif name == "role" and rule.body:
            yield analysis.fault(
                "role-by-rule", Severity.WARNING, rule.head_node,
                "`role` given by a rule: the order of the roles is then not stated",
                "write one (role name) fact for each role",
            )  # fmt: skip
        elif name == "init" and rule.body:
            yield analysis.fault(
                "init-by-rule", Severity.NOTE, rule.head_node,
                "`init` given by a rule; some players read facts only", "write the facts out if they are few",
            )  # fmt: skip
