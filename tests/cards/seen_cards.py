"""Which cards have lain before whose eyes, from the words of a chart alone: the product's sight is not asked.

A hand is seen by its owner, the stack and the discard by all, a pile as the last ``Pile.…`` statement says,
the pack by nobody; the values of variables are public.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ludorum.cards.language.rules import Statement
from ludorum.cards.language.terms import Term, format_term, is_card, subterms
from ludorum.cards.machine.machine import Machine
from ludorum.cards.machine.position import CardPosition
from ludorum.cards.machine.reasons import LAZY, MaxStep, NeedShuffle, Publish, Reason
from ludorum.cards.show.faces import face

SPECTATOR = -1
"""Nobody's seat."""
_KINDS = {"Pile.open": "open", "Pile.closed": "closed", "Pile.private": "private"}


class Onlooker:
    """Walks through a game node by node and notes for every seat the cards it has seen so far."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.position = machine.start()
        self.kinds: dict[str, str] = {}
        self.known: dict[int, set[Term]] = {
            seat: set() for seat in (SPECTATOR, *range(machine.rules.players))
        }

    def node(self) -> Reason | None:
        """Does the next node; what it asks for if it cannot be done yet. Events are those of the node."""
        before = self.position.step, self.position.node
        after, reason = self.machine.advance(self.position, 1)
        self.position = after
        if not isinstance(reason, MaxStep) and after.step == before[0] and not after.is_finished:
            return reason
        self._look(before[1])
        return None

    def answer(self, what: object) -> None:
        self.position = self.machine.supply(self.position, what, keep_events=True)

    def to_the_next_question(self) -> Iterator[CardPosition]:
        """All nodes until a number, a card or a move is needed, packs shuffled lazily."""
        while not self.position.is_finished:
            reason = self.node()
            if reason is None:
                yield self.position
                self.forget_events()
            elif isinstance(reason, NeedShuffle | Publish):
                self.answer(LAZY if isinstance(reason, NeedShuffle) else None)
            else:
                return

    def forget_events(self) -> None:
        self.position = self.position.copy()
        self.position.events = ()

    def _look(self, done: int) -> None:
        node = self.machine.rules.nodes[done]
        if isinstance(node, Statement) and node.action.name in _KINDS:
            self.kinds[str(node.action.args[0])] = _KINDS[node.action.name]
        for seat, known in self.known.items():
            for place, cards in self.position.places.items():
                if self.sees(seat, place):
                    known.update(cards)
            for value in self.position.variables.values():
                known |= cards_in(value)

    def sees(self, seat: int, place: Term) -> bool:
        if place.name == "hand":
            return str(place) == f"(hand (player {seat}))"
        if place.name != "pile":
            return str(place) in ("stack", "discard")
        kind = self.kinds.get(str(place.args[0]), "open")
        return kind == "open" or (
            kind == "private" and [str(one) for one in place.args[1:]] == [f"(player {seat})"]
        )

    def hidden_from(self, seat: int) -> set[Term]:
        """All cards of the game that a seat has never seen."""
        return set(self.position.composition) - self.known[seat]


def cards_in(what: Term) -> set[Term]:
    return {one for one in subterms(what) if is_card(one) and "any" not in map(str, one.args)}


def named_in(text: str, cards: set[Term]) -> set[str]:
    """Those of some cards that a text names, by their faces or as charts write them."""
    return {format_term(one) for one in cards if any(_is_word(name, text) for name in _names_of(one))}


@cache
def _names_of(card: Term) -> tuple[str, ...]:
    names = face(card), format_term(card), str(card)
    return names[1:] if names[0].isalpha() else names  # ``wild`` stands in templates, too


def _is_word(name: str, text: str) -> bool:
    """Whether a name stands alone: ``red 1`` is no part of ``red 10``."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
