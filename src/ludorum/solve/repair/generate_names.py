"""Misspelt names of relations, functions, constants and keywords: rare, and nearly another name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...rules.build import CONNECTIVES
from ...rules.keywords import KEYWORD_ARITIES
from . import costs
from .distance import nearness
from .focus import Focus
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair
from .spots import NameSpot

RARE = 2
"""Names that occur more often in a sheet are taken as intended."""

_WORDS = {**KEYWORD_ARITIES, "distinct": 2, "not": 1}


def propose_names(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """The nearest names for rare names in rules with symptoms, and for lonely names anywhere."""
    known = _vocabulary(sheet)
    for number, spots in enumerate(sheet.spots):
        for spot in spots:
            if spot.role == "variable" or spot.text in _WORDS or spot.text in CONNECTIVES:
                continue
            count = sheet.counts[spot.text]
            if count <= RARE if number in focus.forms else count == 1:
                yield from _renamings(sheet, spot, known)


def _vocabulary(sheet: TextUnderRepair) -> dict[str, Counter[tuple[str, int]]]:
    """The names of a sheet, each with the roles and arities in which it stands; keywords as well."""
    found: dict[str, Counter[tuple[str, int]]] = {}
    for spot in sheet.all_spots():
        if spot.role != "variable":
            found.setdefault(spot.text, Counter())[spot.role, spot.arity] += 1
    for word, arity in _WORDS.items():
        found.setdefault(word, Counter())["relation", arity] += 2
    return found


def _renamings(
    sheet: TextUnderRepair, spot: NameSpot, known: dict[str, Counter[tuple[str, int]]]
) -> Iterator[Proposal]:
    for name, uses in known.items():
        slips = nearness(spot.text, name)
        if slips is None or (spot.text.isdigit() and not name.isdigit()):
            continue
        fits = uses[spot.role, spot.arity]
        if not fits and (spot.role == "constant" or not any(role == spot.role for role, _ in uses)):
            continue
        cost = costs.SLIP + costs.FARTHER * (slips - 1)
        if sheet.counts[name] <= sheet.counts[spot.text]:
            cost += costs.UNUSUAL  # of two names that both occur once, either may be the slip
        if not fits or not _held_there(sheet, spot, name):
            cost += costs.OTHER_KIND
        reason = f"`{spot.text}` looks like a slip for `{name}`"
        yield Proposal(reason, (Edit(spot.node.span, name),), cost)


def _held_there(sheet: TextUnderRepair, spot: NameSpot, name: str) -> bool:
    if spot.place is None:
        return True
    filler = f"{name}/{spot.arity}" if spot.role == "function" else name
    here = sheet.held[spot.place]
    if here[filler] or spot.role != "constant":
        return bool(here[filler])
    # A constant that shares another place with one of this place is of the same kind.
    others = [text for text in here if text != spot.text and not text.startswith("?")]
    return any(held[filler] and any(held[other] for other in others) for held in sheet.held.values())
