"""The bound a chart sets itself: ``decisionLimit`` is one whole number above 0, in every statement."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.faults import ChartFault, fault
from ..language.rules import DECISION_LIMIT, Rules, Statement
from ..language.terms import Term, as_integer, format_term


def check_limit(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """Faults of all statements that set the bound."""
    first: int | None = None
    for index in sorted(rules.nodes):
        node = rules.nodes[index]
        if not isinstance(node, Statement) or not _sets_limit(node.action):
            continue
        value = node.action.args[1] if node.action.name == "assign" else None
        limit = as_integer(value) if isinstance(value, Term) else None
        if limit is None or limit < 1:
            message = f"{DECISION_LIMIT} is one whole number above 0, which is known before the game"
            hint = f"write {DECISION_LIMIT}=500"
        elif first not in (None, limit):
            message = f"{DECISION_LIMIT} is {first} elsewhere: a game has one bound"
            hint = "set it once"
        else:
            first = limit
            continue
        caption = rules.caption(index)
        shown = format_term(value) if isinstance(value, Term) else "a choice"
        yield fault("bad-limit", f"{message}, not {shown}", hint, node=index, caption=caption, chart=name)


def _sets_limit(action: Term) -> bool:
    at = {"assign": 0, "choose": 1}.get(action.name)
    if at is None or len(action.args) <= at:
        return False
    target = action.args[at]
    return isinstance(target, Term) and target.name == DECISION_LIMIT
