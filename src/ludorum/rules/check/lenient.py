"""How much a fault counts when a sheet need only be playable.

Public sheets break GDL's letter in many ways that leave no doubt about what is meant. Lenient mode keeps as
errors only what leaves a game without a meaning: no roles or moves, terms without end, rules that cannot be
written down.
"""

from __future__ import annotations

from dataclasses import replace

from ..source import Diagnostic, Severity

RELAXED = {
    "base-depends-on-state": Severity.WARNING,  # no engine reads base and input
    "input-depends-on-state": Severity.WARNING,
    "hint-arity": Severity.WARNING,
    "keyword-arity": Severity.WARNING,  # another relation that no question needs
    "depends-on-does": Severity.WARNING,  # asked before a joint move
    "negation-cycle": Severity.WARNING,  # may still be stratified atom by atom: the grounder decides
    "recursion-restriction": Severity.WARNING,
    "misplaced-connective": Severity.WARNING,
    "negated-distinct": Severity.NOTE,
    "negated-formula": Severity.NOTE,
    "goal-value": Severity.WARNING,
    "missing-goal": Severity.WARNING,
    "missing-terminal": Severity.WARNING,
    "role-without-legal": Severity.WARNING,
    "role-without-goal": Severity.WARNING,
    "no-move": Severity.WARNING,  # a play may never come there
    "never-ends": Severity.WARNING,
    "empty-body": Severity.NOTE,
    "lone-brackets": Severity.NOTE,
}


def relax(fault: Diagnostic) -> Diagnostic:
    """The fault with the severity it has in lenient mode."""
    severity = RELAXED.get(fault.code, fault.severity)
    return fault if severity is fault.severity else replace(fault, severity=severity)
