"""Colours of the screen: those of roles and pieces by their names, those of boards, and styles for words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.style import Style

from ...scene.move_words import FILLED
from ...show.pieces import Piece

COLOURS = {
    "white": "#ffffff", "black": "#101010", "red": "#f2545b", "blue": "#5aa2ff", "green": "#4cc97a",
    "yellow": "#ffd84a", "orange": "#ff9f43", "purple": "#c08bff", "teal": "#3fd0c9", "brown": "#b9855a",
    "pink": "#ff8ac2", "grey": "#9aa4b0",
}  # fmt: skip
"""The colours of ``pieces`` on a screen."""

DIM = Style(dim=True)
STRONG = Style(bold=True)


@dataclass(frozen=True)
class Board:
    """The colours of a board's places, two by turns, and those of marked ones."""

    light: str
    dark: str
    last: str
    chosen: str
    target: str


WOOD = Board("#b99470", "#8f6a4a", "#a8a03c", "#4f8f5b", "#6f9d57")
GREEN = Board("#3f8a5f", "#37805a", "#6d9a3a", "#2f6f9f", "#4f9fb0")
SLATE = Board("#2f4156", "#293a4d", "#4d5b2f", "#2f6f5f", "#3b6a76")


def board_of(pieces: Iterable[Piece]) -> Board:
    """Wood for chessmen, green where black men stand, slate for all others."""
    found = list(pieces)
    if any(piece.shape in FILLED for piece in found):
        return WOOD
    return GREEN if any(piece.colour == "black" for piece in found) else SLATE


def name_style(colour: str) -> Style:
    """The style of a role's name: black ink would not be seen on a dark screen, so black is underlined."""
    if colour in ("black", "white"):
        return Style(bold=True, underline=colour == "black")
    return Style(bold=True, color=COLOURS[colour])
