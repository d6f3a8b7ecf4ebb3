"""How well arguments fit their places, by what these places hold in the rest of the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from ...rules.syntax import Node, NodeKind
from . import costs
from .sheet import TextUnderRepair
from .spots import same_place


def filler_of(node: Node) -> str:
    """What fills a place: a variable, a constant, or a function with its arity."""
    if node.kind is NodeKind.VARIABLE:
        return f"?{node.name}"
    return f"{node.head}/{len(node.items) - 1}" if node.kind is NodeKind.LIST else node.name


def misfit(sheet: TextUnderRepair, kind: str, name: str, fillers: Sequence[str]) -> int:
    """The cost of arguments in places where the rest of the sheet never has them."""
    cost = 0
    for index, filler in enumerate(fillers):
        held = sheet.held.get(same_place((kind, name, len(fillers), index)))
        if held is None or held[filler]:
            continue
        cost += costs.UNUSUAL if filler.startswith("?") else costs.MISFIT
    return cost


def is_usual(sheet: TextUnderRepair, kind: str, name: str, fillers: Sequence[str]) -> bool:
    """Whether the arguments are variables in places they have elsewhere too, and so hardly wrong here."""
    return all(
        filler.startswith("?") and sheet.held[same_place((kind, name, len(fillers), index))][filler] > 1
        for index, filler in enumerate(fillers)
    )


FEWEST_ROWS = 3
"""The number of facts of one name from which on they count as a table."""


def row_misfit(sheet: TextUnderRepair, kind: str, name: str, fillers: Sequence[str]) -> int:
    """The cost of a fact that does not continue the table of the other facts."""
    rows = sheet.rows.get((kind, name, len(fillers)), [])
    if len(rows) < FEWEST_ROWS or any("/" in filler or filler.startswith("?") for filler in fillers):
        return misfit(sheet, kind, name, fillers)
    cost = 3 * costs.MISFIT * (tuple(fillers) in rows)
    for index, filler in enumerate(fillers):
        column = [row[index] for row in rows]
        # A column without repeated values continues with a new value.
        cost += costs.MISFIT * ((filler in column) == (len(set(column)) == len(column)))
    wanted = dict(continued(rows, fillers))
    return cost + 2 * costs.MISFIT * sum(fillers[at] != text for at, text in wanted.items())


def continued(rows: Sequence[tuple[str, ...]], fillers: Sequence[str | None]) -> Iterator[tuple[int, str]]:
    """The places whose value follows from the others, where two columns are numbers a constant apart."""
    for one, other in permutations(range(len(fillers)), 2):
        known = fillers[one]
        if known is None or not _is_number(known):
            continue
        steps = {
            int(row[other]) - int(row[one]) if _is_number(row[one]) and _is_number(row[other]) else None
            for row in rows
        }
        if len(steps) == 1 and (step := steps.pop()) is not None:
            yield other, str(int(known) + step)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
