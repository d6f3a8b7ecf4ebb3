"""A position as text for one viewer: own cards face up, others as backs, and all variables."""

from __future__ import annotations

from ...rules.terms import sort_key
from ..language.deck import SUITS
from ..language.terms import EMPTY, FALSE, Term, format_term, number, player
from ..machine.outcome import scores
from ..machine.position import PACK, CardPosition, hand
from .faces import backs, faces, value_text

_SHOWN_ELSEWHERE = {"score", "cardsRemaining", "middle", "passed", "rankValue", "pointValue", "suit"}


def picture(position: CardPosition, viewer: int | None, with_variables: bool = True) -> list[str]:
    """Lines of a picture; ``viewer`` is a player, or None for a view of everything."""
    lines = []
    for index, score in enumerate(scores(position)):
        you = " (you)" if index == viewer else ""
        lines.append(f"player{index}{you}  score {score}  {_cards(position, hand(index), viewer)}")
        middle = position.variables[Term("middle", (player(index),))]
        notes = [] if middle is EMPTY else [f"in the middle {value_text(middle)}"]
        if position.variables[Term("passed", (player(index),))] is not FALSE:
            notes.append("passed")
        if notes:
            lines[-1] += f"  [{', '.join(notes)}]"
    for place in sorted(position.places, key=sort_key):
        if place.name != "hand" and position.places[place]:
            lines.append(f"{value_text(place):<8} {_cards(position, place, viewer)}")
    lines.append(f"{'pack':<8} {backs(position.count(PACK))}")
    variables = variables_text(position) if with_variables else ""
    if variables:
        lines.append(variables)
    return lines


def variables_text(position: CardPosition) -> str:
    """The chart's own variables, by name."""
    own = {name: value for name, value in position.variables.items() if name.name not in _SHOWN_ELSEWHERE}
    own.pop(Term("numberOfPlayers"), None)
    return ", ".join(f"{value_text(name)}={value_text(own[name])}" for name in sorted(own, key=format_term))


def all_variables(position: CardPosition) -> dict[str, str]:
    """Every variable by name, except constants."""
    suits = {Term("suit", (number(at),)) for at in range(len(SUITS))}
    return {
        format_term(name): format_term(value)
        for name, value in sorted(position.variables.items(), key=lambda item: format_term(item[0]))
        if name not in suits
    }


def seen_by(position: CardPosition, viewer: int | None) -> dict[str, object]:
    """The places of a position for programs: cards where they are seen, else their number."""
    found: dict[str, object] = {"pack": position.count(PACK)}
    for place, cards in sorted(position.places.items(), key=lambda item: format_term(item[0])):
        seen = viewer is None or position.sees(viewer, place)
        found[format_term(place)] = [format_term(one) for one in cards] if seen else len(cards)
    return found


def _cards(position: CardPosition, place: Term, viewer: int | None) -> str:
    cards = position.cards(place)
    seen = viewer is None or position.sees(viewer, place)
    return faces(cards) if seen else backs(len(cards))
