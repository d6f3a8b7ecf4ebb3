"""Two arguments in each other's place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from . import costs
from .fit import filler_of, is_usual, misfit
from .focus import Focus
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair


def propose_swaps(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """Each two arguments of each term in forms with symptoms, exchanged; cheaper where both fit better so."""
    for number in sorted(focus.forms):
        for spot in sheet.spots[number]:
            items = spot.whole.items
            if spot.role not in ("relation", "function") or len(items) < 3:
                continue
            kind = "r" if spot.role == "relation" else "f"
            fillers = [filler_of(item) for item in items[1:]]
            for i, j in combinations(range(len(fillers)), 2):
                one, other = items[i + 1], items[j + 1]
                if sheet.text_of(one) == sheet.text_of(other):
                    continue
                swapped = list(fillers)
                swapped[i], swapped[j] = swapped[j], swapped[i]
                cost = costs.ARGUMENT + misfit(sheet, kind, spot.text, swapped)
                if is_usual(sheet, kind, spot.text, fillers):
                    cost += costs.OTHER_KIND
                edits = (Edit(one.span, sheet.text_of(other)), Edit(other.span, sheet.text_of(one)))
                reason = f"two arguments of {sheet.text_of(spot.whole)} are swapped"
                yield Proposal(reason, edits, cost)
