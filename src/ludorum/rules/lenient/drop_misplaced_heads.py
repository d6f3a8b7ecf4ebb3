"""Leave out rules whose head cannot be one: ``(distinct a b)``, ``(not (p))``, ``(true (turn 1))``.

Sheets have such rules to help some prover or by mistake; no engine may take them for rules, since a
``true`` fact would hold in every position and a ``distinct`` fact is redundant.
"""

from __future__ import annotations

from ..build import CONNECTIVES
from ..keywords import GIVEN
from ..quoting import quoted
from ..ruleset import Ruleset
from ..source import Diagnostic, Severity
from .rewrite import note


def drop_misplaced_heads(ruleset: Ruleset) -> tuple[Ruleset, list[Diagnostic]]:
    notes: list[Diagnostic] = []
    kept = []
    for rule in ruleset.rules:
        if rule.head.name in CONNECTIVES or rule.head.name in GIVEN:
            notes.append(note(
                ruleset, "misplaced-head", Severity.WARNING, rule.head_node,
                f"left out: `{rule.head.name}` cannot be a fact or a head, as in {quoted(rule.head)}",
                "remove the rule, or name the relation you mean",
            ))  # fmt: skip
        else:
            kept.append(rule)
    return (ruleset.with_rules(kept) if notes else ruleset), notes
