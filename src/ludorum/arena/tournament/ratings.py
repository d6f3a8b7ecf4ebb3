"""Ratings: how strong each player is, in Elo, with errors.

The model is Bradley and Terry's: a player that is ``d`` Elo stronger gets the share ``1 / (1 +
10**(-d/400))``
of the points, a draw being half a point for each. The strengths are those of maximum likelihood. Errors do
not trust the model: they are taken from how much sets of matches differ (the "sandwich" of Huber and White,
by sets), so draws make them smaller and openings that decide a whole set larger, as they should.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from .duels import Duels, Floats, resampled
from .statistics import Z95

ELO = 400 / math.log(10)
"""Elo for one unit of the logistic curve."""


@dataclass(frozen=True)
class Rating:
    """The strength of a player."""

    player: str
    elo: float
    error: float
    """The standard error; 0 for the anchor."""
    low: float
    high: float
    """95 % by the error."""
    bootstrap: tuple[float, float]
    """95 % of the strengths in the bootstrap over sets."""

    def as_json(self) -> dict[str, object]:
        return {
            "elo": round(self.elo, 2),
            "error": round(self.error, 2),
            "interval": [round(self.low, 2), round(self.high, 2)],
            "bootstrap": [round(bound, 2) for bound in self.bootstrap],
        }


@dataclass(frozen=True)
class Ratings:
    """The strengths of all players."""

    rows: tuple[Rating, ...]
    """In the order of the players."""
    is_bounded: bool
    """False where a player won or lost everything, or some never met, even by way of others: then likelihood
    alone would go to infinity, and a draw of each player against an average player is added."""

    def of(self, player: str) -> Rating:
        return next(row for row in self.rows if row.player == player)


def rate(
    duels: Duels,
    anchor: str | None = None,
    anchor_elo: float = 0.0,
    *,
    bootstrap: int = 400,
    seed: int = 0,
) -> Ratings:
    """Rate all players, the anchor (else the mean of all) fixed at ``anchor_elo``."""
    games, points = duels.games.sum(axis=0), duels.points.sum(axis=0)
    design, names = duels.design(), duels.players
    bounded = _is_bounded(design, games, points)
    strengths = fit(design, games, points, 0.0 if bounded else 1.0)
    shift = _shift(names, anchor)
    covariance = shift @ _covariance(duels, design, strengths, bounded) @ shift.T
    errors = ELO * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    elos = ELO * shift @ strengths + anchor_elo
    samples = _bootstrap(duels, design, strengths, bootstrap, seed) @ shift.T * ELO + anchor_elo
    low, high = np.percentile(samples, [2.5, 97.5], axis=0) if len(samples) else (elos, elos)
    rows = tuple(
        Rating(
            player=name,
            elo=float(elo),
            error=float(error),
            low=float(elo - Z95 * error),
            high=float(elo + Z95 * error),
            bootstrap=(float(one), float(two)),
        )
        for name, elo, error, one, two in zip(names, elos, errors, low, high, strict=True)
    )
    return Ratings(rows, bounded)


def fit(design: Floats, games: Floats, points: Floats, prior: float, begin: Floats | None = None) -> Floats:
    """Strengths of maximum likelihood, their mean 0, by Newton's method.

    ``prior``: how many draws against an average player each player is given beforehand.
    """
    strengths = np.zeros(design.shape[1]) if begin is None else begin.copy()
    for _ in range(100):
        expected = _logistic(design @ strengths)
        own = _logistic(strengths)
        slope = design.T @ (points - games * expected) + prior * (0.5 - own)
        curve = _information(design, games, strengths, prior)
        fixed = 1e-9 * np.eye(len(curve)) if prior else _ones(len(curve))
        step = np.linalg.solve(curve + fixed, slope)
        # Far from the top the curve flattens and a full step would overshoot.
        strengths += step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if not prior:
            strengths -= strengths.mean()
        if float(np.abs(step).max()) < 1e-10:
            break
    return np.asarray(strengths - strengths.mean())


def _logistic(value: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(value, -50, 50))))


def _ones(size: int) -> Floats:
    """Fixes the mean, which results do not determine."""
    return np.full((size, size), 1.0 / size)


def _information(design: Floats, games: Floats, strengths: Floats, prior: float) -> Floats:
    """The Fisher information: a graph's Laplacian, its edges weighted by what their games tell."""
    expected, own = _logistic(design @ strengths), _logistic(strengths)
    curve = np.zeros((len(strengths), len(strengths)))
    first, second = design.argmax(axis=1), design.argmin(axis=1)
    curve[first, second] = curve[second, first] = -games * expected * (1 - expected)
    return curve + np.diag(prior * own * (1 - own) - curve.sum(axis=0))


def _covariance(duels: Duels, design: Floats, strengths: Floats, bounded: bool) -> Floats:
    """The covariance of the strengths, from how much sets differ from what the model expects."""
    games = duels.games.sum(axis=0)
    curve = _information(design, games, strengths, 0.0 if bounded else 1.0)
    inverse: Floats = np.linalg.pinv(curve).astype(np.float64)
    if not bounded:
        return inverse
    slopes = (duels.points - duels.games * _logistic(design @ strengths)) @ design
    sets = max(duels.sets, 2)
    # One set as the model has it keeps the spread above 0 where few sets happen to be alike.
    spread = (slopes.T @ slopes + curve / sets) * sets / (sets - 1)
    return inverse @ spread @ inverse


def _shift(names: tuple[str, ...], anchor: str | None) -> Floats:
    """The matrix that makes strengths relative to the anchor, or to the mean of all."""
    size = len(names)
    if anchor is None:
        return np.eye(size) - _ones(size)
    if anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is no player; there are {', '.join(names)}")
    moved = np.eye(size)
    moved[:, names.index(anchor)] -= 1.0
    return moved


def _bootstrap(duels: Duels, design: Floats, strengths: Floats, times: int, seed: int) -> Floats:
    if duels.sets < 2 or times == 0:
        return np.zeros((0, len(duels.players)))
    found = []
    weights = resampled(duels.sets, times, seed)
    for games, points in zip(weights @ duels.games, weights @ duels.points, strict=True):
        prior = 0.0 if _is_bounded(design, games, points) else 1.0
        found.append(fit(design, games, points, prior, None if prior else strengths))
    return np.array(found)


def _is_bounded(design: Floats, games: Floats, points: Floats) -> bool:
    """Ford's condition: every player has scored against every other, if only by way of others."""
    size = design.shape[1]
    beats = np.eye(size, dtype=bool)
    first, second = design.argmax(axis=1), design.argmin(axis=1)
    beats[first, second] |= points > 0
    beats[second, first] |= points < games
    for middle in range(size):
        beats |= np.outer(beats[:, middle], beats[middle])
    return bool(beats.all())
