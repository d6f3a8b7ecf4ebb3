"""The values of a scene: what pages draw and readers speak. Everything here can be written as JSON.

A scene holds only what its viewer may see. Pages draw it without any knowledge of the game: shapes, colours
and words are decided here, from the structures that the rules show.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True)
class PieceLook:
    """How one content of a board is drawn."""

    words: str
    """The content in words, for readers and titles: ``white knight``."""
    shape: str
    """king, queen, rook, bishop, knight, pawn, disc, crown, cross, ring, block or tile."""
    colour: str
    text: str = ""
    """The text on it."""
    remark: bool = False
    """Whether it is drawn small, in a corner: a mark on the place rather than a piece."""


@dataclass(frozen=True)
class BoardScene:
    """A board: places are numbered row by row from the top left."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    """From the top."""
    shape: Literal["square", "hex", "points"]
    """Each row of hexagons lies half a place to the right of the row above it. Points are tall: men stand on
    them in stacks, those of the upper row from the top."""
    look: Literal["squares", "holes", "lines", "points"]
    """Squares in two colours where pieces move, holes where they are dropped, lines where they are put."""
    names: tuple[str, ...]
    """How people write each place: ``e4``."""
    absent: tuple[int, ...]
    """Places that do not exist."""
    contents: tuple[PieceLook, ...]
    """All contents that a place may have in this game, named by their number below."""
    cells: dict[int, tuple[int, ...]]
    """The contents of each place that is not empty; on points one for each man."""
    last: tuple[int, ...]
    """Places of the last move."""
    is_unknown: bool = False
    """Whether nothing is known of places without contents."""


@dataclass(frozen=True)
class CardFace:
    """The face of a card."""

    rank: str
    suit: str
    """A sign such as ``♥``; empty in packs of their own."""
    colour: str
    words: str

    @property
    def text(self) -> str:
        """The card in two or three signs, or by its name."""
        return self.rank + self.suit if self.suit else self.words


@dataclass(frozen=True)
class CardPile:
    """Cards at one place: with faces where they are seen, else only their number."""

    name: str
    count: int | None
    """None where the viewer is not told how many there are."""
    cards: tuple[CardFace, ...] | None


@dataclass(frozen=True)
class CardHand:
    """A player at the table, with what the viewer sees of the hand."""

    role: str
    is_viewer: bool
    score: int | None
    """None where the game counts none."""
    notes: tuple[str, ...]
    """What the table knows of this player, such as ``bid 3``."""
    hand: CardPile


@dataclass(frozen=True)
class CardScene:
    """A card table."""

    hands: tuple[CardHand, ...]
    trick: tuple[tuple[str, CardFace], ...]
    """Roles and what they have played, in this order."""
    is_taken: bool
    """Whether the trick is complete: it lies there to be looked at until something else happens."""
    piles: tuple[CardPile, ...]
    suits: tuple[tuple[str, str], ...]
    """Suits that matter, by name: ``trumps``, ``♠``."""


@dataclass(frozen=True)
class FactAmount:
    """How many of something there are."""

    label: str
    """Of what: ``alice``; empty where the relation says it."""
    count: int


@dataclass(frozen=True)
class Dice:
    """Dice as they lie."""

    label: str
    faces: tuple[int, ...]


@dataclass(frozen=True)
class FactGroup:
    """Facts that are not on the board or the table, in words, by their relation.

    Where all of them are amounts, dice or cards, a page draws them so.
    """

    name: str
    entries: tuple[str, ...]
    amounts: tuple[FactAmount, ...] = ()
    dice: tuple[Dice, ...] = ()
    cards: tuple[CardFace, ...] = ()


@dataclass(frozen=True)
class Scene:
    """What one viewer sees of one position."""

    board: BoardScene | None
    cards: CardScene | None
    facts: tuple[FactGroup, ...]
    told: tuple[str, ...]
    """What the viewer was told in the last step, where the rules hide something."""
    is_hidden: bool
    """Whether the rules hide the position from the viewer: what is shown is what is known for certain."""
    spoken: str
    """The whole scene in words, for those who hear the page."""


@dataclass(frozen=True)
class MoveChoice:
    """A legal move, with everything a page needs to offer it."""

    move: str
    """The move in the words of the rules: the name by which it is sent back."""
    words: str
    """The move as people write it."""
    writings: tuple[str, ...]
    """Other ways to type it."""
    places: tuple[int, ...] = ()
    """Numbers of the places it names, in order: a click on each of them chooses it. A disc that is dropped
    into a column has the place to which it falls."""
    card: CardFace | None = None
    """The card it plays."""
    waits: bool = field(default=False)
    """Whether it does nothing (``noop``, ``pass``), so that a page can offer it as a button."""
