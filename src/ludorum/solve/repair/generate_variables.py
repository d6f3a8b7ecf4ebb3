"""Misspelt variables: one that occurs once in its rule stands for another of the rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from . import costs
from .distance import nearness
from .focus import Focus
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair
from .spots import NameSpot


def propose_variables(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Other variables of the rule for each variable that occurs once or twice, the nearest first."""
    for number in sorted(focus.forms):
        spots = [spot for spot in sheet.spots[number] if spot.role == "variable"]
        count = Counter(spot.text for spot in spots)
        for name, times in count.items():
            own = [spot for spot in spots if spot.text == name]
            for other in count:
                if other == name:
                    continue
                if times <= 2:
                    yield _rename(sheet, own, other)
                if times == 2:
                    yield from (_rename(sheet, [spot], other) for spot in own)


def _rename(sheet: TextUnderRepair, own: list[NameSpot], other: str) -> Proposal:
    name = own[0].text
    slips = nearness(name[1:], other[1:]) or 3
    if slips == 3 and sheet.counts[name] == 1 and _letter_for_letter(name, other):
        slips = 1  # ?s1 for ?y1, where ?s1 occurs nowhere else in the sheet
    cost = costs.SLIP + costs.FARTHER * (slips - 1)
    if sheet.counts[name] > len(own):
        cost += costs.UNUSUAL  # a name that occurs in other rules too is less likely a slip
        cost += costs.OTHER_KIND if slips > 1 or len(name) == 2 else 0
    return renamed(own, other, cost + unusual(sheet, own, other))


def unusual(sheet: TextUnderRepair, own: list[NameSpot], other: str) -> int:
    """The cost of a variable in places that have never held it."""
    odd = sum(spot.place is not None and not sheet.held[spot.place][other] for spot in own)
    return costs.UNUSUAL * odd


def renamed(own: list[NameSpot], other: str, cost: int) -> Proposal:
    reason = f"`{own[0].text}` looks like a slip for `{other}`"
    return Proposal(reason, tuple(Edit(spot.node.span, other) for spot in own), cost)


def _letter_for_letter(one: str, other: str) -> bool:
    """Whether two variables of one letter differ in it, and not in the digits behind it."""
    return len(one) == len(other) and one[2:] == other[2:] and (len(one) == 2 or one[2:].isdigit())
