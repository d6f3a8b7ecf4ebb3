"""An evaluation whose near values are spread apart, in their order.

Searches round estimates to a ten thousandth of a goal point, and the values of two states by the networks of
goals may differ in the tenth digit only. Minimax asks nothing of values but their order, so they may be moved
apart as long as it stays: what a sample of states is worth gets places of equal distance between the goals
that a match can end with, which stay where they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, product
from math import log1p

from .._core import Spread
from ..engine.game import State
from ..rules.terms import Term
from .evaluation import Evaluation

SAMPLE = 300
"""States whose values get places of their own."""
EDGE = 0.25
"""The share of the way between two goals that is kept for values beyond all those of the sample."""
LEAST_UNIT = 1e-100
"""Any distance divided by it is a number."""
CLEAR = 0.01
"""Estimates stay so far from goals: less than the sample's distances, more than the rounding of searches."""


@dataclass(frozen=True)
class Interval:
    """The values between two goals: those of a sample in rising order, and the range that they get."""

    low: float
    high: float
    sample: Sequence[float]

    def place(self, value: float) -> float:
        """Strictly rising in the value, which lies between ``low`` and ``high``."""
        width = self.high - self.low - 2 * CLEAR
        start = self.low + CLEAR
        if not self.sample:
            return start + width * (value - self.low) / (self.high - self.low)
        first, last = self.sample[0], self.sample[-1]
        if value < first:
            share = EDGE * (1 - _beyond(first - value, first - self.low, self.unit))
        elif value > last:
            share = 1 - EDGE + EDGE * _beyond(value - last, self.high - last, self.unit)
        else:
            share = EDGE + (1 - 2 * EDGE) * self._within(value)
        return start + width * share

    def _within(self, value: float) -> float:
        """The share of the sample that is not above the value, with what lies between two by its distance."""
        if len(self.sample) == 1:
            return 0.5
        at = bisect_right(self.sample, value) - 1
        if at == len(self.sample) - 1:
            return 1.0
        one, other = self.sample[at], self.sample[at + 1]
        return (at + (value - one) / (other - one)) / (len(self.sample) - 1)

    @cached_property
    def unit(self) -> float:
        """What counts as a step beyond the sample."""
        steps = sorted(other - one for one, other in pairwise(self.sample))
        return max(LEAST_UNIT, steps[len(steps) // 2] if steps else (self.high - self.low) / SAMPLE)


def _beyond(distance: float, whole: float, unit: float) -> float:
    """0 to 1, fast at first: how far beyond the sample values go is not known."""
    return log1p(distance / unit) / log1p(whole / unit)


class Sharpened:
    """An evaluation by another one, with the values of a role spread apart around a state."""

    def __init__(self, evaluation: Evaluation, goals: Iterable[int], sample: Iterable[float]) -> None:
        """``goals``: those that a match can end with, whose values stay."""
        self.evaluation = evaluation
        self._goals = sorted({0, 100, *goals})
        values = sorted(set(sample))
        self._intervals = [
            Interval(low, high, [value for value in values if low < value < high])
            for low, high in pairwise(self._goals)
        ]

    def __call__(self, state: State, role: Term) -> float:
        value = self.evaluation(state, role)
        return value if state.is_terminal else self.place(value)

    @cached_property
    def spread(self) -> Spread:
        """The same places, for compiled searches."""
        return Spread([(one.low, one.high, one.unit, list(one.sample)) for one in self._intervals])

    def place(self, value: float) -> float:
        at = bisect_right(self._goals, value) - 1
        if value == self._goals[at]:
            return value
        return self._intervals[at].place(value)


def sharpened(evaluation: Evaluation, state: State, role: Term, goals: Iterable[int] = ()) -> Sharpened:
    """An evaluation for searches from a state, by the values of the states that are nearest to it."""
    near = islice(near_states(state), SAMPLE)
    return Sharpened(evaluation, goals, [evaluation(each, role) for each in near if not each.is_terminal])


def near_states(state: State) -> Iterator[State]:
    """The state and all that follow, nearest first; one may come twice."""
    level = [state]
    while level:
        yield from level
        level = [after for each in level for after in _after(each)][:SAMPLE]


def _after(state: State) -> Iterator[State]:
    if state.is_terminal:
        return
    for joint in islice(product(*(state.legal(role) for role in state.game.roles)), SAMPLE):
        yield state.play(joint)
