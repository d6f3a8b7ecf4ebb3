"""A position as text for one viewer: own cards face up, others as backs; for the debugger all variables."""

from __future__ import annotations

from ...rules.terms import sort_key
from ...show.card_signs import SIGNS
from ..language.deck import SUITS
from ..language.terms import EMPTY, FALSE, Term, as_integer, format_term, number, player, player_number
from ..machine.outcome import scores
from ..machine.position import DISCARD, PACK, STACK, CardPosition, hand
from .faces import backs, faces, spoken, value_text

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
            lines.append(f"{place_words(place) + ' ':<8} {_cards(position, place, viewer)}")
    if position.count(PACK):
        lines.append(f"{'pack':<8} {backs(position.count(PACK))}")
    variables = variables_text(position) if with_variables else ""
    if variables:
        lines.append(variables)
    return lines


def table_picture(position: CardPosition, viewer: int | None) -> list[str]:
    """Lines of a picture for people at the table: no variables of the chart but the suits that were named."""
    suits = (f"{name} {suit}" for name, suit in named_suits(position))
    return [*picture(position, viewer, with_variables=False), *suits]


def named_suits(position: CardPosition) -> list[tuple[str, str]]:
    """Variables that hold a suit, such as trumps, in words; the suit that was led only during a trick.

    Counters and markers of the chart are left out, and so are names of one letter, by which charts
    hold a value for a few nodes.
    """
    suits = {str(card.args[1]) for card in position.composition}
    is_trick = has_trick(position)
    found = []
    for name, value in sorted(position.variables.items(), key=lambda item: sort_key(item[0])):
        is_shown = not name.args and len(name.name) > 1 and str(value) in suits
        if is_shown and (is_trick or not name.name.startswith("lead")):
            found.append((spoken(name.name), SIGNS.get(str(value), str(value))))
    return found


def has_trick(position: CardPosition) -> bool:
    """Whether a card lies in the middle."""
    return any(name.name == "middle" and value is not EMPTY for name, value in position.variables.items())


def place_words(place: Term) -> str:
    """A place for cards in words: ``passing of player1``."""
    if place is STACK:
        return "on the table"
    if place is DISCARD:
        return "put aside"
    name = spoken(str(place.args[0])) if place.name == "pile" and place.args else spoken(place.name)
    last = place.args[-1] if place.args else None
    if not isinstance(last, Term):
        return name
    owner = player_number(last)
    at = as_integer(last) if len(place.args) > 1 else None
    if owner is not None:
        return f"{name} of player{owner}"
    return f"{name} {at}" if at is not None else name


def place_phrase(place: Term) -> str:
    """A place in a sentence: ``player0's hand``, ``player1's pile passing``."""
    args = [value_text(arg) for arg in place.args]
    match place.name, args:
        case "hand", [who]:
            return f"{who}'s hand"
        case "pile", [name, who]:
            return f"{who}'s pile {spoken(name)}"
        case "pile", [name]:
            return f"the pile {spoken(name)}"
        case "stack", []:
            return "the table"
    return f"the {value_text(place)}"


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
