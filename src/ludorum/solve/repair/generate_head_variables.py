"""Variables of heads that nothing binds: the body has another variable where the same one was meant.

A free variable of the head and a variable that only the body has were probably one: that is likelier than
two slips, and about as likely as a condition that was left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...rules.binding import free_variables
from ...rules.lenient.argument_classes import ArgumentClasses
from ...rules.ruleset import Rule
from ...rules.syntax import NodeKind
from ...rules.terms import Variable
from . import costs
from .focus import Focus
from .generate_variables import renamed, unusual
from .proposal import Proposal
from .sheet import TextUnderRepair
from .spots import NameSpot


def propose_head_variables(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """A bound variable of the rule for each free one of its head, or the other way round."""
    classes: ArgumentClasses | None = None
    for number in sorted(focus.forms):
        rule = sheet.forms[number].rule
        spots = [spot for spot in sheet.spots[number] if spot.role == "variable"]
        free = {f"?{variable.name}" for variable in free_variables(rule)} if rule is not None else set()
        headed = {spot.text for spot in spots if spot.in_head}
        for name in sorted(free & headed):
            classes = classes or ArgumentClasses(sheet.rules)
            bound = sorted({spot.text for spot in spots} - free)
            beside = [other for other in bound if _stand_alike(_of(name, spots), _of(other, spots))]
            for other in bound:
                cost = costs.SLIP + _against(sheet, _of(name, spots), _of(other, spots))
                # Where some variable stands as the free one does, the others are less likely.
                cost += 2 * costs.UNUSUAL * (bool(beside) and other not in beside)
                if rule is not None and _are_unlike(classes, rule, name, other):
                    cost += costs.OTHER_KIND
                yield from _either_way(sheet, spots, name, other, cost)


def _of(name: str, spots: list[NameSpot]) -> list[NameSpot]:
    return [spot for spot in spots if spot.text == name]


def _either_way(
    sheet: TextUnderRepair, spots: list[NameSpot], name: str, other: str, cost: int
) -> Iterator[Proposal]:
    """The free variable renamed, and the bound one where the head does not have it as well."""
    ways = [(name, other)]
    if not any(spot.in_head for spot in _of(other, spots)):
        ways.append((other, name))
    for old, new in ways:
        own = _of(old, spots)
        yield renamed(own, new, cost + unusual(sheet, own, new))


def _against(sheet: TextUnderRepair, free: list[NameSpot], bound: list[NameSpot]) -> int:
    """The cost of taking two variables for one: more where the bound one has a use, or both are usual."""
    in_head = any(spot.in_head for spot in bound)
    joins = len(bound) > 1 and not in_head
    usual = _is_at_home(sheet, free) and _is_at_home(sheet, bound)
    return (costs.OTHER_KIND + costs.UNUSUAL) * in_head + costs.MISFIT * usual + costs.UNUSUAL * joins


def _is_at_home(sheet: TextUnderRepair, own: list[NameSpot]) -> bool:
    """Whether other rules, if they fill the places where a variable stands, have it there, too."""
    here = Counter(spot.place for spot in own if spot.place is not None)
    return all(
        sheet.held[place][own[0].text] > times or sheet.held[place].total() == times
        for place, times in here.items()
    )


def _are_unlike(classes: ArgumentClasses, rule: Rule, one: str, other: str) -> bool:
    """Whether two variables stand for different things: their places hold no constant in common."""
    places = [classes.class_of(rule, Variable(name[1:])) for name in (one, other)]
    terms = [set(classes.terms(place)) if place is not None else set() for place in places]
    return places[0] != places[1] and bool(terms[0] and terms[1]) and not terms[0] & terms[1]


def _stand_alike(some: list[NameSpot], others: list[NameSpot]) -> bool:
    """Whether two variables stand in the same place, or beside the same variable.

    Such as `?y` and `?z` in ``(next (at ?y))`` and ``(true (at ?z))``, or ``(at ?x ?y)`` and ``(go ?x ?z)``.
    """
    places = [{spot.place for spot in spots} - {None} for spots in (some, others)]
    return bool(_neighbours(some) & _neighbours(others) or places[0] & places[1])


def _neighbours(spots: list[NameSpot]) -> set[tuple[int, str]]:
    """The variables before and after, each with its side."""
    found: set[tuple[int, str]] = set()
    for spot in spots:
        around = next(node.items for node in spot.literal.walk() if spot.node in node.items)
        at = around.index(spot.node)
        for side in (-1, 1):
            if 0 < at + side < len(around) and around[at + side].kind is NodeKind.VARIABLE:
                found.add((side, around[at + side].name))
    return found
