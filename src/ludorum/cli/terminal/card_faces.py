"""Playing cards in colours: small ones in a line, and large ones of three lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from ...scene.card_faces import face_of_words
from ...show.card_signs import SIGNS

PAPER, WORN = "#f4f1ea", "#a5a29a"
"""The paper of a card that can be played, or lies open, and of one that cannot be played now."""
RED, BLACK = "#c2182b", "#15181c"
BACKS = Style(color="#5aa2ff")

LARGE_WIDTH, LARGE_HEIGHT = 5, 3


def text_of_words(words: Sequence[str]) -> str | None:
    """The card that words of a rule sheet name, ``jack`` or ``king spades``, as text; else None."""
    face = face_of_words(words)
    return None if face is None else face.rank + face.suit


def card_style(face: str, bright: bool = True) -> Style:
    ink = RED if face[-1:] in "♥♦" else BLACK
    return Style(color=ink, bgcolor=PAPER if bright else WORN, bold=True)


def small_card(face: str, bright: bool = True) -> Text:
    return Text(f" {face} ", card_style(face, bright))


def large_card(face: str, bright: bool = True) -> list[Text]:
    """A card of five columns: its rank in two corners and its suit in the middle; wider for a long name."""
    rank, suit = (face[:-1], face[-1]) if face[-1:] in SIGNS.values() else (face, "")
    rows = (rank.ljust(5), suit.center(5), rank.rjust(5)) if suit else ("", f" {rank} ", "")
    width = max(LARGE_WIDTH, *map(len, rows))
    return [Text(row.center(width), card_style(face, bright)) for row in rows]


def fits_large(face: str) -> bool:
    return len(face) <= LARGE_WIDTH
