"""Structures of a sheet in words: boards, pieces, counters, quantities, turns, and orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..evaluate import Structure, StructureKind


def structure_lines(structures: Iterable[Structure]) -> Iterator[str]:
    """A line for each: its kind, its pattern, its line in the sheet, and what it is."""
    for each in structures:
        where = f"line {each.line}" if each.line else ""
        yield f"{each.kind.value:<10} {each.pattern:<28} {where:<9} {structure_words(each)}".rstrip()


def structure_words(structure: Structure) -> str:
    """What a structure is; arguments are counted from 1."""
    kind = structure.kind
    if kind is StructureKind.BOARD:
        return "; ".join(_board_words(structure))
    if kind is StructureKind.MARKER:
        return f"piece of {structure.owner}" if structure.owner is not None else "can stand there"
    if kind is StructureKind.TURN:
        return f"{structure.owner} is to move"
    order = structure.order
    assert order is not None
    if kind is StructureKind.SUCCESSOR:
        return f"{len(order.ranks)} things in a row"
    along = f"one of {len(order.ranks)} in the row of {order.relation[0]}"
    return along if structure.owner is None else f"of {structure.owner}; {along}"


def _board_words(board: Structure) -> Iterator[str]:
    yield f"{board.size} cells"
    ordered = [place for place, _ in board.axes]
    if ordered:
        yield f"coordinates at {_listed(ordered)}"
    others = [place for place in board.places if place not in ordered]
    if others:
        yield f"cells named at {_listed(others)}"
    if board.contents is not None:
        yield f"contents at {board.contents + 1}"


def _listed(places: Sequence[int]) -> str:
    return ", ".join(str(place + 1) for place in places)
