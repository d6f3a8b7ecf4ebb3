"""The board in colours, as large as the room allows; signs at the edges of a place repeat the colours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text

from ...rules.terms import Term
from ...scene.move_words import FILLED
from ...show.board import UNKNOWN, Marked
from ...show.grid import Grid, Place, PlacedFact
from ...show.marks import empty_contents
from ...show.pieces import Piece
from .palette import COLOURS, DIM, Board, board_of
from .picture import ScreenPicture, Spot

SIZES = ((15, 7), (11, 5), (7, 3), (5, 2), (3, 1))
"""Width and height of a place, largest first; a sign is about twice as high as it is wide."""

_SMALL: Mapping[str, Mapping[int, Sequence[str]]] = {
    "disc": {1: ("●",), 2: ("▄▄▄", "▀▀▀")},
    "ring": {1: ("○",), 2: ("╭─╮", "╰─╯")},
    "cross": {1: ("×",), 2: ("╲ ╱", "╱ ╲")},
}
"""Shapes in low places, by the height of a place; in higher ones they are computed."""

_SIGNS = {"cursor": "><", "chosen": "()", "last": "[]"}


@dataclass(frozen=True)
class Look:
    """How one game's board is drawn: its pieces and its colours."""

    grid: Grid
    pieces: Mapping[str, Piece]
    board: Board

    @classmethod
    def of(cls, grid: Grid, pieces: Mapping[str, Piece]) -> Look:
        return cls(grid, pieces, board_of(pieces.values()))


