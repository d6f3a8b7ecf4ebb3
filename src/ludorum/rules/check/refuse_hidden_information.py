"""Refuses GDL-II where only games with public moves can be played."""

from __future__ import annotations

from ..ruleset import Ruleset, is_nature
from ..source import Diagnostic, Severity

HINT = "this is for games in which all players see every move"


def refuse_hidden_information(ruleset: Ruleset) -> list[Diagnostic]:
    """An error for each sign of GDL-II, a ``sees`` rule or the role ``random``; none for a GDL-I game."""
    sees = [
        Diagnostic("hidden-information", Severity.ERROR, rule.head_node.span,
                   "this is GDL-II: players are told percepts instead of moves", HINT, ruleset.source)
        for rule in ruleset.by_signature.get(("sees", 2), ())[:1]
    ]  # fmt: skip
    chance = [
        Diagnostic("hidden-information", Severity.ERROR, rule.head_node.span,
                   "this is GDL-II: the role `random` moves by chance", HINT, ruleset.source)
        for rule in ruleset.by_signature.get(("role", 1), ())
        if is_nature(rule.head.args[0])
    ]  # fmt: skip
    return sorted(sees + chance, key=lambda fault: fault.span)
