"""A position of a card game: the node, all variables, and the place of every card."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from ..language.deck import SUITS, sorted_cards, standard_pack
from ..language.terms import EMPTY, FALSE, Term, number, player

STACK, DISCARD, PACK = Term("stack"), Term("discard"), Term("pack")
NUMBER_OF_CARDS, PACK_INDEX = Term("numberOfCards"), Term("currentPackIndex")


def hand(index: int) -> Term:
    """The place of a player's cards."""
    return Term("hand", (player(index),))


@dataclass(frozen=True)
class Event:
    """An event: what its witnesses saw, and what all others were told (nothing: None)."""

    step: int
    seen: Term
    witnesses: frozenset[int] | None = None  # None: all players
    told: Term | None = None

    def as_seen_by(self, index: int) -> Term | None:
        return self.seen if self.witnesses is None or index in self.witnesses else self.told


@dataclass(slots=True)
class CardPosition:
    """One moment of a game. The machine works on copies, so that a caller's position never changes.

    Places hold cards from the bottom to the top; hands are kept sorted. ``order`` is the pack as it was
    shuffled, with None for cards that were not drawn yet: they are among ``undrawn`` and any of them is as
    likely. ``answers`` are those of the host in the step that is under way.
    """

    node: int
    players: int
    step: int = 0
    variables: dict[Term, Term] = field(default_factory=dict)
    places: dict[Term, tuple[Term, ...]] = field(default_factory=dict)
    composition: tuple[Term, ...] = ()
    order: tuple[Term | None, ...] = ()
    index: int = 0
    undrawn: tuple[Term, ...] = ()
    visibility: dict[str, str] = field(default_factory=dict)
    answers: dict[Term, object] = field(default_factory=dict)
    decisions: int = 0
    decided_at: int = 0  # the step of the last decision: a chart that never reaches another is reported
    is_finished: bool = False
    is_broken_off: bool = False  # by the limit on decisions, and valued as it stands
    events: tuple[Event, ...] = ()

    def copy(self) -> CardPosition:
        return replace(
            self,
            variables=dict(self.variables),
            places=dict(self.places),
            visibility=dict(self.visibility),
            answers=dict(self.answers),
        )

    def cards(self, place: Term) -> tuple[Term, ...]:
        """The cards at a place; of the pack, what is still known of its rest."""
        if place is PACK:
            return tuple(one for one in self.order[self.index :] if one is not None)
        return self.places.get(place, ())

    def count(self, place: Term) -> int:
        return len(self.order) - self.index if place is PACK else len(self.places.get(place, ()))

    def put(self, place: Term, cards: Iterable[Term]) -> None:
        """Put cards on top of a place; on the pack they go below."""
        if place is PACK:
            self.order += tuple(cards)
            return
        now = self.places.get(place, ()) + tuple(cards)
        self.places[place] = sorted_cards(now) if place.name == "hand" else now
        self._recount(place)

    def take(self, place: Term, what: Term) -> None:
        """Take one card away from a place, the topmost of its kind."""
        cards = list(self.places[place])
        at = len(cards) - 1 - cards[::-1].index(what)
        del cards[at]
        self.places[place] = tuple(cards)
        self._recount(place)

    def empty(self, place: Term) -> tuple[Term, ...]:
        """Take all cards of a place."""
        cards = self.places.pop(place, ())
        self._recount(place)
        return cards

    def set_index(self, index: int) -> None:
        self.index = index
        self.variables[PACK_INDEX] = number(index)

    def tell(self, seen: Term, witnesses: Iterable[int] | None = None, told: Term | None = None) -> None:
        who = None if witnesses is None else frozenset(witnesses)
        self.events += (Event(self.step, seen, who, told),)

    def sees(self, index: int, place: Term) -> bool:
        """Whether a player sees the cards of a place."""
        if place.name == "hand":
            return place is hand(index)
        if place is PACK:
            return False
        if place.name != "pile":
            return True
        kind = self.visibility.get(str(place.args[0]), "open")
        return kind == "open" or (
            kind == "private" and len(place.args) == 2 and place.args[1] is player(index)
        )

    def _recount(self, place: Term) -> None:
        if place.name == "hand":
            count = number(len(self.places.get(place, ())))
            self.variables[Term("cardsRemaining", place.args)] = count


def opening(start: int, players: int) -> CardPosition:
    """The position in which a game begins."""
    found = CardPosition(start, players, composition=standard_pack())
    found.variables[Term("numberOfPlayers")] = number(players)
    found.variables[NUMBER_OF_CARDS] = number(0)
    found.variables[PACK_INDEX] = number(0)
    for at, suit in enumerate(SUITS):
        found.variables[Term("suit", (number(at),))] = suit
    for at in range(players):
        found.variables[Term("score", (player(at),))] = number(0)
        found.variables[Term("cardsRemaining", (player(at),))] = number(0)
        found.variables[Term("middle", (player(at),))] = EMPTY
        found.variables[Term("passed", (player(at),))] = FALSE
    return found
