"""The cards on a table, step by step, as values that a page or a pipe can show.

Hands, the trick, piles, scores, bids and trumps are shown. Counters and other variables of the chart are not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..rules.terms import Pattern, Term, sort_key
from .card_table import Lines

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from ..cards.machine.position import CardPosition

ELSEWHERE = frozenset({"score", "cardsRemaining", "middle", "passed", "rankValue", "pointValue", "suit"})
"""Variables of the language itself: shown by their meaning, or not at all."""


@dataclass(frozen=True)
class Cards:
    """Cards at one place: by their terms where they are seen, else only their number."""

    name: str
    count: int
    seen: tuple[Term, ...] | None

    @property
    def text(self) -> str:
        from ..cards.show.faces import backs, faces

        return backs(self.count) if self.seen is None else faces(self.seen)


@dataclass(frozen=True)
class CardSeat:
    """A player at the table."""

    name: str
    is_viewer: bool
    score: int
    notes: tuple[str, ...]
    """Variables of the chart about this player, as ``bid 3``."""
    hand: Cards


@dataclass(frozen=True)
class CardTable:
    """A moment of a card game as far as the viewer may see it."""

    seats: tuple[CardSeat, ...]
    trick: tuple[tuple[str, Term], ...]
    """Players and what they have played to the trick, in this order."""
    is_taken: bool
    """Whether the trick was completed in this very step: it still lies there, to be looked at."""
    piles: tuple[Cards, ...]
    suits: tuple[tuple[str, str], ...]
    """Suits in variables, such as trumps, by name."""

    @property
    def lines(self) -> Lines:
        """The table in words, a line a place."""
        found = []
        for seat in self.seats:
            name = f"{seat.name} (you)" if seat.is_viewer else seat.name
            notes = f"  [{', '.join(seat.notes)}]" if seat.notes else ""
            found.append(f"{name}  score {seat.score}  {seat.hand.text}{notes}")
        if self.trick:
            found.append(f"{'trick taken' if self.is_taken else 'trick'}  {_trick_text(self.trick)}")
        found += [f"{pile.name:<8} {pile.text}" for pile in self.piles]
        if self.suits:
            found.append(", ".join(f"{name} {suit}" for name, suit in self.suits))
        return tuple(found)


def tables_of(
    game: CardGame, states: Iterable[frozenset[Term]], percepts: Sequence[Iterable[Term]]
) -> list[CardTable]:
    """Each state as a table with all cards face up; ``percepts`` are those of all roles, step by step."""
    from ..cards.machine.facts_of_position import position_of

    found: list[CardTable] = []
    for facts, told in zip(states, ((), *percepts), strict=True):
        found.append(_table(position_of(facts, len(game.players)), None, told, found[-1:]))
    return found


def tables_seen(game: CardGame, role: Term, percepts: Iterable[Sequence[Term]]) -> list[CardTable]:
    """The table as a player knew it at the start and after each step, from its percepts alone."""
    from ..cards.worlds.knowledge import Knowledge

    viewer = game.players.index(role)
    knowledge = Knowledge.of(game, viewer)
    found = [_table(knowledge.position, viewer, (), [])]
    for told in percepts:
        found.append(_table(knowledge.observe(told).position, viewer, told, found[-1:]))
    return found


def _table(
    position: CardPosition, viewer: int | None, told: Iterable[Term], before: Sequence[CardTable]
) -> CardTable:
    from ..cards.show.picture import named_suits

    trick, is_taken = _trick(position, told, before)
    return CardTable(
        tuple(_seat(position, index, viewer) for index in range(position.players)),
        trick,
        is_taken,
        tuple(_piles(position, viewer, () if is_taken else trick)),
        tuple(named_suits(position)),
    )


def _seat(position: CardPosition, index: int, viewer: int | None) -> CardSeat:
    from ..cards.language.terms import FALSE, player
    from ..cards.machine.outcome import scores
    from ..cards.machine.position import hand
    from ..cards.show.faces import spoken, value_text

    notes = []
    for name, value in sorted(position.variables.items(), key=lambda item: sort_key(item[0])):
        if name.args == (player(index),) and name.name not in ELSEWHERE and value is not FALSE:
            notes.append(f"{spoken(name.name)} {value_text(value)}")
    if position.variables[Term("passed", (player(index),))] is not FALSE:
        notes.append("passed")
    mine = _cards(position, hand(index), viewer)
    return CardSeat(f"player{index}", index == viewer, scores(position)[index], tuple(notes), mine)


def _trick(
    position: CardPosition, told: Iterable[Term], before: Sequence[CardTable]
) -> tuple[tuple[tuple[str, Term], ...], bool]:
    """What the players have played to the trick, and whether it is complete.

    A chart takes the cards away in the step that completes a trick, so that the last trick is put together
    from the one before and the cards played to it. A stack that keeps growing is a pile, not a trick.
    """
    from ..cards.language.terms import player
    from ..cards.machine.position import STACK

    stack = position.cards(STACK)
    if not stack:
        played = _played(told)
        earlier = before[0].trick if before and not before[0].is_taken else ()
        return ((*earlier, *played), True) if played else ((), False)
    middles = {
        position.variables[Term("middle", (player(index),))]: f"player{index}"
        for index in range(position.players)
    }
    if all(card in middles for card in stack):
        return tuple((middles[card], card) for card in stack), False
    return (), False


def _played(told: Iterable[Term]) -> list[tuple[str, Term]]:
    """Players and the cards that they put on the stack in one step, each once."""
    from ..cards.show.faces import value_text

    found: dict[tuple[str, Term], None] = {}
    for what in sorted_events(told):
        if what.name == "played" and len(what.args) == 2:
            who, card = what.args
            if isinstance(card, Term):
                found[value_text(who), card] = None
    return list(found)


def sorted_events(told: Iterable[Term]) -> list[Term]:
    """The events of a step, in order; of an event that was told to several the fullest account."""
    from ..cards.show.faces import is_event
    from ..rules.terms import as_integer

    fullest: dict[tuple[int, ...], Term] = {}
    for percept in filter(is_event, told):
        *when, what = percept.args
        at = tuple(as_integer(part) or 0 for part in when if isinstance(part, Term))
        if isinstance(what, Term) and (at not in fullest or len(what.args) > len(fullest[at].args)):
            fullest[at] = what
    return [fullest[at] for at in sorted(fullest)]


def events_said(told: Iterable[Term]) -> list[str]:
    """The events of a step, a sentence each; cards that go the same way are told together."""
    from ..cards.show.faces import event_text, value_text

    found: dict[tuple[str, ...], list[str]] = {}
    for what in sorted_events(told):
        if what.name == "moved":
            start, end, *cards = what.args
            way = _way(start, end)
            found.setdefault(way, []).extend(map(value_text, cards or [A_CARD]))
        elif what.name == "drew":
            who, *cards = what.args
            found.setdefault((f"{value_text(who)} draws ", ""), []).extend(map(value_text, cards or [A_CARD]))
        elif text := event_text(what):
            found[text, ""] = []
    return [_sentence(before, cards, after) for (before, after), cards in found.items()]


def _sentence(before: str, cards: Sequence[str], after: str) -> str:
    verb = "" if before or not after else " goes" if len(cards) == 1 else " go"
    return f"{before}{_cards_said(cards)}{verb}{after}"


A_CARD = Term("card")
"""Stands for a card that the viewer does not see."""


def _cards_said(cards: Sequence[str]) -> str:
    if cards and set(cards) == {A_CARD.name}:
        return "a card" if len(cards) == 1 else f"{len(cards)} cards"
    return " ".join(cards)


def _way(start: Pattern, end: Pattern) -> tuple[str, str]:
    """The words before and after cards that go from one place to another."""
    from ..cards.show.faces import spoken, value_text

    if isinstance(start, Term) and isinstance(end, Term) and start.name == "hand" and end.name == "pile":
        who, (name, *owner) = value_text(start.args[0]), map(value_text, end.args)
        if owner in ([], [who]):
            return f"{who} puts ", f" on the pile {spoken(name)}"
    return "", f" from {_place_words(start)} to {_place_words(end)}"


def _piles(position: CardPosition, viewer: int | None, trick: Sequence[object]) -> Iterable[Cards]:
    from ..cards.machine.position import PACK, STACK

    for place in sorted(position.places, key=sort_key):
        if place.name != "hand" and position.places[place] and not (place is STACK and trick):
            yield _cards(position, place, viewer)
    if position.count(PACK):
        yield Cards("pack", position.count(PACK), None)


def _cards(position: CardPosition, place: Term, viewer: int | None) -> Cards:
    from ..cards.show.picture import place_words

    cards = position.cards(place)
    is_seen = viewer is None or position.sees(viewer, place)
    return Cards(place_words(place), len(cards), cards if is_seen else None)


def _place_words(place: Pattern) -> str:
    """A place in a sentence: ``player0's hand``, ``player1's pile passing``."""
    from ..cards.show.faces import spoken, value_text

    if not isinstance(place, Term):
        return str(place)
    args = list(map(value_text, place.args))
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


def _trick_text(trick: Iterable[tuple[str, Term]]) -> str:
    from ..cards.show.faces import face

    return ", ".join(f"{who} {face(card)}" for who, card in trick)
