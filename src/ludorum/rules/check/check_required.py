"""What every sheet must define: its roles, their moves, when it ends and the goals."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..ruleset import Rule, is_nature
from ..source import NOWHERE, Diagnostic, Severity
from ..terms import Pattern, Variable
from .analysis import Analysis

REQUIRED = {
    ("role", 1): (Severity.ERROR, "no role: nobody plays", "add a fact (role name) for each player"),
    ("legal", 2): (Severity.ERROR, "no legal rule: nobody can move", "add (<= (legal ?role move) ...)"),
    ("terminal", 0): (Severity.ERROR, "no terminal rule: the game never ends", "add (<= terminal ...)"),
    ("goal", 2): (Severity.ERROR, "no goal rule: nobody can win", "add (<= (goal ?role 100) ...)"),
    ("init", 1): (Severity.WARNING, "no init: the first position is empty", "add a fact (init fluent)"),
    ("next", 1): (
        Severity.WARNING,
        "no next rule: after one step the position is empty",
        "add (<= (next fluent) ...)",
    ),
}


def check_required(analysis: Analysis) -> Iterator[Diagnostic]:
    known = analysis.ruleset.by_signature
    for signature, (severity, message, hint) in REQUIRED.items():
        if signature not in known:
            yield analysis.fault(f"missing-{signature[0]}", severity, NOWHERE, message, hint)
    served = {
        keyword: {rule.head.args[0] for rule in known.get((keyword, 2), ())} for keyword in ("legal", "goal")
    }
    for rule in known.get(("role", 1), ()):
        if not rule.body and rule.head.is_ground:
            yield from _check_role(analysis, rule, served)


def _check_role(analysis: Analysis, fact: Rule, served: dict[str, set[Pattern]]) -> Iterator[Diagnostic]:
    role = fact.head.args[0]
    for keyword, what in (("legal", "move"), ("goal", "goal value")):
        heads = served[keyword]
        if not heads or (keyword == "goal" and is_nature(role)):
            continue  # reported once for all roles; and nature has no goals
        if role not in heads and not any(isinstance(head, Variable) for head in heads):
            yield analysis.fault(
                f"role-without-{keyword}", Severity.ERROR, fact.head_node,
                f"no {keyword} rule for the role {quoted(role)}: it never has a {what}",
                f"add (<= ({keyword} {quoted(role)} ...) ...)",
            )  # fmt: skip
