"""Keywords inside terms: legal in percepts such as ``(sees ?p (does ?q ?m))``, but not keywords there."""

from __future__ import annotations

from collections.abc import Iterator

from ..keywords import KEYWORDS
from ..source import Diagnostic, Severity
from ..terms import Term
from .analysis import Analysis


def lint_keyword_functions(analysis: Analysis) -> Iterator[Diagnostic]:
    for term, node in analysis.inner_terms:
        if term.name in KEYWORDS and _looks_like_keyword(term):
            yield analysis.fault(
                "keyword-as-function", Severity.NOTE, node,
                f"`{term.name}` inside a term is an ordinary name, not the keyword",
                "choose another name if readers could be misled",
            )  # fmt: skip


def _looks_like_keyword(term: Term) -> bool:
    return bool(term.args) or term.name == "terminal"
