"""The faces of playing cards as values: of flow charts, and of rule sheets that name cards as people do."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.terms import Term
from ..show.card_signs import LETTERS, RED_SUITS, SIGNS
from ..show.pieces import COLOURS
from .model import CardFace


def card_face(card: Term) -> CardFace:
    """The face of a card of a flow chart: rank and suit, or a word and a colour where the pack is its own."""
    from ..cards.show.faces import face

    suit = str(card.args[1]) if len(card.args) == 2 else ""
    text = face(card)
    if suit in SIGNS:
        colour = "red" if suit in RED_SUITS else "black"
        return CardFace(text.removesuffix(SIGNS[suit]), SIGNS[suit], colour, f"{card.args[0]} of {suit}")
    colour = COLOURS.get(suit, "")
    return CardFace(str(card.args[0]) if colour else text, "", colour or "black", text)


def face_of_words(words: Sequence[str]) -> CardFace | None:
    """The face that words of a rule sheet name, ``jack`` or ``king spades``; None where they name no card."""
    if len(words) == 2 and words[1] in SIGNS and (words[0] in LETTERS or words[0].isdigit()):
        rank, suit = words
        colour = "red" if suit in RED_SUITS else "black"
        return CardFace(LETTERS.get(rank, rank), SIGNS[suit], colour, f"{rank} of {suit}")
    if len(words) == 1 and words[0] in LETTERS:
        return CardFace(LETTERS[words[0]], "", "black", words[0])
    return None
