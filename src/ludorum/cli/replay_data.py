"""The data of a replay page's script: the board, and of each step only the changes.

So a match of hundreds of steps stays a small page; the script adds the changes up once, when it loads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict

from ..rules.terms import Term, format_term, sort_key
from ..scene.model import CardFace, CardPile, CardScene
from ..show.board import last_places
from ..show.grid import Grid, Place, place_name
from ..show.picture import look_of
from ..show.pieces import CHANCE, Piece, make_pieces
from .replay_folds import Fold, folds_of
from .replay_frames import Frame, Reel

Cells = dict[int, list[int]]
"""The contents of each place that is not empty, by numbers of places and of contents."""


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
    folds = folds_of(reel)
    pack = {card: at for at, card in enumerate(_cards_shown(reel))}
    return {
        "pack": [_face(card) for card in pack],
        "folds": [[fold.first, fold.last, fold.text] for fold in folds],
        "start": _start(folds),
        "grid": None if grid is None else _grid(reel, grid, pieces),
        "facts": [[fact.name, " ".join(map(format_term, fact.args))] for fact in facts],
        "frames": [
            _notes(frame, grid)
            | ({} if frame.cards is None else {"cards": _table(frame.cards, pack)})
            | {
                "cells": _changes(cells[at - 1] if at else {}, cells[at]),
                "gone": sorted(numbers[fact] for fact in (off_board[at - 1] if at else none) - off_board[at]),
                "come": sorted(numbers[fact] for fact in off_board[at] - (off_board[at - 1] if at else none)),
            }
            for at, frame in enumerate(reel.frames)
        ],
        "goals": [(role, value) for role, value in reel.goals if role != CHANCE],
    }


def told_moves(frame: Frame, grid: Grid | None) -> list[tuple[str, str]]:
    """Roles and moves as a page writes them: squares in one word (``move e2 e4``), cards with their action
    (``plays K♥``)."""
    if frame.cards is not None:
        return [(role, _deed(frame, role) or text) for role, text in frame.shown_moves]
    return [(role, _squares(text, grid)) for role, text in frame.shown_moves]


def _deed(frame: Frame, role: str) -> str:
    """A role's action at a card table, in words; empty where it cannot be determined."""
    deeds = [text.removeprefix(f"{role} ") for text in frame.said if text.startswith(f"{role} ")]
    return deeds[0] if deeds else ""


def _squares(text: str, grid: Grid | None) -> str:
    if grid is None or not all(len(name) == 1 and name.isalpha() for name in grid.columns):
        return text
    words: list[str] = []
    for word in text.split(" "):
        if words and words[-1] in grid.columns and word.isdigit() and word in grid.rows:
            words[-1] += word
        else:
            words.append(word)
    return " ".join(words)


def _start(folds: Sequence[Fold]) -> int:
    """The first step shown to a reader: after the deal, where a match begins with one."""
    return folds[0].last if folds and folds[0].first == 1 else 0


def _cards_shown(reel: Reel) -> list[CardFace]:
    """Every card that lies open somewhere in the match."""
    found: set[CardFace] = set()
    for frame in reel.frames:
        if frame.cards is not None:
            places = [*(hand.hand for hand in frame.cards.hands), *frame.cards.piles]
            found.update(card for place in places for card in place.cards or ())
            found.update(card for _, card in frame.cards.trick)
    return sorted(found, key=lambda card: (card.suit, card.rank, card.words))


def _face(card: CardFace) -> dict[str, str]:
    """The text of a card as the script shows it; black is the colour of its cards without one."""
    colour = "" if card.colour == "black" else card.colour
    return {"rank": card.rank, "suit": card.suit, "colour": colour, "words": card.text}


def _table(table: CardScene, pack: Mapping[CardFace, int]) -> dict[str, object]:
    """Places with their cards by numbers, or only their count where they lie face down."""

    def lying(place: CardPile) -> object:
        return place.count if place.cards is None else [pack[card] for card in place.cards]

    return {
        "seats": [
            [hand.role, hand.is_viewer, hand.score, list(hand.notes), lying(hand.hand)]
            for hand in table.hands
        ],
        "trick": [[who, pack[card]] for who, card in table.trick],
        "taken": table.is_taken,
        "piles": [[pile.name, lying(pile)] for pile in table.piles],
        "suits": table.suits,
    }


def _notes(frame: Frame, grid: Grid | None) -> dict[str, object]:
    last: Iterable[Place] = ()
    if grid is not None:
        last = last_places(grid, [move for _, move in frame.moves], frame.facts, frame.before)
    return {
        "moves": told_moves(frame, grid),
        "said": frame.said,
        "errors": frame.errors,
        "told": frame.told,
        "ms": frame.milliseconds,
        "hidden": frame.facts is None and frame.cards is None,
        "last": [] if grid is None else list(dict.fromkeys(_number(grid, place) for place in last)),
    }


def _grid(reel: Reel, grid: Grid, pieces: Mapping[str, Piece]) -> dict[str, object]:
    moves = [move for frame in reel.frames for _, move in frame.moves]
    remarks = tuple(f"{layer.name} " for layer in grid.layers if layer.titled)
    return {
        "columns": grid.columns,
        "rows": list(reversed(grid.rows)),
        "places": [place_name((column, row)) for row in reversed(grid.rows) for column in grid.columns],
        "absent": sorted(_number(grid, place) for place in grid.absent),
        "look": look_of(grid, moves),
        "contents": [
            {"words": content, "remark": content.startswith(remarks)} | asdict(piece)
            for content, piece in pieces.items()
        ],
    }


def _marks(reel: Reel, grid: Grid) -> dict[str, str]:
    """The board's marks, and further ones for contents that were not known when the board was found."""
    spots = (grid.spot(fact) for frame in reel.frames for fact in frame.facts or ())
    shown = sorted({spot.content for spot in spots if spot is not None})
    return dict(grid.marks) | {content: content[:2] for content in shown if content not in grid.marks}


def _number(grid: Grid, place: Place) -> int:
    """Places are counted from the top left, line by line."""
    row = len(grid.rows) - 1 - grid.rows.index(place[1])
    return row * len(grid.columns) + grid.columns.index(place[0])


def _off_board(frame: Frame, grid: Grid | None) -> Iterable[Term]:
    facts = () if frame.cards else frame.facts or ()
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
    """Places with their present contents, where those have changed."""
    return [
        (place, after.get(place, []))
        for place in sorted(before.keys() | after.keys())
        if before.get(place) != after.get(place)
    ]
