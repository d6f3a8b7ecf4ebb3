"""One world in full: the cards of every hand at every moment, and the positions that follow from it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from ..language.deck import sorted_cards
from ..language.terms import Term
from ..machine.evaluate import evaluate
from ..machine.position import CardPosition
from ..machine.story import Chose, Decided, Tested, is_veiled
from .knowledge import Knowledge
from .shares import Share
from .unknowns import Unknowns


@dataclass
class History:
    """A distribution of the hidden cards, together with the knowledge."""

    knowledge: Knowledge
    unknowns: Unknowns
    share: Share

    @cached_property
    def _stays(self) -> dict[Term, list[tuple[int, int | None, Term]]]:
        """For every hidden hand the cards that were in it: since when, until when."""
        found: dict[Term, list[tuple[int, int | None, Term]]] = {}
        for owner, came in zip(self.unknowns.owners, self.share.hands, strict=True):
            found[owner.place] = [
                (owner.draws[draw].time, item.until, item.card) for item, draw in came.items()
            ]
        return found

    @property
    def decisions(self) -> list[Decided]:
        return self.unknowns.decisions

    @property
    def sayings(self) -> list[Chose]:
        return self.unknowns.sayings

    @cached_property
    def _names(self) -> dict[Term, Term]:
        return {**self.unknowns.turned, **self.share.piles}

    def hidden_cards(self, place: Term, time: int | None = None) -> list[Term]:
        """The veiled cards of a hidden hand just before a time, or now."""
        return [
            card
            for since, until, card in self._stays[place]
            if (until is None if time is None else since < time and (until is None or until >= time))
        ]

    def cards(self, known: CardPosition, place: Term, time: int | None) -> tuple[Term, ...]:
        """The cards at a place in this world, given the knowledge at that time."""
        cards = known.cards(place)
        if place not in self._stays:
            return tuple(self._names.get(one, one) for one in cards)
        shown = [one for one in cards if not is_veiled(one)]
        return sorted_cards(shown + self.hidden_cards(place, time))

    def position(self) -> CardPosition:
        """The current position in this world."""
        return self.fill(self.knowledge.position, None)

    def fill(self, known: CardPosition, time: int | None) -> CardPosition:
        """The knowledge at a time, with the cards of this world instead of veiled ones."""
        found = self._lay_open(known, time)
        rest = tuple(one if one is None else self._names.get(one, one) for one in known.order[known.index :])
        found.order = (None,) * known.index + rest
        left = Counter(self.knowledge.story.cards)
        for cards in found.places.values():
            left.subtract(cards)
        left.subtract(one for one in rest if one is not None)
        found.undrawn = sorted_cards(left.elements())
        found.events = ()
        return found

    def _lay_open(self, known: CardPosition, time: int | None) -> CardPosition:
        """The same without the pack, into which no expression looks."""
        found = known.copy()
        for place, cards in known.places.items():
            if place in self._stays or any(map(is_veiled, cards)):
                found.places[place] = self.cards(known, place, time)
        return found

    def agrees(self, test: Tested) -> bool:
        """Whether an expression over hidden cards has the observed value in this world."""
        return evaluate(test.expression, self._lay_open(test.before, test.time)) is test.value

    def holdings(self) -> tuple[tuple[Term, tuple[tuple[int, int | None, Term], ...]], ...]:
        """A key that distinguishes worlds: when each card came to which hand, and the cards in piles."""
        hands = [
            (place, tuple(sorted(stays, key=lambda stay: (stay[0], str(stay[2])))))
            for place, stays in self._stays.items()
        ]
        piles = [(veil, ((0, None, card),)) for veil, card in self.share.piles.items()]
        return (*hands, *sorted(piles, key=str))
