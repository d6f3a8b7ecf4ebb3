"""Arguments too few or too many, where a name has another number of arguments in most of the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ...rules.keywords import KEYWORD_ARITIES
from ...rules.syntax import NodeKind
from . import costs
from .fit import FEWEST_ROWS, continued, filler_of, misfit, row_misfit
from .focus import Focus
from .proposal import Edit, Proposal, insert
from .sheet import TextUnderRepair
from .spots import NameSpot, same_place

MOST = 30
"""Ways to put an argument in that are tried at one place, the best fitting first."""
FRESH = "?any"

Fits = Callable[[TextUnderRepair, str, str, Sequence[str]], int]
"""The cost of a name with such arguments."""


def propose_arguments(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """An argument put in or taken out, so that the name has as many as elsewhere."""
    arities = _arities(sheet)
    for number in sorted(focus.forms):
        for spot in sheet.spots[number]:
            if spot.role in ("variable", "connective"):
                continue
            kind = "r" if spot.role == "relation" else "f"
            known = arities.get((kind, spot.text))
            if known is None or (known[spot.arity] > 2 and spot.text not in KEYWORD_ARITIES):
                continue
            fits = misfit if sheet.forms[number].node.head == "<=" else row_misfit
            for arity in known:
                if arity == spot.arity + 1:
                    yield from _with_one_more(sheet, kind, spot, sheet.spots[number], fits)
                elif arity == spot.arity - 1 and arity > 0:
                    yield from _with_one_less(sheet, kind, spot, fits)


def _arities(sheet: TextUnderRepair) -> dict[tuple[str, str], Counter[int]]:
    """How often each relation and function has each number of arguments; keywords have their own."""
    found: dict[tuple[str, str], Counter[int]] = {}
    for spot in sheet.all_spots():
        if spot.role in ("relation", "function"):
            kind = "r" if spot.role == "relation" else "f"
            found.setdefault((kind, spot.text), Counter())[spot.arity] += 1
    for word, arity in {**KEYWORD_ARITIES, "distinct": 2}.items():
        found["r", word] = Counter({arity: 1})
    return found


def _with_one_more(
    sheet: TextUnderRepair, kind: str, spot: NameSpot, spots: tuple[NameSpot, ...], fits: Fits
) -> Iterator[Proposal]:
    items = spot.whole.items or (spot.node,)
    fillers = [filler_of(item) for item in items[1:]]
    own = dict.fromkeys(each.text for each in spots if each.role == "variable")
    found: list[tuple[int, int, str]] = []
    for at in range(len(fillers) + 1):
        place = same_place((kind, spot.text, len(fillers) + 1, at))
        usual = [text for text, _ in sheet.held.get(place, Counter()).most_common(6) if "/" not in text]
        gaps = _gaps(sheet, kind, spot, at) if not own else []
        for text in dict.fromkeys([*own, *gaps, *usual, FRESH]):
            cost = fits(sheet, kind, spot.text, [*fillers[:at], text, *fillers[at:]])
            cost += (
                3 * costs.MISFIT * (text in fillers)
                + _choice_cost(text, spots)
                - (costs.MISFIT if text in gaps else 0)
            )
            found.append((cost, at, text))
    for cost, at, text in sorted(found)[:MOST]:
        before = items[at]
        reason = f"{sheet.text_of(spot.whole)} lacks an argument: `{text}` at place {at + 1}"
        if spot.whole.kind is NodeKind.LIST:
            edits = (insert(before.span.end, f" {text}"),)
        else:
            edits = (Edit(spot.whole.span, f"({sheet.text_of(spot.whole)} {text})"),)
        yield Proposal(reason, edits, costs.ARGUMENT + cost)


def _gaps(sheet: TextUnderRepair, kind: str, spot: NameSpot, at: int) -> list[str]:
    """The values that a table has in its other columns and lacks in this one: the missing link of a chain."""
    size = max(len(spot.whole.items), 1)
    columns = [sheet.held.get(same_place((kind, spot.text, size, index)), Counter()) for index in range(size)]
    beside = {sheet.text_of(item) for item in spot.whole.items[1:]}
    others = dict.fromkeys(text for index, column in enumerate(columns) if index != at for text in column)
    gaps = [text for text in others if not columns[at][text] and text not in beside and "?" not in text]
    rows = sheet.rows.get((kind, spot.text, size), [])
    items = [sheet.text_of(item) for item in spot.whole.items[1:]]
    row = [*items[:at], None, *items[at:]]
    next_ones = [text for place, text in continued(rows, row) if place == at and len(rows) >= FEWEST_ROWS]
    # In a grid, the value that completes a missing row.
    missing = [text for text in columns[at] if len(rows) >= FEWEST_ROWS and _row(items, at, text) not in rows]
    return list(dict.fromkeys([*next_ones, *missing[:6], *gaps[:6]]))


def _row(items: list[str], at: int, text: str) -> tuple[str, ...]:
    return (*items[:at], text, *items[at:])


def _choice_cost(text: str, spots: tuple[NameSpot, ...]) -> int:
    """The cost of an argument: none for a variable that occurs once in the rule, most for a guessed name."""
    if text == FRESH:
        return costs.NEW_VARIABLE + 1
    if not text.startswith("?"):
        return costs.NEW_VARIABLE
    return {0: 2, 1: 0}.get(sum(spot.text == text for spot in spots), 1)


def _with_one_less(sheet: TextUnderRepair, kind: str, spot: NameSpot, fits: Fits) -> Iterator[Proposal]:
    items = spot.whole.items
    fillers = [filler_of(item) for item in items[1:]]
    for at in range(len(fillers)):
        cost = fits(sheet, kind, spot.text, [*fillers[:at], *fillers[at + 1 :]])
        gone = items[at + 1]
        if at and fillers[at] == fillers[at - 1]:
            cost -= costs.DOUBLED
        text = sheet.text_of(gone)
        reason = f"{sheet.text_of(spot.whole)} has an argument too many: `{text}`"
        span = type(gone.span)(items[at].span.end, gone.span.end)
        yield Proposal(reason, (Edit(span, ""),), costs.ARGUMENT + cost)
