"""How good a hand is among all hands of its size, as far as single cards tell: from the weakest to the best.

Charts do not say what a good hand is, but they give cards values: points where a chart counts points, else
their ranks. The sum over a hand is compared with all hands that could have been dealt, so one scale serves
hands of any size and any pack.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..language.rules import ChoiceNode, Rules, Statement
from ..language.terms import Term, subterms
from .evaluate import EvaluationError, as_number, evaluate
from .position import CardPosition

KINDS = 7
"""Kinds of hands that are told apart: more would be seen too rarely in one match."""
LARGEST = 20
"""Most cards of a hand; larger hands are not compared."""
_ROUNDING = 1e-9
_POINTS = frozenset({"total", "pointValue", "deadwood"})


@dataclass(frozen=True)
class HandScale:
    """The worth of each card, and the usual sums in hands of each size."""

    worth: tuple[tuple[Term, int], ...]
    """The worth of every card of the pack, equal ones as often as they occur."""

    @classmethod
    def of(cls, chart: Rules, position: CardPosition) -> HandScale:
        """The scale of a pack, by the values of ranks or points that hold in a position."""
        name = "pointValue" if counts_points(chart) else "rankValue"
        assigned = frozenset(item for item in position.variables.items() if item[0].name == name)
        return _scale(name, position.composition, assigned)

    def total(self, cards: Iterable[Term]) -> int:
        worth = _by_card(self)
        return sum(worth.get(card, 0) for card in cards)

    def worth_of(self, cards: Iterable[Term]) -> list[int]:
        worth = _by_card(self)
        return [worth.get(card, 0) for card in cards]

    def share(self, cards: Sequence[Term]) -> float:
        """The share of hands of this size that are worse, 0 to 1; equally good ones count half."""
        least, chances = _sums(self, len(cards))
        at = self.total(cards) - least
        return float(chances[:at].sum() + chances[at] / 2)

    def kind(self, cards: Sequence[Term]) -> int:
        """The kind of a hand: 0 for the weakest seventh, ``KINDS`` - 1 for the best."""
        return bisect_left(self.limits(len(cards)), self.total(cards))

    def limits(self, size: int) -> tuple[int, ...]:
        """The greatest sum of every kind but the last, for hands of a size."""
        return _limits(self, size)


@lru_cache(maxsize=64)
def counts_points(chart: Rules) -> bool:
    """Whether a chart asks anywhere for the points of cards."""
    for node in chart.nodes.values():
        if isinstance(node, Statement | ChoiceNode):
            what = node.action if isinstance(node, Statement) else node.condition
            if any(part.name in _POINTS for part in subterms(what)):
                return True
    return False


def _worth(name: str, card: Term, position: CardPosition) -> int:
    try:
        return as_number(evaluate(Term(name, (card,)), position))
    except EvaluationError:  # a rank of the chart's own without an order
        return 0


@lru_cache(maxsize=256)
def _scale(name: str, pack: tuple[Term, ...], assigned: frozenset[tuple[Term, Term]]) -> HandScale:
    """One shared scale, so that its values are computed once: they are needed in thousands of worlds."""
    values = CardPosition(0, 0, variables=dict(assigned))
    return HandScale(tuple((card, _worth(name, card, values)) for card in pack))


@lru_cache(maxsize=256)
def _by_card(scale: HandScale) -> dict[Term, int]:
    return dict(scale.worth)


@lru_cache(maxsize=64)
def _ways(scale: HandScale) -> tuple[int, NDArray[np.float64]]:
    """How many hands there are by size and sum; worths are counted from the least of all, which is given."""
    values = [worth for _, worth in scale.worth]
    least = min(values, default=0)
    most = min(LARGEST, len(values))
    highest = sum(sorted((value - least for value in values), reverse=True)[:most])
    ways = np.zeros((most + 1, highest + 1))
    ways[0, 0] = 1
    for value in values:
        more = value - least
        ways[1:, more:] += ways[:-1, : highest + 1 - more].copy()
    return least, ways


@lru_cache(maxsize=512)
def _sums(scale: HandScale, size: int) -> tuple[int, NDArray[np.float64]]:
    """The probability of each sum in hands of a size, from the least one on, which is given too."""
    least, ways = _ways(scale)
    if not 0 <= size < len(ways):
        raise ValueError(f"hands of {size} cards are not compared: 0 to {len(ways) - 1} are")
    return least * size, ways[size] / ways[size].sum()


@lru_cache(maxsize=512)
def _limits(scale: HandScale, size: int) -> tuple[int, ...]:
    least, chances = _sums(scale, size)
    shares = np.cumsum(chances) - chances / 2 + _ROUNDING
    steps = [(kind + 1) / KINDS for kind in range(KINDS - 1)]
    return tuple(least + int(at) - 1 for at in np.searchsorted(shares, steps, side="left"))


__all__ = ["KINDS", "LARGEST", "HandScale", "counts_points"]
