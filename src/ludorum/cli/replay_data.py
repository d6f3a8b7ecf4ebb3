"""What the script of a replay page draws from: the board, and of each step only what changed.

A match of hundreds of steps stays a small page that way; the script adds the changes up once, when it loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from ..rules.terms import Term, format_term, sort_key
from ..show.board import last_places
from ..show.grid import Grid, Place
from ..show.pieces import Piece, make_pieces
from .card_table import said_moves
from .replay_frames import Frame, Reel

IDLE = "noop"
"""What rule sheets call the move of a role that has none; not worth telling beside a real one."""

Cells = dict[int, list[int]]
"""What stands on each place that is not empty, by numbers of places and of contents."""


def page_data(reel: Reel) -> dict[str, object]:
    """The whole match; places, contents and facts are named once and then by their numbers."""
    grid = reel.grid
    pieces = {} if grid is None else make_pieces(_marks(reel, grid), reel.roles)
    contents = {content: at for at, content in enumerate(pieces)}
    off_board = [frozenset(_off_board(frame, grid)) for frame in reel.frames]
    facts = sorted(frozenset[Term]().union(*off_board), key=sort_key)
    numbers = {fact: at for at, fact in enumerate(facts)}
    cells = [_cells(frame, grid, contents) for frame in reel.frames]
    none: frozenset[Term] = frozenset()
    return {
        "roles": list(reel.roles),
        "grid": None if grid is None else _grid(reel, grid, pieces),
        "facts": [[fact.name, " ".join(map(format_term, fact.args))] for fact in facts],
        "frames": [
            _notes(frame, grid)
            | {
                "cells": _changes(cells[at - 1] if at else {}, cells[at]),
                "gone": sorted(numbers[fact] for fact in (off_board[at - 1] if at else none) - off_board[at]),
                "come": sorted(numbers[fact] for fact in off_board[at] - (off_board[at - 1] if at else none)),
            }
            for at, frame in enumerate(reel.frames)
        ],
        "goals": list(reel.goals),
    }


def told_moves(frame: Frame) -> list[tuple[str, str]]:
    """Roles and moves as a page writes them: without idle roles where others move, and without brackets."""
    if frame.table:
        return list(said_moves(frame.moves))
    said = [(role, _bare(move)) for role, move in frame.moves]
    busy = [(role, move) for role, move in said if move != IDLE]
    return busy or said


def _bare(move: Term) -> str:
    return " ".join([move.name, *map(format_term, move.args)]) if move.args else format_term(move)


def _notes(frame: Frame, grid: Grid | None) -> dict[str, object]:
    last: Iterable[Place] = ()
    if grid is not None:
        last = last_places(grid, [move for _, move in frame.moves], frame.facts, frame.before)
    return {
        "moves": told_moves(frame),
        "errors": frame.errors,
        "told": frame.told,
        "ms": frame.milliseconds,
        "hidden": frame.facts is None and not frame.table,
        "table": frame.table,
        "last": [] if grid is None else list(dict.fromkeys(_number(grid, place) for place in last)),
    }


def _grid(reel: Reel, grid: Grid, pieces: Mapping[str, Piece]) -> dict[str, object]:
    absent = _absent(grid)
    remarks = tuple(f"{layer.name} " for layer in grid.layers if layer.titled)
    return {
        "columns": grid.columns,
        "rows": list(reversed(grid.rows)),
        "absent": absent,
        "look": "lines" if absent else _look(reel, grid),
        "contents": [
            {"words": content, "remark": content.startswith(remarks)} | asdict(piece)
            for content, piece in pieces.items()
        ],
    }


def _absent(grid: Grid) -> list[int]:
    """Places that are none, as in the corners of a star; draughts boards are whole though half is used."""
    places = [(column, row) for row in reversed(grid.rows) for column in grid.columns]
    used = {at for at, place in enumerate(places) if place in grid.places}
    parities = {sum(divmod(at, len(grid.columns))) % 2 for at in used}
    return [] if len(parities) < 2 else [at for at in range(len(places)) if at not in used]


def _look(reel: Reel, grid: Grid) -> str:
    """Squares in two colours where pieces travel, holes where they are dropped, lines where they are put."""
    moves = [move for frame in reel.frames for _, move in frame.moves if move.args]
    named = [grid.places_in(move) for move in moves]
    if any(len(set(places)) > 1 for places in named):
        return "squares"
    dropped = moves and all(len(move.args) == 1 and str(move.args[0]) in grid.columns for move in moves)
    return "holes" if dropped and not any(named) else "lines"


def _marks(reel: Reel, grid: Grid) -> dict[str, str]:
    """The board's marks, and some for what the match shows beyond what the board was made out from."""
    spots = (grid.spot(fact) for frame in reel.frames for fact in frame.facts or ())
    shown = sorted({spot.content for spot in spots if spot is not None})
    return dict(grid.marks) | {content: content[:2] for content in shown if content not in grid.marks}


def _number(grid: Grid, place: Place) -> int:
    """Places are counted from the top left, line by line."""
    row = len(grid.rows) - 1 - grid.rows.index(place[1])
    return row * len(grid.columns) + grid.columns.index(place[0])


def _off_board(frame: Frame, grid: Grid | None) -> Iterable[Term]:
    facts = () if frame.table else frame.facts or ()
    return (fact for fact in facts if grid is None or grid.spot(fact) is None)


def _cells(frame: Frame, grid: Grid | None, contents: Mapping[str, int]) -> Cells:
    found: dict[Place, list[tuple[int, int]]] = {}
    for fact in frame.facts or ():
        spot = None if grid is None else grid.spot(fact)
        if spot is not None and spot.content in contents:
            found.setdefault(spot.place, []).append((spot.layer, contents[spot.content]))
    if grid is None:
        return {}
    return {_number(grid, place): [number for _, number in sorted(here)] for place, here in found.items()}


def _changes(before: Cells, after: Cells) -> list[Sequence[object]]:
    """Places with what stands there now, where that is something else than before."""
    return [
        (place, after.get(place, []))
        for place in sorted(before.keys() | after.keys())
        if before.get(place) != after.get(place)
    ]
