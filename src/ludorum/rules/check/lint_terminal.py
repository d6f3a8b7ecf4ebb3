"""A ``terminal`` that does not look at the position: the game is over at once, or never."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import STATE_KEYWORDS
from ..source import Diagnostic, Severity
from .analysis import Analysis


def lint_terminal(analysis: Analysis) -> Iterator[Diagnostic]:
    rules = analysis.ruleset.by_signature.get(("terminal", 0), ())
    below = analysis.dependencies.reachable([("terminal", 0)])
    if rules and not any(name in STATE_KEYWORDS and name != "terminal" for name, _ in below):
        yield analysis.fault(
            "constant-terminal", Severity.WARNING, rules[0].head_node,
            "`terminal` does not depend on the position: it always holds or never",
            "test a fluent with `true`",
        )  # fmt: skip
