"""How much more likely one mean score is than another, given only the observed scores.

The generalised likelihood ratio of engine testing: for each of the two means, the most likely distribution
over the observed scores that has this mean. (A normal distribution with the observed variance is simpler, and
errs more often than promised where scores are skewed, as between players of unequal strength.) The most
likely weights are those observed, each divided by ``1 + t * (score - mean)``, with the one ``t`` that gives
the mean: Owen, Empirical Likelihood, 2001, section 2.9.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

PRIOR = 1e-3
"""How often the lowest and the highest score are taken to have been seen before: so any mean is possible
from the beginning, as the testers of Stockfish do it."""
ROUNDS = 100
PRECISION = 1e-12


def log_likelihood_ratio(seen: Mapping[float, int], low: float, high: float) -> float:
    """The log likelihood ratio of the mean ``high`` against ``low``, both between 0 and 1; scores come with
    their counts.

    >>> round(log_likelihood_ratio({1.0: 3, 0.0: 1}, 0.25, 0.75), 2) == round(2 * math.log(3), 2)
    True
    """
    weights = {0.0: PRIOR, 1.0: PRIOR}
    for score, count in seen.items():
        weights[score] = weights.get(score, 0.0) + count
    return _deficit(weights, low) - _deficit(weights, high)


def _deficit(weights: Mapping[float, float], mean: float) -> float:
    """By how much the log likelihood falls below that of the observed scores."""
    distances = [(score - mean, weight) for score, weight in weights.items()]
    t = _tilt(distances)
    return sum(weight * math.log1p(t * distance) for distance, weight in distances)


def _tilt(distances: list[tuple[float, float]]) -> float:
    """The ``t`` for which the tilted distances have the mean 0: their sum falls with t, so Newton's steps are
    bounded."""
    low, high = -1 / max(d for d, _ in distances), -1 / min(d for d, _ in distances)
    t = 0.0
    for _ in range(ROUNDS):
        value = sum(weight * d / (1 + t * d) for d, weight in distances)
        slope = -sum(weight * (d / (1 + t * d)) ** 2 for d, weight in distances)
        low, high = (t, high) if value > 0 else (low, t)
        step = t - value / slope
        following = step if low < step < high else (low + high) / 2
        if abs(following - t) <= PRECISION * (high - low + abs(t)):
            break
        t = following
    return t
