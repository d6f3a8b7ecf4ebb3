"""Goal values are whole numbers from 0 to 100."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..ruleset import is_nature
from ..source import Diagnostic, Severity
from ..terms import Variable, as_integer
from .analysis import Analysis, argument_node


def check_goal_values(analysis: Analysis) -> Iterator[Diagnostic]:
    for rule in analysis.ruleset.by_signature.get(("goal", 2), ()):
        role, value = rule.head.args
        number = as_integer(value)
        if not isinstance(value, Variable) and (number is None or not 0 <= number <= 100):
            yield analysis.fault(
                "goal-value", Severity.ERROR, argument_node(rule.head_node, 1),
                f"the goal value {quoted(value)} is no whole number from 0 to 100",
                "scale the values to 0..100",
            )  # fmt: skip
        if is_nature(role):
            yield analysis.fault(
                "random-goal", Severity.NOTE, argument_node(rule.head_node, 0),
                "a goal for `random`: nature has no aims, and no engine reads it", "remove the rule",
            )  # fmt: skip
