"""Draws a state as text: a board where the facts show a grid, and the other facts in groups.

Signs carry the meaning, not colours: ``[x]`` is a place of the last move, ``>x<`` the cursor, ``(x)`` a
chosen place, ``*`` before a fact that was not true a step ago.
"""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from ..rules.terms import Term, sort_key
from .grid import Grid, Place, PlacedFact

UNKNOWN = "?"
MOST_APPEARED = 4
"""Where more facts are new in one step, none is marked."""


@dataclass(frozen=True)
class Marked:
    """Places that are shown in a special way."""

    last: Collection[Place] = ()
    chosen: Collection[Place] = ()
    cursor: Place | None = None


PLAIN = Marked()


def draw_state(
    facts: frozenset[Term], grid: Grid | None, before: frozenset[Term] | None = None, width: int = 78,
    marked: Marked = PLAIN, unknown: bool = False,
) -> str:  # fmt: skip
    """The board with coordinates, a legend of its letters, and the remaining facts under it.

    ``unknown`` says that some facts are hidden, so that nothing is known of places without any.
    """
    lines: list[str] = []
    rest: Iterable[Term] = facts
    if grid is not None:
        lines += draw_board(facts, grid, marked, unknown)
        lines += legend(facts, grid, width)
        rest = [fact for fact in facts if grid.spot(fact) is None]
    lines += list_facts(rest, before, width)
    return "\n".join(lines)


def last_places(
    grid: Grid, moves: Iterable[Term], facts: frozenset[Term] | None, before: frozenset[Term] | None
) -> list[Place]:
    """The places that the last moves name; where they name none, those with new facts."""
    named = [place for move in moves for place in grid.places_in(move)]
    if named or facts is None or before is None:
        return named
    new = [spot for fact in facts - before if (spot := grid.spot(fact))]
    places = {spot.place for spot in new if _mark(spot.content, grid) != "."}
    return list(places) if len(places) <= MOST_APPEARED else []


def draw_board(
    facts: frozenset[Term] | None, grid: Grid, marked: Marked = PLAIN, unknown: bool = False
) -> list[str]:
    """The board, first row at the bottom; without facts every place is unknown."""
    cells = _cells(facts, grid) if facts is not None else {}
    empty = UNKNOWN if unknown or facts is None else "."
    width = max(map(len, (*grid.columns, *cells.values())))
    margin = max(map(len, grid.rows))
    lines = []
    for row in reversed(grid.rows):
        places = [(column, row) for column in grid.columns]
        line = _gap(None, places[0], marked)
        for at, place in enumerate(places):
            after = places[at + 1] if at + 1 < len(places) else None
            line += f"{cells.get(place, empty):>{width}}" + _gap(place, after, marked)
        lines.append(f"{row:>{margin}} {line}".rstrip())
    lines.append(" " * (margin + 1) + "".join(f" {column:>{width}}" for column in grid.columns))
    return lines


def _gap(left: Place | None, right: Place | None, marked: Marked) -> str:
    """The sign between two places: the cursor's takes precedence over a choice's, and that over the last
    move's."""
    if marked.cursor is not None:
        if right == marked.cursor:
            return ">"
        if left == marked.cursor:
            return "<"
    for places, signs in ((marked.chosen, "()"), (marked.last, "[]")):
        opens, closes = right in places, left in places
        if opens or closes:
            return "|" if opens and closes else signs[0] if opens else signs[1]
    return " "


def _cells(facts: frozenset[Term], grid: Grid) -> dict[Place, str]:
    """The mark of each place; facts that share a place are drawn side by side."""
    spots: dict[Place, list[PlacedFact]] = {}
    for fact in facts:
        if (spot := grid.spot(fact)) is not None:
            spots.setdefault(spot.place, []).append(spot)
    return {
        place: "".join(mark for spot in sorted(found) if (mark := _mark(spot.content, grid)) != ".") or "."
        for place, found in spots.items()
    }


def _mark(content: str, grid: Grid) -> str:
    return grid.marks.get(content, content[:2])


def legend(facts: frozenset[Term] | None, grid: Grid, width: int = 78) -> list[str]:
    """The legend of the marks, where they are not words already."""
    present = {spot.content for fact in facts or () if (spot := grid.spot(fact))}
    told = [
        f"{mark} {spaced(content)}"
        for content, mark in grid.marks.items()
        if content in present and mark not in (".", content, content.upper())
    ]
    return wrap("  ".join(told).split("  "), "  ", width) if told else []


def list_facts(facts: Iterable[Term], before: frozenset[Term] | None = None, width: int = 78) -> list[str]:
    """Facts in groups by their relation; a star stands before a new fact."""
    groups: dict[str, list[str]] = {}
    for fact in sorted(facts, key=sort_key):
        new = "*" if before is not None and fact not in before else ""
        if fact.args:
            entry = new + " ".join(spaced(str(arg)) for arg in fact.args)
            groups.setdefault(spaced(fact.name), []).append(entry)
        else:
            groups.setdefault("", []).append(new + spaced(fact.name))
    margin = min(16, max(map(len, groups), default=0))
    lines = []
    for name, entries in groups.items():
        wrapped = wrap(entries, ", ", max(20, width - margin - 2))
        for at, line in enumerate(wrapped):
            lines.append(f"{name if at == 0 else '':<{margin}}  {line}" if margin else line)
    return lines


def spaced(name: str) -> str:
    """A name of a rule sheet in words.

    >>> spaced("may_castle")
    'may castle'
    """
    return name.replace("_", " ")


def wrap(entries: list[str], separator: str, width: int) -> list[str]:
    """Entries in lines of at most ``width`` characters; only an entry longer than a line is broken."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(separator) + len(entry) <= width:
            lines[-1] += separator + entry
        else:
            lines += textwrap.wrap(entry, width) or [""]
    return lines