def draw_board(
    facts: frozenset[Term] | None, look: Look, marked: Marked, targets: Collection[Place],
    room: tuple[int, int], hides: bool = False,
) -> ScreenPicture:  # fmt: skip
    """The board, first row at the bottom, in at most ``room`` columns and lines if a size allows that.

    ``targets`` are where a chosen piece can go. ``hides``: nothing is known of places without facts.
    """
    grid = look.grid
    margin = max(map(len, grid.rows)) + 1
    width, height = _size(grid, margin, room)
    contents = _contents(facts, grid) if facts is not None else {}
    picture = ScreenPicture()
    for at, row in enumerate(reversed(grid.rows)):
        lines = [Text(" " * margin) for _ in range(height)]
        lines[height // 2] = Text.assemble((f"{row:>{margin - 1}} ", DIM))
        for column_at, column in enumerate(grid.columns):
            place = column, row
            spot = Spot(margin + column_at * width, at * height, width, height, place)
            picture.spots.append(spot)
            ground = _ground(place, (column_at + len(grid.rows) - at) % 2 == 0, look, marked, targets)
            unknown = (hides or facts is None) and (not grid.places or place in grid.places)
            cell = _cell(place, contents, unknown, look, spot, place in targets)
            for line, text in zip(lines, _signed(cell, place, marked, spot), strict=True):
                text.stylize_before(ground)
                line.append_text(text)
        picture.add(lines)
    labels = "".join(column.center(width) for column in grid.columns)
    picture.add([Text(" " * margin + labels.rstrip(), DIM)])
    return picture


def _size(grid: Grid, margin: int, room: tuple[int, int]) -> tuple[int, int]:
    for width, height in SIZES:
        if len(grid.columns) * width + margin <= room[0] and len(grid.rows) * height + 1 <= room[1]:
            return width, height
    return max(SIZES[-1][0], *(len(column) + 1 for column in grid.columns)), 1


def _contents(facts: frozenset[Term], grid: Grid) -> dict[Place, list[str]]:
    spots: dict[Place, list[PlacedFact]] = {}
    for fact in facts:
        if (spot := grid.spot(fact)) is not None:
            spots.setdefault(spot.place, []).append(spot)
    empty = empty_contents(grid.marks)
    return {
        place: [spot.content for spot in sorted(found) if spot.content not in empty]
        for place, found in spots.items()
    }


def _ground(place: Place, light: bool, look: Look, marked: Marked, targets: Collection[Place]) -> Style:
    if look.grid.places and place not in look.grid.places:
        return Style()
    board = look.board
    for places, colour in ((marked.chosen, board.chosen), (targets, board.target), (marked.last, board.last)):
        if place in places:
            return Style(bgcolor=colour)
    return Style(bgcolor=board.light if light else board.dark)


def _cell(
    place: Place, contents: Mapping[Place, Sequence[str]], unknown: bool, look: Look, spot: Spot, target: bool
) -> list[Text]:  # fmt: skip
    """The content of a place, as many lines as the place is high."""
    found = contents.get(place, ())
    if not found:
        unknown = unknown and place not in contents  # a fact may say that the place is empty
        sign = UNKNOWN if unknown else "•" if target else ""
        return _middle(Text(sign, DIM if unknown else Style(bold=True)), spot)
    if len(found) == 1 and (piece := look.pieces.get(found[0])) is not None:
        return _piece(piece, spot)
    marks = Text()
    for content in found:
        known = look.pieces.get(content)
        style = Style(color=COLOURS[known.colour], bold=True) if known else Style(bold=True)
        marks.append(look.grid.marks.get(content, content[:2]), style)
    return _middle(marks, spot)


def _piece(piece: Piece, spot: Spot) -> list[Text]:
    ink = Style(color=COLOURS[piece.colour], bold=True)
    if piece.shape in FILLED:
        return _middle(Text(FILLED[piece.shape], ink), spot)
    if piece.shape == "tile":
        return _middle(Text(piece.text, ink), spot)
    shape = "disc" if piece.shape == "crown" else piece.shape
    sign = "K" if piece.shape == "crown" else piece.text
    if sign and spot.height == 1:
        return _middle(Text(sign, ink), spot)
    lines = [_centred(_inked(line, ink), spot.width) for line in _shape(shape, spot)]
    if sign:
        paper = Style(
            color="#101010" if piece.colour != "black" else "#ffffff", bgcolor=COLOURS[piece.colour]
        )
        at = (spot.width - len(sign)) // 2
        line = lines[spot.height // 2]
        line = line[:at] + Text(sign, paper) + line[at + len(sign) :]
        lines[spot.height // 2] = line
    return lines


def _shape(shape: str, spot: Spot) -> Sequence[str]:
    """A shape as high as its place, and a little narrower."""
    height = spot.height
    if shape == "block":
        return ["▒" * spot.width] * height
    if height in _SMALL[shape]:
        return _SMALL[shape][height]
    width = 2 * height - 1
    if shape == "disc":
        edge = (height - 1) // 2
        top, bottom = (" " * edge + sign * (width - 2 * edge) + " " * edge for sign in "▄▀")
        return [top, *["█" * width] * (height - 2), bottom]
    if shape == "ring":
        line = "─" * (width - 2)
        return [f"╭{line}╮", *["│" + " " * (width - 2) + "│"] * (height - 2), f"╰{line}╯"]
    rows = []
    for at in range(height):
        row = [" "] * width
        row[width - 1 - 2 * at], row[2 * at] = "╱", "╲"
        rows.append("".join(row) if 2 * at != height - 1 else "╳".center(width))
    return rows


def _inked(line: str, ink: Style) -> Text:
    """A line of a shape; full blocks are drawn as background, which has no gaps between lines."""
    full = Style(bgcolor=ink.color)
    return Text.assemble(*((" ", full) if sign == "█" else (sign, ink) for sign in line))


def _middle(text: Text, spot: Spot) -> list[Text]:
    """A sign in the middle of a place."""
    lines = [Text(" " * spot.width) for _ in range(spot.height)]
    lines[spot.height // 2] = _centred(text, spot.width)
    return lines


def _centred(text: Text, width: int) -> Text:
    left = max(0, width - text.cell_len) // 2
    return Text(" " * left) + text + Text(" " * max(0, width - text.cell_len - left))


def _signed(cell: list[Text], place: Place, marked: Marked, spot: Spot) -> list[Text]:
    """The signs of the cursor, of a choice or of the last move at both edges of a place, if it has any."""
    kinds = [("cursor", (marked.cursor,)), ("chosen", marked.chosen), ("last", marked.last)]
    kind = next((kind for kind, places in kinds if place in places), None)
    line = cell[spot.height // 2]
    if kind is None or line.cell_len < 3:
        return cell
    style = Style(bold=True, color="#ffffff")
    signs = _SIGNS[kind]
    cell[spot.height // 2] = Text(signs[0], style) + line[1:-1] + Text(signs[1], style)
    return cell
