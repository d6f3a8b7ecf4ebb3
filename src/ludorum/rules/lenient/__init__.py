"""Lenient repairs: what people meant by rules that strict GDL refuses, one small rewrite a file.

Input: a ``Ruleset`` as read. Output: one that every engine accepts, and a diagnostic ``repaired-...``
for each change, with its place. A sheet without faults stays as it is. May import ``rules`` only.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ruleset import Ruleset
from ..source import Diagnostic
from .bind_variables import bind_variables
from .drop_misplaced_heads import drop_misplaced_heads
from .drop_unsafe_rules import drop_unsafe_rules
from .quantify_negation import quantify_negation
from .unwrap_relations import unwrap_relations
from .wrap_fluents import wrap_fluents

Repair = Callable[[Ruleset], tuple[Ruleset, list[Diagnostic]]]

NAME_REPAIRS: tuple[Repair, ...] = (unwrap_relations, wrap_fluents)
"""Mend names: these let a literal hold that, as written, never could (asp-player, section 4.4)."""

SAFETY_REPAIRS: tuple[Repair, ...] = (
    quantify_negation,
    bind_variables,
    drop_unsafe_rules,  # last: what could not be mended must not reach an engine
)
"""Mend binding: without these no engine can tell when a rule holds."""

__all__ = ["make_safe", "repair"]


def repair(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    """The sheet with every lenient repair applied, and what was changed, by place."""
    return _apply((drop_misplaced_heads, *NAME_REPAIRS, *SAFETY_REPAIRS), ruleset)


def make_safe(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    """Only the repairs an engine cannot do without; every name keeps the meaning strict GDL gives it."""
    return _apply((drop_misplaced_heads, *SAFETY_REPAIRS), ruleset)


def _apply(repairs: tuple[Repair, ...], ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    notes: list[Diagnostic] = []
    for mend in repairs:
        ruleset, made = mend(ruleset)
        notes += made
    return ruleset, sorted(notes, key=lambda note: note.span)
