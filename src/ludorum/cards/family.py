"""Of which family a game is: whether cards are to be got rid of or come back, and when points are counted."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from .analysis.seats import ME
from .check.flow import reachable
from .language import DECISIONS
from .player.scheme import analysis_of
from .rules import Choice, Rules, Statement
from .terms import Term, number, subterms

Family = Literal["tricks", "shedding", "climbing", "reckoning"]

_OF_SHEDDING = {"pickUp", "playCardOrPass", "chooseCardOrPass"}
"""Without any of these, and where nobody asks whether a hand is empty, nobody can fall behind in cards, and
no analysis is needed to know it."""


@lru_cache(maxsize=32)
def cards_worth(chart: Rules) -> float:
    """1 where the analysis found that fewer cards are better, else 0: then only points count."""
    if not _may_be_shedding(chart):
        return 0.0
    analysis = analysis_of(chart)
    if analysis is None:
        return 0.0
    wanted = [part for part in analysis.properties if part.term.name == "cardsRemaining"]
    return 1.0 if any(part.direction == "min" and part.term.args[0] == ME for part in wanted) else 0.0


@lru_cache(maxsize=32)
def family_of(chart: Rules) -> Family:
    """Tricks where only points count, reckoning where they are counted after the last decision; else
    shedding, or climbing where hands never grow after the deal."""
    if not cards_worth(chart):
        return "reckoning" if scores_last(chart) else "tricks"
    statements = (node.action for node in chart.nodes.values() if isinstance(node, Statement))
    return "shedding" if any(_may_fill_a_hand(one) for one in statements) else "climbing"


def scores_last(chart: Rules) -> bool:
    """Whether nobody decides anything after points were given: until then the lead says nothing."""
    actions = {at: node.action for at, node in chart.nodes.items() if isinstance(node, Statement)}
    deciding = {at for at, action in actions.items() if action.name in DECISIONS}
    scoring = (at for at, action in actions.items() if _gives_points(action))
    return all(deciding.isdisjoint(reachable(chart, at)) for at in scoring)


def _gives_points(action: Term) -> bool:
    return action.name == "assign" and isinstance(action.args[0], Term) and action.args[0].name == "score"


def _may_fill_a_hand(action: Term) -> bool:
    if action.name in ("move", "moveAll"):
        return isinstance(action.args[1], Term) and action.args[1].name == "hand"
    return action.name == "pickUp"


def _may_be_shedding(chart: Rules) -> bool:
    nodes = chart.nodes.values()
    if any(isinstance(node, Choice) and _asks_for_the_last(node.condition) for node in nodes):
        return True
    return any(isinstance(node, Statement) and node.action.name in _OF_SHEDDING for node in nodes)


def _asks_for_the_last(condition: Term) -> bool:
    """Whether ``cardsRemaining(p)==0`` is asked."""
    for one in subterms(condition):
        if one.name == "equal" and one.args[1] == number(0):
            counted = one.args[0]
            if isinstance(counted, Term) and counted.name == "cardsRemaining":
                return True
    return False


__all__ = ["Family", "cards_worth", "family_of", "scores_last"]
