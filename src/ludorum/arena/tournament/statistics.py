"""Confidence of scores: intervals for shares, and the sequential test that ends a comparison early."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from .likelihood import log_likelihood_ratio

Z95 = 1.959963984540054


def wilson_interval(score: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The 95 % interval of a share of points (a draw counts half) that was ``score`` points of ``games``.

    >>> tuple(round(bound, 3) for bound in wilson_interval(80, 100))
    (0.711, 0.867)
    """
    if games == 0:
        return 0.0, 1.0
    share = score / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def expected_share(elo: float) -> float:
    """The share of points that a player so much stronger wins."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(share: float) -> float:
    """The inverse of ``expected_share``; infinite for all or nothing."""
    if share <= 0 or share >= 1:
        return math.copysign(math.inf, share - 0.5)
    return -400 * math.log10(1 / share - 1)


@dataclass
class SequentialTest(ABC):
    """Wald's sequential probability ratio test: is a player ``elo1`` stronger, or only ``elo0``?

    It uses the generalised likelihood ratio of engine testing over the observed scores, so draws are
    welcome; the kind of test defines a score. ``result`` is None until the evidence suffices.
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05
    wins: int = 0
    draws: int = 0
    losses: int = 0

    def count(self, points: float) -> None:
        """Count one game: 1, 0.5 or 0 points; other shares count as the nearest."""
        if points > 0.75:
            self.wins += 1
        elif points < 0.25:
            self.losses += 1
        else:
            self.draws += 1

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        return self.wins + self.draws / 2

    @abstractmethod
    def evidence(self) -> Mapping[float, int]:
        """How often each score was seen; scores are independent of each other."""

    @property
    def log_likelihood_ratio(self) -> float:
        return log_likelihood_ratio(self.evidence(), expected_share(self.elo0), expected_share(self.elo1))

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first the answer is no, above the second it is yes.

        A little wider than Wald's log(beta / (1 - alpha)) and log((1 - beta) / alpha), which bound the sum of
        both errors: a ratio passes 1 / alpha with a chance of alpha at most where the player is not stronger,
        whatever comes later (Ville's inequality), so each error keeps to its own bound.
        """
        return math.log(self.beta), -math.log(self.alpha)

    @property
    def result(self) -> bool | None:
        """True: as strong as ``elo1`` says; False: no more than ``elo0``; None: play on."""
        low, high = self.bounds
        ratio = self.log_likelihood_ratio
        return True if ratio >= high else False if ratio <= low else None

    def as_json(self) -> dict[str, object]:
        low, high = wilson_interval(self.score, self.games)
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score / self.games if self.games else None,
            "interval": [low, high],
            "elo0": self.elo0,
            "elo1": self.elo1,
            "log_likelihood_ratio": self.log_likelihood_ratio,
            "bounds": list(self.bounds),
            "result": self.result,
        }


@dataclass
class Sprt(SequentialTest):
    """The test over games that are independent of each other."""

    def add(self, points: float) -> None:
        """The points of one game."""
        self.count(points)

    def evidence(self) -> Mapping[float, int]:
        return {1.0: self.wins, 0.5: self.draws, 0.0: self.losses}


@dataclass
class PairedSprt(SequentialTest):
    """The test over sets of games that share an opening, with the seats changed.

    Games of a set are not independent: an opening that favours a seat gives each player one win. What counts
    here is the mean of a set, so the error rates hold whatever the sets are like.
    """

    means: Counter[float] = field(default_factory=Counter)
    """How many sets had which mean."""
    ratios: list[float] = field(default_factory=list)
    """The log likelihood ratio after each set."""

    def add(self, points: Sequence[float]) -> None:
        """The points of the games of one set."""
        for one in points:
            self.count(one)
        self.means[round(sum(points) / len(points), 9)] += 1
        self.ratios.append(super().log_likelihood_ratio)

    @property
    def log_likelihood_ratio(self) -> float:
        return self.ratios[-1] if self.ratios else super().log_likelihood_ratio

    @property
    def sets(self) -> int:
        return self.means.total()

    def evidence(self) -> Mapping[float, int]:
        return self.means

    def as_json(self) -> dict[str, object]:
        return {"sets": self.sets} | super().as_json()


class StrengthAnswer(StrEnum):
    """What a comparison of two players says."""

    STRONGER = "stronger"
    WEAKER = "weaker"
    NOT_KNOWN = "not known"


@dataclass
class TwoSidedSprt:
    """Two sequential tests side by side: is the first player ``margin`` Elo stronger than the second, or not
    at all; and is the second stronger than the first?

    Each answer that is not true is given with a chance of ``alpha`` at most.
    """

    margin: float = 40.0
    alpha: float = 0.05

    def __post_init__(self) -> None:
        self.better = PairedSprt(0.0, self.margin, self.alpha, self.alpha)
        self.worse = PairedSprt(0.0, self.margin, self.alpha, self.alpha)

    def add(self, points: Sequence[float]) -> None:
        """The points of the first player in the games of one set."""
        self.better.add(points)
        self.worse.add([1 - one for one in points])

    @property
    def answer(self) -> StrengthAnswer:
        if self.better.result is True:
            return StrengthAnswer.STRONGER
        return StrengthAnswer.WEAKER if self.worse.result is True else StrengthAnswer.NOT_KNOWN

    @property
    def is_over(self) -> bool:
        """Whether further games need not be played: one is stronger, or neither is by the margin."""
        results = (self.better.result, self.worse.result)
        return True in results or None not in results

    @property
    def is_even(self) -> bool:
        """Whether neither is found to be stronger by the margin, and that is sure."""
        return self.better.result is False and self.worse.result is False

    def as_json(self) -> dict[str, object]:
        return self.better.as_json() | {
            "answer": str(self.answer),
            "even": self.is_even,
            "log_likelihood_ratio_worse": self.worse.log_likelihood_ratio,
        }
