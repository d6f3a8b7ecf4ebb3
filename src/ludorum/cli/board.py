"""Draws a state as text: a board where the facts show a grid, and the other facts beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..engine.game import Game, State
from ..engine.reference import ReferenceGame
from ..rules.terms import Pattern, Term, sort_key

EMPTY = frozenset({"b", "blank", "empty", "e", "none"})
"""Contents drawn as a dot."""


@dataclass(frozen=True)
class Grid:
    """A board: facts ``(name column row content)``."""

    name: str
    columns: tuple[Pattern, ...]
    rows: tuple[Pattern, ...]


def find_grid(game: Game) -> Grid | None:
    """The board of a game: the ternary fluent with the most cells, from ``base`` or else the first state."""
    groups: dict[str, list[Term]] = {}
    for fact in _possible_facts(game):
        if len(fact.args) == 3 and not any(isinstance(arg, Term) and arg.args for arg in fact.args):
            groups.setdefault(fact.name, []).append(fact)
    best: Grid | None = None
    for name, facts in sorted(groups.items()):
        grid = Grid(name, _axis(facts, 0), _axis(facts, 1))
        if best is None or len(grid.columns) * len(grid.rows) > len(best.columns) * len(best.rows):
            best = grid
    return best if best and len(best.columns) > 1 and len(best.rows) > 1 else None


def _possible_facts(game: Game) -> Iterable[Term]:
    if game.rules is not None and ("base", 1) in game.rules.by_signature:
        return [row[0] for row in ReferenceGame(game.rules, game.name).ask([("base", 1)])["base", 1]]
    return game.initial().facts()


def _axis(facts: list[Term], position: int) -> tuple[Pattern, ...]:
    return tuple(sorted({fact.args[position] for fact in facts}, key=sort_key))


def draw(state: State, grid: Grid | None) -> str:
    """The board with coordinates, first row at the bottom, and the remaining facts under it."""
    lines: list[str] = []
    rest = state.facts()
    if grid is not None:
        cells = {
            fact.args[:2]: str(fact.args[2])
            for fact in rest
            if fact.name == grid.name and len(fact.args) == 3
        }
        marks = _short_marks(set(cells.values()))
        width = max(len(str(label)) for label in (*grid.columns, *marks.values()))
        margin = max(len(str(row)) for row in grid.rows)
        for row in reversed(grid.rows):
            drawn = (marks.get(cells.get((column, row), "empty"), ".") for column in grid.columns)
            lines.append(f"{row!s:>{margin}} " + " ".join(f"{mark:>{width}}" for mark in drawn))
        lines.append(" " * margin + " " + " ".join(f"{column!s:>{width}}" for column in grid.columns))
        rest = frozenset(fact for fact in rest if not (fact.name == grid.name and len(fact.args) == 3))
    if rest:
        lines.append(" ".join(str(fact) for fact in sorted(rest, key=sort_key)))
    return "\n".join(lines)


def _short_marks(contents: set[str]) -> dict[str, str]:
    """One letter for each content where first letters differ, else the whole word."""
    full = sorted(content for content in contents if content not in EMPTY)
    short = {content: content[0].upper() if len(content) > 1 else content for content in full}
    unique = len(set(short.values())) == len(full)
    return {
        **{content: short[content] if unique else content for content in full},
        **dict.fromkeys(EMPTY, "."),
    }
