"""Finds out whether the places of a board are hexagons: whether the rules give each place six neighbours."""

from __future__ import annotations

from ..rules.normalise.evaluate_static import evaluate_static
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..show.grid import Grid

_STRAIGHT = {(1, 0), (-1, 0), (0, 1), (0, -1)}
_RISING = {(1, 1), (-1, -1)}
_FALLING = {(1, -1), (-1, 1)}
MOST_ARGUMENTS = 6
"""Arguments of a relation between two places: four of theirs, and a name of the direction."""


def hexagon_lean(rules: Ruleset, grid: Grid) -> int:
    """Half places by which each row of hexagons lies to the right of the row above it, 1 or -1; else 0.

    They are where a relation that never changes leads from places to their four neighbours and to two more
    across one diagonal.
    """
    if grid.layers[0].joined:
        return 0
    columns = {name: at for at, name in enumerate(grid.columns)}
    rows = {name: at for at, name in enumerate(grid.rows)}
    for (_, arity), facts in evaluate_static(rules).by_signature.items():
        if not 4 <= arity <= MOST_ARGUMENTS:
            continue
        terms = [rule.head for rule in facts if not rule.body]
        for at in range(arity - 3) if terms else ():
            lean = _lean(_steps(terms, at, columns, rows))
            if lean:
                return lean
    return 0


def _steps(
    facts: list[Term], at: int, columns: dict[str, int], rows: dict[str, int]
) -> frozenset[tuple[int, int]]:
    """The distances between the two places in facts, in columns and rows; empty where some are no places."""
    found = set()
    for fact in facts:
        x, y, to_x, to_y = map(str, fact.args[at : at + 4])
        if x not in columns or to_x not in columns or y not in rows or to_y not in rows:
            return frozenset()
        found.add((columns[to_x] - columns[x], rows[to_y] - rows[y]))
    return frozenset(found)


def _lean(steps: frozenset[tuple[int, int]]) -> int:
    """Rows count from the bottom here: across a falling diagonal the row above lies further to the right."""
    if steps == _STRAIGHT | _FALLING:
        return -1
    return 1 if steps == _STRAIGHT | _RISING else 0
