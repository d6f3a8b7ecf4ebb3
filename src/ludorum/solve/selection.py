"""The choice of a move: the value of plans, the order of preference, ties, and announcements.

(asp-player, section 13.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod

from .._core import SplitMix64
from ..rules.terms import Term

DISCOUNT = 0.99
"""The discount of a plan's value per move: a goal that is further away is less certain."""


def plan_value(goal: int, length: int, weights: Iterable[float] = (), discount: float = DISCOUNT) -> float:
    """The value of a plan, 0..1: by its goal, its length, and how likely the others' moves in it are.

    >>> round(plan_value(100, 3), 6), round(plan_value(50, 2), 6), round(plan_value(100, 5, [0.01]), 6)
    (0.970299, 0.49005, 0.00951)
    """
    return goal / 100 * discount**length * prod(weights)


@dataclass(frozen=True)
class Assessment:
    """What is known about one move."""

    move: Term
    guaranteed: int = -1
    """The highest value for which there is a strategy; -1 where none was found."""
    at_most: int = 100
    """The highest value that is not yet proved to be out of reach."""
    lasts: int = 0
    """Where the lowest value above the worst is lost: the most joint moves until then."""
    wins_in: int | None = None
    """Joint moves of the strategy."""
    worth: float = 0.0
    """The values of plans that begin with it, added up."""
    plausible: bool = False
    """Whether one of these plans needs no improbable move of the others."""
    shortest: int | None = None
    """Moves of the shortest of these plans."""
    estimate: float = 0.0
    """What a search expects of it, 0..100."""

    @property
    def is_exact(self) -> bool:
        """Whether its value is proved."""
        return self.guaranteed == self.at_most

    @property
    def rank(self) -> tuple[float, ...]:
        """Larger is better: strategies, then what is not lost, then plans, then estimates.

        Where a value is proved, plans that need help are ignored: such moves are equal.
        """
        quick = 0 if self.wins_in is None else -self.wins_in
        proved = (self.guaranteed, self.at_most, self.lasts, quick if self.guaranteed == 100 else 0)
        if self.is_exact:
            return (*proved, 0.0, 0, 0, 0.0)
        short = -1000 if self.shortest is None else -self.shortest
        return (*proved, round(self.worth, 9), self.plausible, short, round(self.estimate, 6))


def select(assessments: Sequence[Assessment], chooser: SplitMix64 | None) -> Assessment:
    """One of the best moves; among equals a random one, or the first where there is no generator."""
    if not assessments:
        raise ValueError("nothing to choose from")
    best = max(each.rank for each in assessments)
    equal = [each for each in assessments if each.rank == best]
    return equal[0 if chooser is None else chooser.below(len(equal))]


@dataclass
class Announcer:
    """Announces certain results, each once, and none that relies on help from others."""

    best: int
    """The highest and the lowest goal value of the role."""
    worst: int
    said: list[str] = field(default_factory=list)

    def consider(self, assessments: Sequence[Assessment], alone: bool = False) -> str | None:
        """The announcement of a certain end, if it is new; ``alone`` in games for one role."""
        if not assessments:
            return None
        sure = max(each.guaranteed for each in assessments)
        most = max(each.at_most for each in assessments)
        if sure == self.best:
            return self._say(
                f"certain win: {sure} is reached whatever the others do"
                if not alone
                else f"certain win: the plan reaches {sure}"
            )
        if most <= self.worst:
            return self._say(f"lost: the others can keep us at {self.worst}")
        if alone and sure == most:
            return self._say(f"the best that can be reached is {sure}")
        return None

    def unreachable(self, most: int) -> str | None:
        """The announcement that even with the help of all others only the worst value can be reached."""
        if most > self.worst:
            return None
        return self._say(f"unreachable: even with the help of all no more than {most}")

    def _say(self, text: str) -> str | None:
        kind = "lost" if text.startswith("unreachable") else text.split(":")[0]
        if kind in self.said:
            return None
        self.said.append(kind)
        return text
