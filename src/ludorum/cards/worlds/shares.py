"""The ways to distribute the unseen cards among hidden hands, hidden piles and the pack: counted and drawn.

Cards about which all players know the same are exchangeable. So kind by kind only the number of cards that
each owner holds matters; the past of every hand then gives the number of ways to that. All numbers are exact,
whatever their size, so a random share has exactly the right probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import comb, factorial, prod
from random import Random

from ..language.terms import Term
from .past import Past, choose_by_ways
from .unknowns import Item, NotCounted, Unknowns, WorldsError

State = tuple[tuple[int, ...], ...]
Lot = list[tuple[int, float, int]]
"""Amounts, each with the share of worlds that have it or one before it, and the number of the next lot."""
MOST_STATES = 20_000
"""Most entries of the table of shares; beyond, counting is given up."""


@dataclass(frozen=True)
class Share:
    """One distribution: the draw by which every item came to an owner, and the veiled cards in piles."""

    hands: tuple[dict[Item, int], ...]
    piles: dict[Term, Term]


@dataclass
class _Kind:
    """Items that are alike for all: the kind in each owner's past (None: not there)."""

    items: list[Item]
    kinds: tuple[int | None, ...]
    may_stay: bool


class Shares:
    """All ways to distribute the unseen cards. Piles are owners too, one for each generation of the pack."""

    def __init__(self, unknowns: Unknowns) -> None:
        self.unknowns = unknowns
        self.pasts = [Past(owner, unknowns.items) for owner in unknowns.owners]
        self.piles = sorted(set(unknowns.veils.values()))
        self.veils = [[veil for veil, one in unknowns.veils.items() if one == pack] for pack in self.piles]
        self.sizes = [owner.size for owner in unknowns.owners] + [len(veils) for veils in self.veils]
        self.kinds = self._kinds()
        self._last = [
            max((at for at, kind in enumerate(self.kinds) if kind.kinds[owner] is not None), default=-1)
            for owner in range(len(self.sizes))
        ]
        self._table: dict[tuple[int, int, int, State], int] = {}
        self._start: State = (
            *((0,) * len(past.kinds) for past in self.pasts),
            *((0,) for _ in self.piles),
        )

    def _kinds(self) -> list[_Kind]:
        found: dict[tuple[object, ...], _Kind] = {}
        for item in self.unknowns.items:
            hands = tuple(past.kind_of[item] for past in self.pasts)
            piles = tuple(0 if item.generation == pack else None for pack in self.piles)
            may_stay = item.generation == self.unknowns.generation
            kind = found.setdefault((hands, piles, may_stay), _Kind([], hands + piles, may_stay))
            kind.items.append(item)
        # The freest come last: by then most places are taken, and little is left to try.
        return sorted(found.values(), key=lambda kind: sum(where is not None for where in kind.kinds))

    def count(self) -> int:
        """The number of worlds, before the remaining tests."""
        return self._ways(0, 0, self._left_of(0), self._start) * prod(map(factorial, map(len, self.veils)))

    def sample(self, chance: Random, *, with_past: bool = True) -> Share:
        """One share, all as likely; without the past, where only the present hands matter, all draws are
        0."""
        if not self._ways(0, 0, self._left_of(0), self._start):
            raise WorldsError("no world agrees with what was seen")
        held: list[list[Item]] = [[] for _ in self.sizes]
        state = self._start
        for at, kind in enumerate(self.kinds):
            free = list(kind.items)
            chance.shuffle(free)
            for owner in range(len(self.sizes)):
                some = self._amount(at, owner, len(free), state, chance)
                state = self._given(at, owner, some, state)
                held[owner] += free[:some]
                del free[:some]
        return self._share(held, chance if with_past else None, chance)

    def lots(self) -> list[Lot]:
        """How many of each kind every owner gets, kind after kind and owner after owner, as lots to be drawn.

        The first lot is drawn first; each amount is as likely as it has worlds, so a way through the lots is
        as likely as the worlds it stands for. Their past is not drawn.
        """
        first = (0, 0, self._left_of(0), self._start)
        numbers = {first: 0}
        waiting = [first]
        found: list[Lot] = []
        for at, owner, free, state in waiting:
            if at == len(self.kinds):
                found.append([(0, 1.0, 0)])  # nothing is left to share
                continue
            lot: Lot = []
            total = self._ways(at, owner, free, state)
            so_far = 0
            for some, after in self._gifts(at, owner, free, state):
                ways = comb(free, some) * self._ways(at, owner + 1, free - some, after)
                if not ways:
                    continue
                so_far += ways
                key = (at, owner + 1, free - some, after)
                if owner + 1 == len(self.sizes):
                    key = (at + 1, 0, self._left_of(at + 1), after)
                if key not in numbers:
                    numbers[key] = len(waiting)
                    waiting.append(key)
                lot.append((some, so_far / total, numbers[key]))
            found.append(lot)
        return found

    def _amount(self, at: int, owner: int, free: int, state: State, chance: Random) -> int:
        """A random number of cards of a kind for an owner."""
        options = [
            (comb(free, some) * self._ways(at, owner + 1, free - some, after), (some,))
            for some, after in self._gifts(at, owner, free, state)
        ]
        return choose_by_ways(options, chance)[0]

    def _share(self, held: list[list[Item]], past: Random | None, chance: Random) -> Share:
        hands = []
        for one, items in zip(self.pasts, held, strict=False):
            hands.append(dict.fromkeys(items, 0) if past is None else one.sample(items, past))
        piles: dict[Term, Term] = {}
        for veils, items in zip(self.veils, held[len(self.pasts) :], strict=True):
            chance.shuffle(items)
            piles.update((veil, item.card) for veil, item in zip(veils, items, strict=True))
        return Share(tuple(hands), piles)

    def every(self) -> Iterator[Share]:
        """All shares, each once."""
        return self._every(0, 0, self._left_items(0), self._start, [[] for _ in self.sizes])

    def _every(
        self, at: int, owner: int, free: list[Item], state: State, held: list[list[Item]]
    ) -> Iterator[Share]:
        if at == len(self.kinds):
            if self._leaf(state):
                yield from self._every_past(held, 0, ())
            return
        if owner == len(self.sizes):
            if not free or self.kinds[at].may_stay:
                yield from self._every(at + 1, 0, self._left_items(at + 1), state, held)
            return
        for some, after in self._gifts(at, owner, len(free), state):
            if not self._ways(at, owner + 1, len(free) - some, after):
                continue
            for chosen in combinations(free, some):
                rest = [item for item in free if item not in chosen]
                more = [*held[:owner], held[owner] + list(chosen), *held[owner + 1 :]]
                yield from self._every(at, owner + 1, rest, after, more)

    def _every_past(
        self, held: list[list[Item]], owner: int, hands: tuple[dict[Item, int], ...]
    ) -> Iterator[Share]:
        if owner < len(self.pasts):
            for came in self.pasts[owner].every(held[owner]):
                yield from self._every_past(held, owner + 1, (*hands, came))
            return
        for piles in self._every_pile(held[len(self.pasts) :], 0):
            yield Share(hands, piles)

    def _every_pile(self, held: list[list[Item]], at: int) -> Iterator[dict[Term, Term]]:
        if at == len(self.veils):
            yield {}
            return
        for order in permutations(held[at]):
            for others in self._every_pile(held, at + 1):
                yield {**dict(zip(self.veils[at], (item.card for item in order), strict=True)), **others}

    def _left_items(self, at: int) -> list[Item]:
        return self.kinds[at].items if at < len(self.kinds) else []

    def _left_of(self, at: int) -> int:
        return len(self._left_items(at))

    def _ways(self, at: int, owner: int, free: int, state: State) -> int:
        """The number of ways to go on: ``free`` cards of a kind are still to be offered to later owners."""
        if at == len(self.kinds):
            return self._leaf(state)
        if owner == len(self.sizes):
            if free and not self.kinds[at].may_stay:
                return 0
            return self._ways(at + 1, 0, self._left_of(at + 1), state)
        key = (at, owner, free, state)
        known = self._table.get(key)
        if known is None:
            if len(self._table) > MOST_STATES:
                raise NotCounted("there are too many ways to share the hidden cards to count them")
            known = sum(
                comb(free, some) * self._ways(at, owner + 1, free - some, after)
                for some, after in self._gifts(at, owner, free, state)
            )
            self._table[key] = known
        return known

    def _gifts(self, at: int, owner: int, free: int, state: State) -> Iterator[tuple[int, State]]:
        """How many of a kind an owner may get."""
        need = self.sizes[owner] - sum(state[owner])
        if self.kinds[at].kinds[owner] is None:
            if need == 0 or self._last[owner] > at:
                yield 0, state
            return
        if self._last[owner] == at:
            amounts = range(need, need + 1) if need <= free else range(0)
        else:
            amounts = range(min(need, free) + 1)
        for some in amounts:
            yield some, self._given(at, owner, some, state)

    def _given(self, at: int, owner: int, some: int, state: State) -> State:
        kind = self.kinds[at].kinds[owner]
        if not some or kind is None:
            return state
        counts = list(state[owner])
        counts[kind] += some
        return (*state[:owner], tuple(counts), *state[owner + 1 :])

    def _leaf(self, state: State) -> int:
        if any(sum(counts) != size for counts, size in zip(state, self.sizes, strict=True)):
            return 0
        return prod(past.ways(counts) for past, counts in zip(self.pasts, state, strict=False))
