"""``base`` and ``input`` that leave out fluents or moves the rules make (by name and arity)."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import written
from ..source import Diagnostic, Severity
from ..terms import Signature
from .analysis import ANYTHING, Analysis, signature_of

LISTS = {"base": (("init", "next"), "fluent"), "input": (("legal",), "move")}


def lint_base_input(analysis: Analysis) -> Iterator[Diagnostic]:
    for keyword, (makers, what) in LISTS.items():
        listed = analysis.made.get(keyword, set())
        if not listed or ANYTHING in listed:
            continue
        told: set[Signature] = set()
        for use in analysis.uses:
            signature = signature_of(use.term)
            if use.in_head and use.keyword in makers and signature not in listed | told | {ANYTHING}:
                told.add(signature)
                yield analysis.fault(
                    f"{keyword}-incomplete", Severity.WARNING, use.node,
                    f"the {what} {written(signature)} is made here, but no `{keyword}` rule lists it",
                    f"add it to the `{keyword}` rules",
                )  # fmt: skip
