"""Forgotten question marks: a constant named like a variable of its rule, and rare elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from . import costs
from .focus import Focus
from .generate_names import RARE
from .proposal import Edit, Proposal
from .sheet import TextUnderRepair


def propose_marks(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """The variable for each such constant; in any rule, since play may break down in another."""
    for spots in sheet.spots:
        variables = {spot.text for spot in spots if spot.role == "variable"}
        for spot in spots:
            mark = f"?{spot.text}"
            if spot.role != "constant" or mark not in variables or sheet.counts[spot.text] > RARE:
                continue
            cost = costs.SLIP
            if spot.place is not None and not sheet.held[spot.place][mark]:
                cost += costs.UNUSUAL
            yield Proposal(f"`{spot.text}` lacks its `?`", (Edit(spot.node.span, mark),), cost)
