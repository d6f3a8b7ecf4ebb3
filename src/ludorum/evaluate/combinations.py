"""Combinations of features: *overlapping* ones add up, *disjoint* ones have a value for each combination.

Both are fitted to examples, by least squares and by means; the one that
predicts examples it was not fitted to better is taken (asp-player, section 15.3).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class FitConfig:
    """Settings that may be changed, with their defaults."""

    ridges: tuple[float, ...] = (1e-4, 1e-2, 1e-1, 1.0)
    """Ridge penalties, for each example, that are tried: few and noisy games need a strong one, or features
    that nearly agree get large weights that nearly cancel."""
    bins: int = 4
    """The most steps of a feature in a table; features with more values are binned."""
    table_features: int = 4
    """The most features of a table, the best predictors: the number of combinations grows exponentially."""
    folds: int = 5
    margin: float = 0.98
    """How much better than a sum a table must be, in squared error, to be chosen."""
    prior: float = 2.0
    """The weight of the overall mean in each cell of a table, in examples."""


@dataclass(frozen=True)
class Overlapping:
    """A weighted sum."""

    weights: tuple[float, ...]
    bias: float

    def value(self, features: Vector) -> float:
        return self.bias + float(np.dot(self.weights, features))

    def values(self, rows: Matrix) -> Vector:
        return np.asarray(rows @ np.array(self.weights) + self.bias, float)

    def as_json(self) -> dict[str, object]:
        return {"kind": "overlapping", "weights": list(self.weights), "bias": self.bias}


@dataclass(frozen=True)
class Disjoint:
    """A table: the cell of a combination of feature values, each in a few steps."""

    chosen: tuple[int, ...]
    """The features of the table."""
    cuts: tuple[tuple[float, ...], ...]
    """For each of them, the cuts between steps."""
    cells: Mapping[tuple[int, ...], float] = field(default_factory=dict)
    default: float = 50.0
    """The value of combinations that no example had."""

    def value(self, features: Vector) -> float:
        return self.cells.get(self.cell(features), self.default)

    def cell(self, features: Vector) -> tuple[int, ...]:
        return tuple(bisect_left(cuts, features[at]) for at, cuts in zip(self.chosen, self.cuts, strict=True))

    def all_cells(self, rows: Matrix) -> list[tuple[int, ...]]:
        """The cell of each row."""
        steps = [np.searchsorted(cuts, rows[:, at]) for at, cuts in zip(self.chosen, self.cuts, strict=True)]
        return list(zip(*(each.tolist() for each in steps), strict=True)) if steps else [()] * len(rows)

    def values(self, rows: Matrix) -> Vector:
        return np.array([self.cells.get(cell, self.default) for cell in self.all_cells(rows)])

    def as_json(self) -> dict[str, object]:
        return {
            "kind": "disjoint",
            "chosen": list(self.chosen),
            "cuts": [list(cuts) for cuts in self.cuts],
            "cells": [[list(cell), value] for cell, value in sorted(self.cells.items())],
            "default": self.default,
        }


Combination = Overlapping | Disjoint


def parse_combination(data: Mapping[str, object]) -> Combination:
    """Reads what ``as_json`` wrote; ValueError, KeyError or TypeError where the data are something else."""
    if data["kind"] == "overlapping":
        return Overlapping(_floats(data["weights"]), _float(data["bias"]))
    if data["kind"] != "disjoint":
        raise ValueError(f"no combination of features is called {data['kind']!r}")
    cells, cuts, chosen = data["cells"], data["cuts"], data["chosen"]
    if not isinstance(cells, list) or not isinstance(cuts, list) or not isinstance(chosen, list):
        raise TypeError("cells, cuts and chosen are lists")
    return Disjoint(
        tuple(int(at) for at in chosen),
        tuple(_floats(each) for each in cuts),
        {tuple(int(step) for step in cell): _float(value) for cell, value in cells},
        _float(data["default"]),
    )


def fit_overlapping(rows: Matrix, targets: Vector, ridge: float = 1e-4) -> Overlapping:
    """The weights with the least squared error; features that never change have none.

    ``ridge``: the ridge penalty for each example.
    """
    if not len(rows):
        raise ValueError("no examples to fit weights to")
    means, spread = rows.mean(axis=0), rows.std(axis=0)
    live = spread > 1e-9
    weights = np.zeros(rows.shape[1])
    middle = float(targets.mean())
    if live.any():
        scaled = (rows[:, live] - means[live]) / spread[live]
        square = scaled.T @ scaled + ridge * len(rows) * np.eye(int(live.sum()))
        weights[live] = np.linalg.solve(square, scaled.T @ (targets - middle)) / spread[live]
    return Overlapping(tuple(weights.tolist()), middle - float(np.dot(weights, means)))


def fit_disjoint(rows: Matrix, targets: Vector, config: FitConfig | None = None) -> Disjoint:
    """The mean of the examples of each combination, shrunk towards the mean of all where they are few."""
    config = config or FitConfig()
    if not len(rows):
        raise ValueError("no examples to fit a table to")
    chosen = _telling(rows, targets, config)
    cuts = tuple(_cuts(rows[:, at], config.bins) for at in chosen)
    middle = float(targets.mean())
    empty = Disjoint(chosen, cuts, {}, middle)
    sums: dict[tuple[int, ...], list[float]] = {}
    for cell, target in zip(empty.all_cells(rows), targets.tolist(), strict=True):
        sums.setdefault(cell, []).append(target)
    cells = {
        cell: (sum(found) + config.prior * middle) / (len(found) + config.prior)
        for cell, found in sums.items()
    }
    return Disjoint(chosen, cuts, cells, middle)


@dataclass(frozen=True)
class Fit:
    """The combination that was chosen, and how well both predicted examples that were held back."""

    combination: Combination
    error: float
    """Root of the mean squared error, in goal points, on examples that were held back."""
    overlapping_error: float
    disjoint_error: float
    baseline_error: float
    """The same error of the mean alone."""
    examples: int

    @property
    def explained(self) -> float:
        """The share of the variance that the features explain; below 0 where they mislead."""
        return 1 - self.error**2 / self.baseline_error**2 if self.baseline_error > 0 else 0.0


def fit(
    rows: Matrix,
    targets: Vector,
    config: FitConfig | None = None,
    seed: int = 0,
    games: npt.NDArray[np.int64] | None = None,
) -> Fit:
    """The better of both kinds by cross-validation, fitted to all examples.

    ``games``: the game of each example. Those of one game are held back together, since some of them
    already tell how it ended.
    """
    config = config or FitConfig()
    _, group = np.unique(np.arange(len(rows)) if games is None else games, return_inverse=True)
    count = int(group.max(initial=0)) + 1
    fold = (np.random.default_rng(seed).permutation(count) % max(2, min(config.folds, count)))[group]
    errors: dict[float | str, float] = dict.fromkeys([*config.ridges, "table", "mean"], 0.0)
    for held in np.unique(fold):
        seen, unseen = fold != held, fold == held
        if not seen.any():
            continue
        truth = targets[unseen]
        guesses: dict[float | str, Vector] = {
            ridge: fit_overlapping(rows[seen], targets[seen], ridge).values(rows[unseen])
            for ridge in config.ridges
        }
        guesses["table"] = fit_disjoint(rows[seen], targets[seen], config).values(rows[unseen])
        guesses["mean"] = np.full(len(truth), targets[seen].mean())
        for name, guess in guesses.items():
            errors[name] += float(((guess - truth) ** 2).sum())
    roots = {name: float(np.sqrt(error / max(1, len(rows)))) for name, error in errors.items()}
    ridge = min(config.ridges, key=lambda each: roots[each])
    table = roots["table"] ** 2 < config.margin * roots[ridge] ** 2
    best = fit_disjoint(rows, targets, config) if table else fit_overlapping(rows, targets, ridge)
    error = roots["table" if table else ridge]
    return Fit(best, error, roots[ridge], roots["table"], roots["mean"], len(rows))


def _telling(rows: Matrix, targets: Vector, config: FitConfig) -> tuple[int, ...]:
    """The features whose steps explain most of the targets, alone or in pairs with another."""
    live = [at for at in range(rows.shape[1]) if rows[:, at].std() > 1e-9]
    steps = {at: np.searchsorted(_cuts(rows[:, at], config.bins), rows[:, at]) for at in live}
    gain = {at: _explained(steps[at], targets) for at in live}
    width = config.bins + 1
    for one in live:  # two features that predict nothing alone may predict all together
        for other in live:
            if one < other:
                both = _explained(steps[one] * width + steps[other], targets)
                for at in (one, other):
                    gain[at] = max(gain[at], both)
    best = sorted(live, key=lambda at: (-gain[at], at))[: config.table_features]
    return tuple(sorted(best))


def _explained(groups: npt.NDArray[np.int64], targets: Vector) -> float:
    """The squared error that the means of groups explain."""
    counts = np.bincount(groups)
    sums = np.bincount(groups, weights=targets - targets.mean())
    return float((sums[counts > 0] ** 2 / counts[counts > 0]).sum())


def _cuts(column: Vector, bins: int) -> tuple[float, ...]:
    """The cuts of a feature: between its values where they are few, else at quantiles."""
    values = np.unique(column)
    if len(values) > bins:
        values = np.unique(np.quantile(column, np.linspace(0, 1, bins + 1)))
    return tuple(((values[:-1] + values[1:]) / 2).tolist())


def _floats(values: object) -> tuple[float, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise TypeError("a list of numbers is wanted")
    return tuple(_float(value) for value in values)


def _float(value: object) -> float:
    if not isinstance(value, int | float) or not np.isfinite(value):
        raise ValueError(f"{value!r} is no number")
    return float(value)
