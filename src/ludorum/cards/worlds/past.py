"""The number of ways in which a hidden hand can have come together, and a random one of them.

The hand is followed back in time. A card that was seen leaving the hand is in it before; a draw of k cards
takes some k out of it, namely of those that may have come with it, and all that cannot have come earlier.
Cards with the same span of draws are exchangeable, so only the number of cards of each span in the hand
matters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import comb, prod
from random import Random

from .unknowns import Item, NotCounted, Owner, Span, WorldsError

Counts = tuple[int, ...]
MOST_STATES = 20_000
"""Most entries of the tables of one hand; beyond, counting is given up."""


class Past:
    """The past of one hand, counted."""

    def __init__(self, owner: Owner, items: list[Item]) -> None:
        self.owner = owner
        self.spans: dict[Item, Span | None] = {item: owner.span(item) for item in items}
        for left in owner.left:
            self.spans.update((item, owner.span(item)) for item in left)
        kinds = sorted({span for span in self.spans.values() if span is not None})
        self.kinds: list[Span] = kinds
        self.kind_of = {
            item: None if span is None else kinds.index(span) for item, span in self.spans.items()
        }
        self._values: list[dict[Counts, int]] = [{} for _ in range(len(owner.draws) + 1)]
        self._values[0] = {(0,) * len(kinds): 1}
        self._states = 0
        self._gone = [self._count(left) for left in owner.left]

    def _count(self, items: list[Item]) -> Counts | None:
        """How many items of each kind; None where one cannot have been here at all."""
        counts = [0] * len(self.kinds)
        for item in items:
            kind = self.kind_of[item]
            if kind is None:
                return None
            counts[kind] += 1
        return tuple(counts)

    def ways(self, counts: Counts) -> int:
        """The number of ways to a hand that now holds so many unseen cards of each kind."""
        last = len(self.owner.draws)
        known = self._values[last].get(counts)
        if known is not None:
            return known
        layers: list[list[Counts]] = [[counts]]
        for at in range(last, 0, -1):
            wanted = {
                earlier
                for state in layers[-1]
                for _, earlier in self._before(at - 1, state)
                if earlier not in self._values[at - 1]
            }
            self._states += len(wanted)
            if self._states > MOST_STATES:
                raise NotCounted(f"there are too many ways for {self.owner.place} to count them")
            layers.append(list(wanted))
        for at, layer in enumerate(reversed(layers)):
            values = self._values[at]
            for state in layer:
                if at:
                    earlier = self._values[at - 1]
                    values[state] = sum(
                        comb_of * earlier[before] for comb_of, before in self._before(at - 1, state)
                    )
                else:
                    values.setdefault(state, 0)
        return self._values[last][counts]

    def _before(self, at: int, state: Counts) -> Iterator[tuple[int, Counts]]:
        """The possible hands before a draw, each with the number of ways to choose it."""
        for taken, held in self._takings(at, state):
            yield (
                prod(map(comb, held, taken)),
                tuple(have - less for have, less in zip(held, taken, strict=True)),
            )

    def _takings(self, at: int, state: Counts) -> Iterator[tuple[Counts, Counts]]:
        gone = self._gone[at]
        if gone is None:
            return
        held = tuple(map(sum, zip(state, gone, strict=True)))
        choices: list[range] = []
        for have, (first, end) in zip(held, self.kinds, strict=True):
            if first == at:
                choices.append(range(have, have + 1))  # it cannot have come earlier
            else:
                choices.append(range(have + 1) if first < at < end else range(1))
        size = self.owner.draws[at].size
        free = [number for number, choice in enumerate(choices) if len(choice) > 1]
        if not free:
            taken = tuple(choice[0] for choice in choices)
            if sum(taken) == size:
                yield taken, held
            return
        # The last free kind fills up what the others leave.
        *others, last = free
        for parts in product(*(choices[number] for number in others)):
            taken_now = [choice[0] for choice in choices]
            for number, part in zip(others, parts, strict=True):
                taken_now[number] = part
            rest = size - sum(taken_now)
            if 0 <= rest < len(choices[last]):
                taken_now[last] = rest
                yield tuple(taken_now), held

    def sample(self, now: list[Item], chance: Random) -> dict[Item, int]:
        """The draw of each item, those seen leaving included: all ways as likely."""
        self._prepare(now)
        came: dict[Item, int] = {}
        for at in range(len(self.owner.draws) - 1, -1, -1):
            now = now + self.owner.left[at]
            (taken,) = self._drawn(at, now, chance)
            came.update(dict.fromkeys(taken, at))
            now = [item for item in now if item not in came]
        return came

    def every(self, now: list[Item]) -> Iterator[dict[Item, int]]:
        """All ways, each once; with an explicit stack: games may have hundreds of draws."""
        self._prepare(now)
        stack: list[tuple[int, list[Item], dict[Item, int]]] = [(len(self.owner.draws), now, {})]
        while stack:
            at, held, came = stack.pop()
            if at == 0:
                yield came
                continue
            held = held + self.owner.left[at - 1]
            for taken in self._drawn(at - 1, held, None):
                gone = set(taken)
                rest = [item for item in held if item not in gone]
                stack.append((at - 1, rest, {**came, **dict.fromkeys(taken, at - 1)}))

    def _prepare(self, now: list[Item]) -> None:
        counts = self._count(now)
        if counts is None or not self.ways(counts):
            raise WorldsError(f"{self.owner.place} cannot hold these cards")

    def _drawn(self, at: int, held: list[Item], chance: Random | None) -> Iterator[list[Item]]:
        """The items of a draw: one random choice, or all."""
        gone = {id(item) for item in self.owner.left[at]}
        counts = self._count([item for item in held if id(item) not in gone])
        assert counts is not None
        by_kind: list[list[Item]] = [[] for _ in self.kinds]
        for item in held:
            kind = self.kind_of[item]
            assert kind is not None
            by_kind[kind].append(item)
        options = []
        for taken, have in self._takings(at, counts):
            before = tuple(map(int.__sub__, have, taken))
            ways = prod(map(comb, have, taken)) * self._values[at].get(before, 0)
            if ways:
                options.append((ways, taken))
        if chance is None:
            for _, taken in options:
                for parts in product(*map(combinations, by_kind, taken)):
                    yield [item for part in parts for item in part]
            return
        taken = choose_by_ways(options, chance)
        yield [
            item for items, some in zip(by_kind, taken, strict=True) for item in chance.sample(items, some)
        ]


def choose_by_ways(options: Sequence[tuple[int, Counts]], chance: Random) -> Counts:
    """One of several options, each as likely as it has ways; the numbers may be beyond any float."""
    at = chance.randrange(sum(ways for ways, _ in options))
    for ways, option in options:
        if at < ways:
            return option
        at -= ways
    raise AssertionError("the ways were counted")
