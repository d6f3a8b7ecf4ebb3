"""One keyword where another is meant: `next` for `true`, `legal` for `does`, `true` for `next` in a head."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...rules.keywords import HINTS
from ...rules.lenient.argument_classes import FLUENT, MOVE
from ...rules.syntax import Node, NodeKind
from . import costs
from .fit import filler_of
from .focus import Focus
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair
from .spots import NameSpot, same_place

WORDS = frozenset({"true", "does", "next", "init", "legal", "base", "input"})
"""Words around a fluent or a move."""
RARER = 2
"""The extra cost of a word that is rare in such a place."""


def propose_keywords(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Other words around the fluents and moves of forms with symptoms."""
    for number in sorted(focus.forms):
        is_fact = sheet.forms[number].node.head != "<="
        for spot in sheet.spots[number]:
            if spot.role == "relation" and spot.text in WORDS and spot.arity in (1, 2):
                for word, cost in _meant(spot, is_fact).items():
                    if word != spot.text:
                        yield _instead(sheet, spot, word, cost)


def _meant(spot: NameSpot, is_fact: bool) -> dict[str, int]:
    """The words that may stand around one or two arguments there, with their extra cost."""
    if spot.in_head and spot.text in HINTS:
        return {}  # a list of fluents or moves belongs there, whatever else is missing
    if not spot.in_head:
        return {"true": 0} if spot.arity == 1 else {"does": 0, "legal": RARER}
    if spot.arity == 2:
        return {"legal": 0}
    return {"init": 0} if is_fact else {"next": 0, "init": RARER}


def _instead(sheet: TextUnderRepair, spot: NameSpot, word: str, cost: int) -> Proposal:
    if not _is_known(sheet, spot.whole.items[-1], spot):
        cost += costs.OTHER_KIND
    reason = f"`{spot.text}` stands where `{word}` is meant"
    return Proposal(reason, (Edit(spot.node.span, word),), costs.SLIP + cost)


def _is_known(sheet: TextUnderRepair, inner: Node, spot: NameSpot) -> bool:
    """Whether the sheet has such a fluent or move elsewhere; a variable may be any."""
    place = FLUENT if spot.arity == 1 else MOVE
    held = sheet.held.get(place, Counter())
    itself = same_place(("r", spot.text, spot.arity, spot.arity - 1)) == place
    return inner.kind is NodeKind.VARIABLE or held[filler_of(inner)] > itself
