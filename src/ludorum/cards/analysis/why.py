"""Why a chart gives no weights: there may be nothing to find."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.source import Severity
from ..language.faults import ChartFault, fault
from ..language.language import DECISIONS
from ..language.rules import Statement
from ..language.terms import Term, format_term, subterms
from .loops import Loop
from .normalise import LEAVING, NormalForm
from .properties import aims
from .symbolic import SymbolicState

MOST_NAMED = 3


def why_no_weights(
    form: NormalForm, loop: Loop, ways: Sequence[SymbolicState], name: str
) -> list[ChartFault]:
    """The reason: no player has a choice, or the score depends on what cannot be counted."""
    rules = form.rules
    choices = [
        node
        for node in loop.body
        if isinstance(one := rules.nodes[node], Statement) and one.action.name in DECISIONS
    ]
    if all(_is_forced(rules.nodes[node]) for node in choices):
        message = "no weights: nobody has a choice, every card is played as it comes"
    else:
        named = list(dict.fromkeys(format_term(one) for one in _beyond_counting(ways)))
        message = "no weights: no way through the main loop changes a score, or its causes, by a number"
        if named:
            message += f"; it depends on {', '.join(named[:MOST_NAMED])}, known only in the game"
    node = form.original(loop.header)
    return [fault("no-weights", message, node=node, severity=Severity.WARNING, chart=name)]


def _is_forced(node: object) -> bool:
    """Whether there is only one thing to choose."""
    if not isinstance(node, Statement) or node.action.name != "choose":
        return False
    options = node.action.args[2:]
    return len(options) == 1 and isinstance(options[0], Term) and options[0].name != "range"


def _beyond_counting(ways: Sequence[SymbolicState]) -> list[Term]:
    """Conditions of paths with a score that give no property to aim at."""
    found = []
    for way in ways:
        if not any(name.name == "score" for name in way.variables):
            continue
        for condition in way.conditions:
            names = {one.name for one in subterms(condition)}
            if any(one.startswith(LEAVING) for one in names) or names & {"score", "cardInstanceOf", "passed"}:
                continue
            if not list(aims(way.names, condition, good=True)):
                found.append(condition)
    return found
