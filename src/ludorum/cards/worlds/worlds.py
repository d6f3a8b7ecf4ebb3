"""Random worlds: complete positions that agree with a player's whole knowledge.

Hidden hands and piles are drawn by counting (``shares``), so no world is more likely than another; other
conditions are tested, and worlds that fail are drawn again. Where that is hopeless, or cards moved unseen,
worlds come from a chain (``chain``). Undrawn cards stay undrawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from ..machine.position import CardPosition
from .chain import Chain
from .history import History
from .knowledge import Knowledge
from .shares import Share, Shares
from .unknowns import NotCounted, WorldsError, unknowns_of
from .weights import Telling, Weighting, weights_of

MOST_TRIES = 400
"""Most worlds drawn for one that passes the tests that could not be counted."""
MOST_LISTED = 1_000
"""Up to so many, worlds are listed and tested one by one instead of drawn until one passes."""


@dataclass(frozen=True)
class World:
    """A possible position from which the game can go on, and its probability (the sum is 1)."""

    position: CardPosition
    weight: float


class WorldSource:
    """Draws the worlds of one moment in batches: counting, or building, is done once for all."""

    def __init__(self, knowledge: Knowledge, seed: int) -> None:
        self.knowledge = knowledge
        self._chance = Random(seed)
        self._sampler: Sampler | None = None
        self._chain: Chain | None = None

    def some(self, count: int, weighting: Weighting = "uniform") -> list[World]:
        """So many worlds, drawn independently; if there are no more than that, all of them, each once."""
        if count < 1:
            raise WorldsError(f"{count} worlds: at least one is needed")
        histories = self._histories(count, with_past=weighting != "uniform")
        return _weighted(histories, weights_of(histories, weighting))

    def likely(self, count: int, likelihood: Callable[[Telling], float]) -> list[World]:
        """The same, each world weighted by the likelihood of the observations."""
        histories = self._histories(count, with_past=True)
        found = [likelihood(history) for history in histories]
        total = sum(found)
        return _weighted(histories, [one / total for one in found])

    def _histories(self, count: int, *, with_past: bool) -> Sequence[Telling]:
        """Counted where that is possible, else from a chain."""
        if self._chain is None and not self.knowledge.story.has_unseen_ways:
            try:
                self._sampler = self._sampler or Sampler(self.knowledge)
                return self._sampler.some(count, self._chance, with_past=with_past)
            except NotCounted:
                pass
        self._chain = self._chain or Chain(self.knowledge, self._chance)
        return self._chain.some(count)


def sample_worlds(
    knowledge: Knowledge, count: int, seed: int, weighting: Weighting = "uniform"
) -> list[World]:
    """So many worlds, drawn independently; if there are no more than that, all of them, each once."""
    return WorldSource(knowledge, seed).some(count, weighting)


def _weighted(histories: Sequence[Telling], weights: Sequence[float]) -> list[World]:
    return [World(history.position(), weight) for history, weight in zip(histories, weights, strict=True)]


class Sampler:
    """Draws the worlds of one moment; counting is done once for all of them."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.unknowns = unknowns_of(knowledge)
        self.shares = Shares(self.unknowns)

    def every(self) -> Iterator[History]:
        """All worlds, each once."""
        return filter(self._passes, map(self._history, self.shares.every()))

    def some(self, count: int, chance: Random, *, with_past: bool = True) -> list[History]:
        """Random worlds, or all if there are no more than asked for."""
        tests = self.unknowns.tests
        total = self.shares.count()
        if total == 0:
            raise WorldsError("no world agrees with what was seen")
        if total <= count or (tests and total <= MOST_LISTED):
            found = list(self.every())
            if not found:
                raise WorldsError("no world agrees with what was seen")
            return found if len(found) <= count else [chance.choice(found) for _ in range(count)]
        return [self._one(chance, with_past=with_past or bool(tests)) for _ in range(count)]

    def _one(self, chance: Random, *, with_past: bool) -> History:
        for _ in range(MOST_TRIES):
            found = self._history(self.shares.sample(chance, with_past=with_past))
            if self._passes(found):
                return found
        tests = ", ".join(str(test.node) for test in islice(self.unknowns.tests, 5))
        raise NotCounted(
            f"none of {MOST_TRIES} worlds agrees with what was seen at nodes {tests}",
            hint="a chart that asks playerHas of one kind of card at a time can be counted",
        )

    def _history(self, share: Share) -> History:
        return History(self.knowledge, self.unknowns, share)

    def _passes(self, history: History) -> bool:
        return all(map(history.agrees, self.unknowns.tests))
