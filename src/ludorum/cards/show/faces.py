"""Cards, moves and events as people read them: ``K♥``, ``player1 plays 7♠``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ...rules.terms import Pattern
from ...show.card_signs import LETTERS, SIGNS
from ..language.terms import PASS, Term, as_integer, format_term, is_card, is_string, player_number, text_of

BACK = "▒"
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def spoken(name: str) -> str:
    """A name of a chart as words.

    >>> spoken("leadSuit")
    'lead suit'
    """
    return _CAMEL.sub(" ", name).replace("_", " ").lower()


def face(what: Pattern) -> str:
    """A card in two or three signs; cards of other packs by their names."""
    if not isinstance(what, Term) or not is_card(what):
        return format_term(what)
    rank, suit = map(str, what.args)
    if suit not in SIGNS:
        return rank if rank == suit else f"{suit} {rank}"
    return LETTERS.get(rank, rank) + SIGNS[suit]


def faces(cards: Iterable[Term]) -> str:
    """The faces of cards in a line; between names of several words there are commas."""
    found = [face(card) for card in cards]
    return (", " if any(" " in one for one in found) else " ").join(found)


def backs(count: int) -> str:
    """Cards that are not seen."""
    return BACK * count if count <= 20 else f"{BACK} x{count}"


def value_text(value: Pattern) -> str:
    """A value with the cards in it as faces and players as ``player1``."""
    if not isinstance(value, Term):
        return format_term(value)
    if is_card(value) and "any" not in map(str, value.args):
        return face(value)
    index = player_number(value)
    if index is not None:
        return f"player{index}"
    if not value.args:
        return value.name
    return f"{value.name}({','.join(map(value_text, value.args))})"


def move_text(move: Term) -> str:
    """A move of a card game in a word: the card, ``pass``, or the choice."""
    if move is PASS or not move.args:
        return move.name
    return value_text(move.args[0])


def event_text(percept: Term) -> str:
    """An event as a sentence; empty for events that are not shown."""
    what = percept.args[2] if percept.name == "event" and len(percept.args) == 3 else percept
    if not isinstance(what, Term):
        return ""
    parts = [value_text(arg) for arg in what.args]
    match what.name, len(parts):
        case "played", 2:
            return f"{parts[0]} plays {parts[1]}"
        case "passed", 1:
            return f"{parts[0]} passes"
        case "drew", 2:
            return f"{parts[0]} draws {parts[1]}"
        case "drew", 1:
            return f"{parts[0]} draws a card"
        case "chose", 2:
            return f"{parts[0]} chooses {parts[1]}"
        case "moved", 3:
            return f"{parts[2]} goes from {parts[0]} to {parts[1]}"
        case "moved", 2:
            return f"a card goes from {parts[0]} to {parts[1]}"
        case "packRecycled", 0:
            return "the played cards are shuffled into a new pack"
        case "said", 1:
            said = what.args[0]
            return text_of(said) if isinstance(said, Term) and is_string(said) else parts[0]
    return ""


def events_text(percepts: Iterable[Term]) -> str:
    """All events as sentences, in order; cards drawn by one player together."""
    found: list[str] = []
    for percept in sorted(percepts, key=_time):
        text = event_text(percept)
        who, _, card = text.partition(" draws ")
        if card and card != "a card":
            at = next((at for at, one in enumerate(found) if one.startswith(f"{who} draws ")), None)
            if at is not None:
                found[at] += f" {card}"
                continue
        elif card and found.count(text):
            continue
        if text:
            found.append(text)
    return "; ".join(found)


def is_event(percept: Term) -> bool:
    """Whether a percept comes from a card game."""
    return percept.name == "event" and len(percept.args) == 3


def _time(percept: Term) -> tuple[int, ...]:
    return tuple(as_integer(arg) or 0 for arg in percept.args[:2] if isinstance(arg, Term))
