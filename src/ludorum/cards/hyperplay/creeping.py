"""Worlds where cards changed hands unseen: passed on, given away, laid face down.

Here it is not enough to count draws. The story is played again with cards whose names are still open: a
hidden choice takes any card of the hand, a card that is shown is any open one that may be it, and what is
open in the end gets the unseen cards at random. Where fewer cards could be it than the hand has, the play is
given up in that proportion: so each world is kept as often, exactly. It may take many tries; after
``MOST_TRIES`` it is given up, in words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from ..deck import fits, sorted_cards
from ..evaluate import evaluate
from ..knowledge import Knowledge
from ..position import Position, hand
from ..story import Came, Crept, Decided, Drew, Left, Recycled, Tested, Turned, is_veiled
from ..terms import Term
from .conditions import holdings
from .unknowns import WorldsError

MOST_TRIES = 2_000
"""For one world; a try takes about a millisecond."""


class _Contradiction(Exception):
    """This play does not agree with what was seen."""


@dataclass(eq=False)
class _Card:
    """A hidden card, with or without a name; which templates it does not fit, and which it does."""

    name: Term | None
    generation: int
    banned: list[Term] = field(default_factory=list)
    demanded: list[Term] = field(default_factory=list)

    def may_be(self, card: Term) -> bool:
        return (
            self.name is None
            and not any(fits(card, template) for template in self.banned)
            and all(fits(card, template) for template in self.demanded)
        )

    def demand(self, template: Term) -> None:
        if self.name is not None and not fits(self.name, template):
            raise _Contradiction
        self.demanded.append(template)

    def ban(self, template: Term) -> None:
        if self.name is not None and fits(self.name, template):
            raise _Contradiction
        self.banned.append(template)


def creeping_positions(knowledge: Knowledge, count: int, chance: Random) -> list[Position]:
    """So many random positions, all worlds as likely."""
    found: list[Position] = []
    tries = 0
    while len(found) < count:
        tries += 1
        if tries > MOST_TRIES * (len(found) + 1):
            raise WorldsError(
                f"none of {MOST_TRIES} worlds agrees with what was seen",
                hint="cards went from hand to hand unseen, and too much is known about them by now",
            )
        try:
            found.append(_Play(knowledge, chance).position())
        except _Contradiction:
            continue
    return found


class _Play:
    """One try."""

    def __init__(self, knowledge: Knowledge, chance: Random) -> None:
        self.knowledge, self.chance = knowledge, chance
        self.places: dict[Term, list[_Card]] = {}
        self.veils: dict[Term, _Card] = {}
        self.hiding: dict[Term, int] = dict.fromkeys(knowledge.story.cards, 0)
        """Unseen cards, with the generation of the pack they were in."""
        self.generation = 0
        self.tests: list[tuple[Tested, dict[Term, list[_Card]]]] = []
        self.templates: dict[int, Term] = {}
        if len(self.hiding) != len(knowledge.story.cards):
            raise WorldsError("there are equal cards in the pack, and some changed hands unseen")
        for happening in knowledge.story.happenings:
            self._take_in(happening)
        self._name_all()

    def _take_in(self, happening: object) -> None:
        match happening:
            case Drew(_, _, place, what, generation):
                self._drew(place, what, generation)
            case Came(_, place, what):
                self._hand(place).append(_Card(what, -1))
            case Left(_, place, what, expected) if self._is_others(place):
                self._left(place, what, expected)
            case Crept(time, source, target, veil):
                self._crept(time, source, target, veil)
            case Turned(_, veil, what):
                self._show(self.veils[veil], what)
            case Recycled(_, cards):
                self.generation += 1
                self.hiding.update(dict.fromkeys(cards, self.generation))
            case Tested():
                self._tested(happening)
            case Decided(time, _, _, template, _, choice, _) if is_veiled(choice):
                self.templates[time + 1] = template

    def _drew(self, place: Term, what: Term, generation: int) -> None:
        if not is_veiled(what):
            self.hiding.pop(what, None)
            return
        card = _Card(None, generation)
        if self._is_others(place):
            self._hand(place).append(card)
        else:
            self.veils[what] = card

    def _left(self, place: Term, what: Term, expected: bool) -> None:
        held = self._hand(place)
        named = [card for card in held if card.name is what]
        open_ones = named or [card for card in held if card.may_be(what)]
        if not open_ones or self.chance.random() * (1 if expected else len(held)) >= len(open_ones):
            raise _Contradiction
        card = self.chance.choice(open_ones)
        self._show(card, what)
        held.remove(card)

    def _show(self, card: _Card, what: Term) -> None:
        if card.name is not what:
            if not card.may_be(what) or what not in self.hiding:
                raise _Contradiction
            card.name = what
        self.hiding.pop(what, None)

    def _crept(self, time: int, source: Term, target: Term, veil: Term) -> None:
        if self._is_others(source):
            held = self._hand(source)
            card = self.chance.choice(held)
            held.remove(card)
            template = self.templates.get(time)
            if template is not None:
                card.demand(template)
        else:
            card = self.veils.pop(veil)
        if self._is_others(target):
            self._hand(target).append(card)
        else:
            self.veils[veil] = card

    def _tested(self, test: Tested) -> None:
        found = holdings(test.expression, test.value, test.before)
        if found is not None:
            for one in found:
                if not one.some and self._is_others(one.place):
                    for card in self._hand(one.place):
                        card.ban(one.template)
        if found is None or any(one.some for one in found):
            self.tests.append((test, {place: list(cards) for place, cards in self.places.items()}))

    def _name_all(self) -> None:
        """Open cards get names, as the packs they came from allow."""
        free = list(self.hiding)
        self.chance.shuffle(free)
        cards = [card for held in self.places.values() for card in held] + list(self.veils.values())
        for card in sorted((one for one in cards if one.name is None), key=lambda one: one.generation):
            at = next((at for at, one in enumerate(free) if self.hiding[one] == card.generation), None)
            if at is None or not card.may_be(free[at]):
                raise _Contradiction
            card.name = free.pop(at)
        if not all(self._agrees(test, held) for test, held in self.tests):
            raise _Contradiction

    def _agrees(self, test: Tested, held: dict[Term, list[_Card]]) -> bool:
        return evaluate(test.expression, self._fill(test.before, held)) is test.value

    def position(self) -> Position:
        return self._fill(self.knowledge.position, self.places)

    def _fill(self, known: Position, held: dict[Term, list[_Card]]) -> Position:
        found = known.copy()
        for place, cards in known.places.items():
            if self._is_others(place):
                found.places[place] = sorted_cards(card.name for card in held.get(place, []) if card.name)
            elif any(map(is_veiled, cards)):
                found.places[place] = tuple(self._named(one) for one in cards)
        rest = known.order[known.index :]
        found.order = (None,) * known.index + tuple(one and self._named(one) for one in rest)
        left = Counter(self.knowledge.story.cards)
        for cards in found.places.values():
            left.subtract(cards)
        left.subtract(one for one in found.order if one is not None)
        found.undrawn = sorted_cards(left.elements())
        found.events = ()
        return found

    def _named(self, veil: Term) -> Term:
        card = self.veils.get(veil)
        return veil if card is None or card.name is None else card.name

    def _hand(self, place: Term) -> list[_Card]:
        return self.places.setdefault(place, [])

    def _is_others(self, place: Term) -> bool:
        return place.name == "hand" and place is not hand(self.knowledge.player)
