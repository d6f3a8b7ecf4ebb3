"""How well arguments fit their places, by what these places hold in the rest of the sheet."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.syntax import Kind, Node
from . import costs
from .sheet import Sheet
from .spots import same_place


def filler_of(node: Node) -> str:
    """What fills a place: a variable, a constant, or a function with its arity."""
    if node.kind is Kind.VARIABLE:
        return f"?{node.name}"
    return f"{node.head}/{len(node.items) - 1}" if node.kind is Kind.LIST else node.name


def misfit(sheet: Sheet, kind: str, name: str, fillers: Sequence[str]) -> int:
    """What it costs that arguments stand where the sheet never has them."""
    cost = 0
    for index, filler in enumerate(fillers):
        held = sheet.held.get(same_place((kind, name, len(fillers), index)))
        if held is None or held[filler]:
            continue
        cost += costs.UNUSUAL if filler.startswith("?") else costs.MISFIT
    return cost
