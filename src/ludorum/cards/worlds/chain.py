"""Worlds where counting fails: cards moved unseen, equal cards, tests of all kinds.

A first world is built (``build``), then it is stirred (``stir``): a Markov chain whose stationary
distribution is uniform over all worlds that it can reach. Worlds are therefore nearly uniform and nearly
independent; tests compare them with all histories of small games. Where worlds can be counted,
``worlds.Sampler`` is exact. The kernel (``quick``) does the same faster; ``build`` and ``stir`` are there to
be read and compared with it, and for checks that are no arithmetic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from ..language.deck import sorted_cards
from ..language.terms import Term
from ..machine.position import CardPosition
from ..machine.story import Chose, Decided, is_veiled
from .build import Builder, DeadEnd
from .journeys import Journeys
from .knowledge import Knowledge
from .passages import IN_PACK, OPEN, DealTrace
from .quick import quick_chain
from .stir import stir
from .trace import trace_of
from .unknowns import WorldsError

MOST_STARTS = 400
"""Most attempts at a first world; nearly all succeed, and each takes some milliseconds."""
STIRS_AT_FIRST = 12
"""Exchanges tried for each hidden card before the first world is taken."""
STIRS = 2
"""The same between two worlds."""
LEAST_STIRS = 80
"""Least exchanges: where few cards are hidden, most exchanges tried are refused."""


@dataclass
class Trajectories:
    """One world in full: which card made which passage. Has the methods of ``History``."""

    knowledge: Knowledge
    trace: DealTrace
    movers: Sequence[int]

    @property
    def decisions(self) -> list[Decided]:
        return self.trace.decisions

    @property
    def sayings(self) -> list[Chose]:
        return self.trace.sayings

    def position(self) -> CardPosition:
        """The current position in this world."""
        return self.fill(self.knowledge.position, None)

    def fill(self, known: CardPosition, time: int | None) -> CardPosition:
        """The knowledge at a time, with the cards of this world instead of veiled ones."""
        lying = self._lying(time)
        found = known.copy()
        for place, cards in known.places.items():
            if place in self.trace.places or any(map(is_veiled, cards)):
                found.places[place] = self._cards(place, cards, lying)
        rest = self._cards(None, tuple(one for one in known.order[known.index :] if one is not None), lying)
        names = iter(rest)
        order = tuple(one if one is None else next(names) for one in known.order[known.index :])
        found.order = (None,) * known.index + order
        left = Counter(self.knowledge.story.cards)
        for cards in found.places.values():
            left.subtract(cards)
        left.subtract(rest)
        found.undrawn = sorted_cards(left.elements())
        found.events = ()
        return found

    def cards(self, known: CardPosition, place: Term, time: int | None) -> tuple[Term, ...]:
        """The cards at a place in this world, given the knowledge at that time."""
        return self._cards(place, known.cards(place), self._lying(time))

    def _cards(
        self, place: Term | None, cards: tuple[Term, ...], lying: dict[int, list[int]]
    ) -> tuple[Term, ...]:
        names, places = self.trace.names, self.trace.places
        if place in places:
            return sorted_cards(names[token] for token in lying.get(places[place], ()))
        return tuple(names[lying[places[one]][0]] if is_veiled(one) else one for one in cards)

    def _lying(self, time: int | None) -> dict[int, list[int]]:
        place = [IN_PACK] * len(self.trace.names)
        before = self.trace.acts_before(time)
        for mover, target in zip(self.movers[:before], self.trace.targets, strict=False):
            if mover >= 0:  # else it was a check
                place[mover] = target
        found: dict[int, list[int]] = {}
        for token, where in enumerate(place):
            found.setdefault(where, []).append(token)
        return found


class Chain:
    """Worlds of one moment, each made from the one before; ``plain``: not by the kernel."""

    def __init__(self, knowledge: Knowledge, chance: Random, *, plain: bool = False) -> None:
        self.knowledge = knowledge
        self.trace = trace_of(knowledge)
        self._kernel = None if plain else quick_chain(self.trace, chance.getrandbits(64))
        self._plain = _worlds(self.trace, chance)

    @property
    def is_quick(self) -> bool:
        """Whether the kernel makes them."""
        return self._kernel is not None

    def some(self, count: int) -> list[Trajectories]:
        """So many further worlds."""
        if self._kernel is None:
            rows = list(islice(self._plain, count))
        else:
            rows = self._kernel.draw(count).tolist()
        if len(rows) < count:
            raise WorldsError(
                f"none of {MOST_STARTS} beginnings led to a world that agrees with what was seen",
                hint="tell us the chart and the seed of the game: all that was seen did happen in some world",
            )
        return [Trajectories(self.knowledge, self.trace, movers) for movers in rows]


def chain_of_worlds(
    knowledge: Knowledge, count: int, chance: Random, *, plain: bool = False
) -> list[Trajectories]:
    """So many random worlds."""
    return Chain(knowledge, chance, plain=plain).some(count)


def _worlds(trace: DealTrace, chance: Random) -> Iterator[list[int]]:
    """The movers of one world after the other; none where there is no first one."""
    world = _first(trace, chance)
    if world is None:
        return
    every = range(len(trace.names))
    hidden = [token for token in every if world.place_of(token) != OPEN]
    stirs = STIRS_AT_FIRST
    while True:
        times = max(LEAST_STIRS, stirs * len(hidden))
        stir(world, times, chance, hidden)
        stir(world, times // 4, chance, every)  # the past of cards that are open by now
        yield list(world.movers)
        stirs = STIRS


def _first(trace: DealTrace, chance: Random) -> Journeys | None:
    builder = Builder(trace, chance)
    for _ in range(MOST_STARTS):
        try:
            return builder.build()
        except DeadEnd:
            continue
    return None
