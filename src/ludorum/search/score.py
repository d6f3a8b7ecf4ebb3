"""Scores of alpha-beta: goal values in fine units, discounted a little towards a draw with every step.

The twin of ``_core/alphabeta/score.hpp``.
"""

from __future__ import annotations

UNIT = 10_000
"""Units of one goal point: a win loses one unit a step, and stays a win for thousands of steps."""
DRAW = 50 * UNIT
INFINITE = 1 << 28


def fade(score: int) -> int:
    """A score seen from one step before, discounted: quick wins and late losses are preferred."""
    return score - (score > DRAW) + (score < DRAW)


def alpha_below(alpha: int) -> int:
    """The largest score whose discounted one is at most ``alpha``."""
    return alpha + 1 if alpha >= DRAW else alpha - 1


def beta_below(beta: int) -> int:
    """The least score whose discounted one is at least ``beta``."""
    return beta + 1 if beta > DRAW else beta - 1


def goal_of_score(score: int, solved: bool) -> float:
    """A score in goal points: a whole number where it follows from ends of the game."""
    return float((score + UNIT // 2) // UNIT) if solved else score / UNIT


def score_of_estimate(value: float, worst: int, best: int) -> int:
    """An estimate as a score that cannot be taken for the best or the worst end."""
    score = int((min(100.0, max(0.0, value)) * UNIT + 0.5) // 1)
    return min(max(score, worst + UNIT // 2), max(worst, best - UNIT) + UNIT // 2)
