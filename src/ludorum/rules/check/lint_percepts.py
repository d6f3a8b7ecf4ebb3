"""GDL-II: roles that see something, roles that never do, and chance without any ``sees``."""

from __future__ import annotations

from collections.abc import Iterator

from ..quoting import quoted
from ..ruleset import is_nature
from ..source import Diagnostic, Severity
from ..terms import Variable
from .analysis import Analysis, argument_node


def lint_percepts(analysis: Analysis) -> Iterator[Diagnostic]:
    ruleset = analysis.ruleset
    rules = ruleset.by_signature.get(("sees", 2), ())
    for rule in rules:
        if is_nature(rule.head.args[0]):
            yield analysis.fault(
                "sees-random", Severity.WARNING, argument_node(rule.head_node, 0),
                "a percept for `random`: nature perceives nothing", "remove the rule",
            )  # fmt: skip
    told = {rule.head.args[0] for rule in rules}
    for fact in ruleset.by_signature.get(("role", 1), ()):
        role = fact.head.args[0]
        if is_nature(role) and not rules:
            yield analysis.fault(
                "random-without-sees", Severity.NOTE, fact.head_node,
                "chance plays, but no role `sees` anything: as GDL all moves are public, as GDL-II none is",
                "add `sees` rules to say what the players are told",
            )  # fmt: skip
        blind = role not in told and not any(isinstance(one, Variable) for one in told)
        if rules and blind and not is_nature(role) and role.is_ground:
            yield analysis.fault(
                "blind-role", Severity.NOTE, fact.head_node, f"the role {quoted(role)} never sees anything",
                f"add (<= (sees {quoted(role)} ...) ...) if it should",
            )  # fmt: skip
