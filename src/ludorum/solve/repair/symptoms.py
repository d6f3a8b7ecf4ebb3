"""Symptoms of a faulty sheet that show without playing it: the findings of `check`, and more.

A symptom is recognised after a change by its code and its words, so the words hold no line numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ...rules.check import CHECKS, Analysis
from ...rules.source import Diagnostic, Severity, Span
from . import costs
from .sheet import Reading
from .suspicions import suspicions

_LINE = re.compile(r"line \d+")

_NOT_COUNTED = frozenset(
    {"init-by-rule", "binding-order", "capitals", "empty-body", "keyword-as-function",
     "compound-distinct", "blind-role", "random-without-sees", "sees-random", "lone-brackets"}
)  # fmt: skip
"""Findings about style or about other programs."""

_SKIPPED = frozenset({"lint_binding_order", "lint_capitals", "lint_form",
                      "lint_keyword_functions", "lint_percepts"})  # fmt: skip
"""Checks whose findings do not count; hundreds of changes are checked, so they are not even run."""
_CHECKS = tuple(check for check in CHECKS if check.__name__ not in _SKIPPED)

_SOFT = frozenset({"fluent-and-relation", "relation-arities", "function-arities", "base-incomplete",
                   "input-incomplete", "near-name", "negation-only-variable"})  # fmt: skip
"""Warnings that good sheets have too."""


@dataclass(frozen=True)
class Symptom:
    """One thing that is wrong, and how much it weighs."""

    code: str
    words: str
    weight: int
    span: Span | None = None
    """Where it shows; none where only play shows it."""

    @property
    def key(self) -> tuple[str, str]:
        return self.code, self.words


def static_symptoms(reading: Reading) -> list[Symptom]:
    """The symptoms of rules as they read; where some cannot be read, only that."""
    if reading.unread:
        return [_symptom(fault, costs.UNREADABLE) for fault in reading.unread]
    analysis = Analysis(reading.rules)
    found = [
        _symptom(fault, weight)
        for check in _CHECKS
        for fault in check(analysis)
        if fault.code not in _NOT_COUNTED and (weight := _weight(fault))
    ]
    return [
        *found,
        *(Symptom(code, words, weight, span) for code, words, weight, span in suspicions(reading.rules)),
    ]


def changes(before: Iterable[Symptom], after: Iterable[Symptom]) -> tuple[list[Symptom], list[Symptom]]:
    """The symptoms that are gone and those that are new."""
    before, after = list(before), list(after)
    return _less(before, after), _less(after, before)


def weight_of(symptoms: Iterable[Symptom]) -> int:
    return sum(symptom.weight for symptom in symptoms)


def _less(some: list[Symptom], others: list[Symptom]) -> list[Symptom]:
    known = Counter(symptom.key for symptom in others)
    found = []
    for symptom in some:
        if known[symptom.key]:
            known[symptom.key] -= 1
        else:
            found.append(symptom)
    return found


def _symptom(fault: Diagnostic, weight: int) -> Symptom:
    return Symptom(fault.code, _LINE.sub("a line", fault.message), weight, fault.span)


def _weight(fault: Diagnostic) -> int:
    if fault.code in _SOFT:
        return costs.SUSPICION
    if fault.severity is Severity.ERROR:
        return costs.ERROR
    return costs.WARNING if fault.severity is Severity.WARNING else costs.OPEN_QUESTION
