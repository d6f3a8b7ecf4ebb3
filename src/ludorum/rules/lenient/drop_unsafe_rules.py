"""Leave out rules that stay unsafe after all other repairs: no engine can evaluate them."""

from __future__ import annotations

from ..binding import free_variables
from ..keywords import HINTS
from ..quoting import quoted
from ..ruleset import Ruleset, variable_span
from ..source import Diagnostic, Severity
from ..syntax import Node, NodeKind
from .rewrite import note


def drop_unsafe_rules(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    notes: list[Diagnostic] = []
    kept = []
    for rule in ruleset.rules:
        free = free_variables(rule)
        if not free:
            kept.append(rule)
            continue
        # Losing a hint such as `base` costs nothing; losing another rule changes the game.
        severity = Severity.NOTE if rule.head.name in HINTS else Severity.WARNING
        notes.append(note(
            ruleset, "unsafe-rule", severity, Node(NodeKind.VARIABLE, variable_span(rule.node, free[0])),
            f"left out the rule for {quoted(rule.head)}: nothing binds {quoted(str(free[0]))}",
            "add a condition that binds it",
        ))  # fmt: skip
    return (ruleset.with_rules(kept) if notes else ruleset), notes
