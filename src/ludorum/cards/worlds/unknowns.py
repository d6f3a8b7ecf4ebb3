"""A player's unknowns, as a problem of counting: which hidden card came with which draw.

Every card that is not seen is an ``Item``: it was in the pack of its generation, and it is in some hidden
hand, in a hidden pile, or still in the pack. An ``Owner`` is a hidden hand with its draws in the order of
time. A test that a hand had no card of a kind means for each such card that it can only have come with a
later draw: so all an item knows about an owner is the first and the last draw with which it may have come.
Other conditions (that a hand *had* some card, sums over hands) are left over to be tested.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ...search.decision import NoWorldError
from ..language.deck import fits
from ..language.faults import CardsError
from ..language.terms import Term
from ..machine.position import hand
from ..machine.story import (
    Came,
    Chose,
    Crept,
    Decided,
    Drew,
    Left,
    Recycled,
    Sifted,
    Story,
    Tested,
    Turned,
    is_veiled,
)
from .conditions import Holding, holdings
from .knowledge import Knowledge


class WorldsError(CardsError, NoWorldError):
    """Worlds that cannot be drawn: none exist, or finding them would take too long."""


class NotCounted(WorldsError):
    """Worlds that cannot be counted, or only in too long a time: they are found in another way."""


@dataclass(eq=False)
class Item:
    """A card that is hidden since its pack was made; ``until`` is when it was seen in the hand it was in."""

    card: Term
    generation: int
    until: int | None = None


@dataclass(frozen=True)
class Draw:
    """So many unseen cards from the pack of a generation."""

    time: int
    size: int
    generation: int


Span = tuple[int, int]
"""The draws with which an item may have come to an owner: the first, and the one after the last."""


@dataclass
class Owner:
    """A hidden hand: its draws, and which items were seen leaving it after each."""

    place: Term
    draws: list[Draw] = field(default_factory=list)
    left: list[list[Item]] = field(default_factory=list)
    voids: list[tuple[int, Term]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of hidden cards it holds now."""
        return sum(draw.size for draw in self.draws) - sum(map(len, self.left))

    def span(self, item: Item) -> Span | None:
        """The draws with which an item may have come; None where it cannot have been here."""
        until = item.until
        after = -1
        for time, template in self.voids:
            if (until is None or time < until) and fits(item.card, template):
                after = max(after, time)
        found = [
            at
            for at, draw in enumerate(self.draws)
            if draw.generation == item.generation and draw.time > after
        ]
        return (found[0], found[-1] + 1) if found else None


@dataclass
class Unknowns:
    """All hidden cards: owners, hidden cards of piles by their generation, and items not seen until now."""

    owners: list[Owner]
    veils: dict[Term, int]
    items: list[Item]
    generation: int
    tests: list[Tested]
    decisions: list[Decided]
    sayings: list[Chose]
    turned: dict[Term, Term]


def unknowns_of(knowledge: Knowledge) -> Unknowns:
    """A player's unknowns of the current deal; NotCounted where cards moved unseen."""
    return _Reader(knowledge).read()


class _Reader:
    def __init__(self, knowledge: Knowledge) -> None:
        self.story: Story = knowledge.story
        places = [hand(at) for at in range(len(knowledge.game.players)) if at != knowledge.player]
        self.owners = {place: Owner(place) for place in places}
        self.hiding: dict[Term, list[Item]] = {}
        self.veils: dict[Term, int] = {}
        self.found = Unknowns(list(self.owners.values()), self.veils, [], 0, [], [], [], {})
        self.open_draws: dict[Term, int] = {}
        self.possible: list[tuple[Tested, list[Holding]]] = []

    def read(self) -> Unknowns:
        self._hide(self.story.cards, 0)
        for happening in self.story.happenings:
            if not isinstance(happening, Drew):
                self.open_draws.clear()
            self._take_in(happening)
        self.found.items = [item for items in self.hiding.values() for item in items]
        self.found.tests += [test for test, some in self.possible if not self._is_implied(test, some)]
        return self.found

    def _take_in(self, happening: object) -> None:
        match happening:
            case Drew():
                self._drew(happening)
            case Left(time, place, what, expected):
                if not expected:
                    item = self._show(what, None)
                    item.until = time
                    self.owners[place].left[-1].append(item)
            case Turned(_, veil, what):
                self.found.turned[veil] = what
                self._show(what, self.veils.pop(veil))
            case Recycled(_, cards):
                self.found.generation += 1
                self._hide(cards, self.found.generation)
            case Tested():
                self._tested(happening)
            case Decided():
                self.found.decisions.append(happening)
            case Chose():
                self.found.sayings.append(happening)
            case Crept(_, source, target, _):
                raise NotCounted(f"a card went unseen from {source} to {target}")
            case Sifted(_, target):
                raise NotCounted(f"cards of a hidden pile went to {target}")
            case Came(_, _, what) if self.story.cards.count(what) > 1:
                raise NotCounted(f"{what} is there several times, and one of them is known to be in a hand")

    def _hide(self, cards: tuple[Term, ...], generation: int) -> None:
        for one in cards:
            self.hiding.setdefault(one, []).append(Item(one, generation))

    def _show(self, card: Term, generation: int | None) -> Item:
        """Notes that a hidden card was seen. Equal cards of one pack are exchangeable."""
        items = self.hiding.get(card, [])
        fitting = [item for item in items if generation is None or item.generation == generation]
        if not fitting:
            raise NotCounted(f"{card} cannot have been hidden")
        if len({item.generation for item in fitting}) > 1:
            raise NotCounted(f"{card} may have come from several packs")
        items.remove(fitting[0])
        return fitting[0]

    def _drew(self, drew: Drew) -> None:
        place, what, generation = drew.place, drew.what, drew.generation
        if not is_veiled(what):
            self._show(what, generation)
        elif place not in self.owners:
            self.veils[what] = generation
        else:
            owner = self.owners[place]
            if self.open_draws.get(place) == drew.step:
                last = owner.draws.pop()
                owner.draws.append(Draw(last.time, last.size + 1, generation))
            else:
                owner.draws.append(Draw(drew.time, 1, generation))
                owner.left.append([])
                self.open_draws[place] = drew.step

    def _tested(self, test: Tested) -> None:
        found = holdings(test.expression, test.value, test.before)
        if found is None:
            self.found.tests.append(test)
            return
        for one in found:
            if not one.some and one.place in self.owners:
                self.owners[one.place].voids.append((test.time, one.template))
        some = [one for one in found if one.some and one.place in self.owners]
        if some:
            self.possible.append((test, some))

    def _is_implied(self, test: Tested, some: list[Holding]) -> bool:
        return all(any(self._surely_had(test, one)) for one in some)

    def _surely_had(self, test: Tested, one: Holding) -> Iterator[bool]:
        """Whether a card that was seen, or is known, was certainly in the hand at the time of a test."""
        yield any(fits(card, one.template) for card in test.before.cards(one.place) if not is_veiled(card))
        owner = self.owners[one.place]
        for at, items in enumerate(owner.left):
            for item in items:
                if item.until is not None and item.until > test.time and fits(item.card, one.template):
                    span = owner.span(item)
                    yield span is not None and owner.draws[min(span[1] - 1, at)].time < test.time


def with_voids(unknowns: Unknowns) -> bool:
    """Whether some hand is known to have lacked something."""
    return any(owner.voids for owner in unknowns.owners)
