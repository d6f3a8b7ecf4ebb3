"""The faces of playing cards as values: of flow charts, and of rule sheets that name cards as people do."""

from __future__ import annotations

from ..rules.terms import Term
from ..show.pieces import COLOURS
from .model import CardFace

RED_SUITS = frozenset({"hearts", "diamonds"})


def card_face(card: Term) -> CardFace:
    """The face of a card of a flow chart: rank and suit, or a word and a colour where the pack is its own."""
    from ..cards.show.faces import SIGNS, face

    suit = str(card.args[1]) if len(card.args) == 2 else ""
    text = face(card)
    if suit in SIGNS:
        colour = "red" if suit in RED_SUITS else "black"
        return CardFace(text.removesuffix(SIGNS[suit]), SIGNS[suit], colour, f"{card.args[0]} of {suit}")
    colour = COLOURS.get(suit, "")
    return CardFace(str(card.args[0]) if colour else text, "", colour or "black", text)
