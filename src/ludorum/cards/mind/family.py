"""The family of a game: whether cards are to be got rid of, collected, or come back, and when points are
counted."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from ..analysis.seats import ME
from ..heuristic.scheme import analysis_of
from ..language.language import DECISIONS
from ..language.rules import ChoiceNode, Rules, Statement, reachable
from ..language.terms import Term, as_integer, number, subterms

Family = Literal["tricks", "shedding", "climbing", "reckoning", "collecting"]

_OF_SHEDDING = {"pickUp", "playCardOrPass", "chooseCardOrPass"}
"""Without any of these, and where the chart never asks whether a hand is empty, no player can fall behind in
cards, and no analysis is needed to know it."""


@lru_cache(maxsize=32)
def cards_worth(chart: Rules) -> float:
    """The worth, in points, of having a card less: 1 where the analysis found that fewer are better; a loss
    where sets of cards make points, as much as a card is of a set; else 0, and only points count."""
    size = size_of_sets(chart)
    if size is not None:
        return -1 / size
    if not _may_be_shedding(chart):
        return 0.0
    analysis = analysis_of(chart)
    if analysis is None:
        return 0.0
    wanted = [part for part in analysis.properties if part.term.name == "cardsRemaining"]
    return 1.0 if any(part.direction == "min" and part.term.args[0] == ME for part in wanted) else 0.0


@lru_cache(maxsize=32)
def family_of(chart: Rules) -> Family:
    """Collecting where sets of cards make points; tricks where only points count, reckoning where they are
    counted after the last decision; else shedding, or climbing where hands never grow after the deal."""
    if size_of_sets(chart) is not None:
        return "collecting"
    if not cards_worth(chart):
        return "reckoning" if scores_last(chart) else "tricks"
    statements = (node.action for node in chart.nodes.values() if isinstance(node, Statement))
    return "shedding" if any(_may_fill_a_hand(one) for one in statements) else "climbing"


def scores_last(chart: Rules) -> bool:
    """Whether no decision follows after points were given: until then the lead says nothing."""
    actions = {at: node.action for at, node in chart.nodes.items() if isinstance(node, Statement)}
    deciding = {at for at, action in actions.items() if action.name in DECISIONS}
    scoring = (at for at, action in actions.items() if _gives_points(action))
    return all(deciding.isdisjoint(reachable(chart, at)) for at in scoring)


@lru_cache(maxsize=32)
def size_of_sets(chart: Rules) -> int | None:
    """The size of a set of cards that makes points, two or more; None where no set does."""
    found = (
        size
        for node in chart.nodes.values()
        if isinstance(node, ChoiceNode)
        for size in _sizes_asked_for(node.condition)
        if _is_rewarded(chart, node)
    )
    return min(found, default=None)


def _sizes_asked_for(condition: Term) -> Iterator[int]:
    """The 4 of ``count(hand(p),card(r,any))==4``, which is also that of ``>3``."""
    for one in subterms(condition):
        if one.name not in ("equal", "greaterThan"):
            continue
        counted, size = one.args[0], as_integer(one.args[1])
        if size is None or not isinstance(counted, Term) or counted.name != "count":
            continue
        place, least = counted.args[0], size + (one.name == "greaterThan")
        if least > 1 and isinstance(place, Term) and place.name == "hand":
            yield least


def _is_rewarded(chart: Rules, node: ChoiceNode) -> bool:
    """Whether points are added where a condition holds, before its two branches join again."""
    then = (chart.nodes[at] for at in reachable(chart, node.yes, (node.no,)))
    return any(isinstance(one, Statement) and _adds_points(one.action) for one in then)


def _adds_points(action: Term) -> bool:
    if not _gives_points(action) or not isinstance(action.args[1], Term):
        return False
    return action.args[1].args[:2] == (Term("add"), action.args[0])


def _gives_points(action: Term) -> bool:
    return action.name == "assign" and isinstance(action.args[0], Term) and action.args[0].name == "score"


def _may_fill_a_hand(action: Term) -> bool:
    if action.name in ("move", "moveAll"):
        return isinstance(action.args[1], Term) and action.args[1].name == "hand"
    return action.name == "pickUp"


def _may_be_shedding(chart: Rules) -> bool:
    nodes = chart.nodes.values()
    if any(isinstance(node, ChoiceNode) and _asks_for_the_last(node.condition) for node in nodes):
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


__all__ = ["Family", "cards_worth", "family_of", "scores_last", "size_of_sets"]
