"""Card games in the words of card players: questions, events, and the cards in the middle.

All texts are made from what the person may know: events as a player sees them, and places that a player sees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..cards.language.rules import Statement
from ..cards.language.terms import player_number
from ..cards.machine.game import CardState
from ..cards.machine.position import DISCARD, STACK
from ..cards.machine.reasons import NeedMove
from ..cards.show.faces import event_text, face, spoken, value_text
from ..engine.game import State
from ..rules.terms import Pattern, Term
from .card_moment import NO_TRICK, Trick, events_seen, next_trick

_PLAYER = re.compile(r"player\((\d+)\)")
A_CARD = "a card"
_PLAIN_CHOICES = frozenset({"answer", "call", "choice"})
"""Names of choices that add nothing to the options."""
_NO_ARTICLE = frozenset({"trumps", "who", "whom"})


def prompt_of(state: CardState, options: Sequence[Term]) -> str:
    """The question to a player, as a sentence."""
    node = state.game.chart.nodes[state.position.node]
    if not isinstance(state.reason, NeedMove) or not isinstance(node, Statement):
        return "Make a choice."
    action = node.action
    may_pass = ", or pass" if state.reason.may_pass else ""
    if action.name.startswith("playCard"):
        return f"Play a card{may_pass}."
    if action.name.startswith("chooseCard"):
        return f"Choose a card{_origin(action.args[1]) or _purpose(action.args[2])}{may_pass}."
    name = action.args[1] if len(action.args) > 1 else None
    words = spoken(name.name).removeprefix("last ") if isinstance(name, Term) else ""
    listed = listed_words([value_text(move.args[0]) if move.args else move.name for move in options])
    if words in _PLAIN_CHOICES or not words:
        return f"Choose {listed}."
    return f"Choose {'' if words in _NO_ARTICLE else 'the '}{words}: {listed}."


def _origin(source: Pattern) -> str:
    """The open place a card is chosen from; empty for a hand."""
    pile = source.args[0] if isinstance(source, Term) and source.name == "pile" and source.args else None
    return f" from the pile {spoken(str(pile))}" if pile is not None else ""


def _purpose(target: Pattern) -> str:
    """The purpose of a chosen card, by the place it goes to."""
    if not isinstance(target, Term):
        return ""
    if target is DISCARD:
        return " to discard"
    if target is STACK:
        return " to play"
    if target.name == "hand":
        return " to take"
    pile = str(target.args[0]) if target.name == "pile" and target.args else ""
    return " to pass" if pile.startswith("pass") else f" for the pile {spoken(pile)}" if pile else ""


def listed_words(words: Sequence[str], most: int = 8) -> str:
    """``a, b or c``; of many only the first."""
    if len(words) > most:
        return ", ".join(words[:most]) + " ..."
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1] if words else "")))


def trick_of(states: Sequence[State], viewer: int | None) -> Trick:
    """The cards in the middle, or the last trick while nothing has happened after it."""
    trick = NO_TRICK
    for state in states:
        assert isinstance(state, CardState)
        trick = next_trick(state.position, events_seen(state, viewer), trick)
    return trick


def without_forced(events: Iterable[Term]) -> list[Term]:
    """The events of a step in which a player had no choice: that it chose is nothing to tell."""
    return [what for what in events if what.name != "chose"]


def happened(events: Iterable[Term], viewer: int | None) -> str:
    """Events as sentences: a player's cards together, ``you`` for the person."""
    found: dict[str, list[str]] = {}
    for what in events:
        doing, card = _doing(what, viewer)
        if doing:
            found.setdefault(doing, []).append(card)
    lines = []
    for doing, cards in found.items():
        known = _counted([card for card in cards if card])
        if len(known) == 1:  # a deal is more than one card
            doing = doing.replace("are dealt", "draw").replace("is dealt", "draws")
        between = ", " if any(" " in card for card in known) else " "
        lines.append(f"{doing} {between.join(known)}" if known else doing)
    return "; ".join(lines)


def _counted(cards: list[str]) -> list[str]:
    """Cards by their faces; several that are not seen as their number."""
    hidden = cards.count(A_CARD)
    return [card for card in cards if card != A_CARD] + [f"{hidden} cards"] if hidden > 1 else cards


def _doing(what: Term, viewer: int | None) -> tuple[str, str]:
    """The action and the card of an event; empty where there is nothing new to tell."""
    args = [arg for arg in what.args if isinstance(arg, Term)]
    if what.name == "drew" and args:
        number = player_number(args[0])
        if number != viewer and len(args) < 2:
            return "", ""  # every player is dealt cards: the backs on the table show it
        return f"{_who(number, viewer, 'is dealt')}", face(args[1]) if len(args) > 1 else ""
    if what.name == "moved" and len(args) > 1:
        return _moved(args, viewer)
    text = _PLAYER.sub(r"player\1", event_text(what))
    if viewer is not None and text.startswith(f"player{viewer} "):
        verb, _, rest = text.partition(" ")[2].partition(" ")
        text = f"you {_for_you(verb)} {rest}".rstrip()
    return text, ""


def _moved(args: Sequence[Term], viewer: int | None) -> tuple[str, str]:
    source, target = args[0], args[1]
    card = face(args[2]) if len(args) > 2 else ""
    giver, taker = _owner(source), _owner(target)
    if target.name == "hand" and taker is not None:
        if viewer not in (None, giver, taker):
            return "", ""
        if source.name == "pile" and giver == viewer != taker:
            return "", ""  # the person knows the card it chose
        return _who(taker, viewer, "gets"), card
    if source.name == "hand" and giver is not None:
        purpose = _purpose(target)
        verb = "passes on" if purpose == " to pass" else "discards" if target is DISCARD else "puts down"
        return _who(giver, viewer, verb), card or (A_CARD if verb != "passes on" else "")
    if source.name == target.name == "pile" and taker is not None and card and giver in (None, taker):
        return _who(taker, viewer, "takes" if giver is None else "turns up"), card
    return "", ""


def _owner(place: Term) -> int | None:
    last = place.args[-1] if place.args else None
    return player_number(last) if isinstance(last, Term) else None


def _who(number: int | None, viewer: int | None, verb: str) -> str:
    if number is not None and number == viewer:
        return f"you {_for_you(verb)}"
    return f"player{number} {verb}"


def _for_you(verb: str) -> str:
    if verb.startswith("is "):
        return "are " + verb[3:]
    first, _, rest = verb.partition(" ")
    first = first.removesuffix("es") if first.endswith("sses") else first.removesuffix("s")
    return f"{first} {rest}".rstrip()
