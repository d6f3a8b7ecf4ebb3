"""The faces of playing cards as values: of flow charts, and of rule sheets that name cards as people do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..rules.ruleset import Ruleset
from ..rules.terms import Pattern, Term
from ..rules.wdl.names import without_module
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


def listed_faces(rules: Ruleset) -> dict[str, CardFace]:
    """The faces of cards that a sheet calls by names of their own, and lists: ``(card sq spades queen)``."""
    found: dict[str, CardFace] = {}
    for (_, arity), rows in rules.by_signature.items():
        if arity != 3 or any(rule.body for rule in rows):
            continue
        faces = {str(rule.head.args[0]): _listed_face(rule.head) for rule in rows}
        if len(faces) == len(rows):
            found |= {name: face for name, face in faces.items() if face is not None}
    return found


def _listed_face(row: Term) -> CardFace | None:
    _, suit, rank = (without_module(str(arg)) for arg in row.args)
    return face_of_words((rank, suit))


def face_of_args(args: Sequence[Pattern], listed: Mapping[str, CardFace]) -> CardFace | None:
    """The face that arguments of a fact name; None where they name no card."""
    words = [str(arg) for arg in args]
    if len(words) == 1 and words[0] in listed:
        return listed[words[0]]
    return face_of_words([without_module(word) for word in words])
