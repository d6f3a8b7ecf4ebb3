"""Sums and tables fitted to data whose making is known."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.evaluate import Disjoint, FitConfig, Overlapping, fit
from ludorum.evaluate.combinations import fit_disjoint, fit_overlapping, parse_combination


@pytest.mark.spec("asp-player", 50)
@given(st.lists(st.floats(-50, 50), min_size=1, max_size=6), st.floats(0, 100), st.integers(0, 1000))
def test_weights_of_exact_data_are_found(weights: list[float], bias: float, seed: int) -> None:
    rows = np.random.default_rng(seed).random((60, len(weights)))
    found = fit_overlapping(rows, rows @ np.array(weights) + bias, ridge=1e-12)
    assert found.bias == pytest.approx(bias, abs=1e-4)
    assert list(found.weights) == pytest.approx(weights, abs=1e-4)


@pytest.mark.spec("asp-player", 50)
def test_overlapping_data_with_noise_are_fitted_by_a_sum() -> None:
    chance = np.random.default_rng(1)
    rows = chance.random((2000, 4))
    targets = 40 + rows @ np.array([30.0, -20.0, 10.0, 0.0]) + chance.normal(0, 5, 2000)
    found = fit(rows, targets)
    assert isinstance(found.combination, Overlapping)
    assert list(found.combination.weights) == pytest.approx([30, -20, 10, 0], abs=1.5)
    assert found.error == pytest.approx(5, abs=0.3)
    assert found.error < found.disjoint_error < found.baseline_error
    assert 0.7 < found.explained < 0.9


@pytest.mark.spec("asp-player", 50)
def test_disjoint_data_are_fitted_by_a_table() -> None:
    """One of two features is good, both are bad, a third says nothing: no sum tells that."""
    chance = np.random.default_rng(2)
    rows = chance.integers(0, 2, (1000, 3)).astype(float)
    targets = 100.0 * (rows[:, 0] != rows[:, 1]) + chance.normal(0, 5, 1000)
    found = fit(rows, targets)
    assert isinstance(found.combination, Disjoint)
    assert found.overlapping_error == pytest.approx(50, abs=3)
    assert found.disjoint_error == pytest.approx(5, abs=1)
    assert found.combination.value(np.array([1.0, 0.0, 0.0])) == pytest.approx(100, abs=3)
    assert found.combination.value(np.array([1.0, 1.0, 1.0])) == pytest.approx(0, abs=3)


def test_what_a_table_has_not_seen_is_the_mean() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 1.0]] * 20)
    table = fit_disjoint(rows, np.array([10.0, 90.0] * 20), FitConfig(prior=0.0))
    assert table.value(np.array([0.0, 0.0])) == 10
    assert table.value(np.array([0.0, 1.0])) == 50


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_noise_alone_is_worth_its_mean(shift: float) -> None:
    chance = np.random.default_rng(3)
    found = fit(chance.random((400, 8)) + shift, 100 * chance.integers(0, 2, 400).astype(float))
    assert abs(found.explained) < 0.05
    assert found.combination.value(np.full(8, 0.5 + shift)) == pytest.approx(50, abs=5)


def test_examples_of_one_game_are_held_back_together() -> None:
    """A number that only names the game would foretell everything, had one seen half of it."""
    chance = np.random.default_rng(4)
    games = np.repeat(np.arange(100), 10)
    rows = chance.random((100, 1))[games]
    targets = (100 * chance.integers(0, 2, 100).astype(float))[games]
    config = FitConfig(bins=80, prior=0.0)
    assert fit(rows, targets, config).disjoint_error < 35
    assert fit(rows, targets, config, games=games).disjoint_error > 45


@given(st.integers(0, 10_000), st.booleans())
def test_combinations_are_read_back(seed: int, table: bool) -> None:
    chance = np.random.default_rng(seed)
    rows, targets = chance.random((30, 3)), 100 * chance.random(30)
    made = fit_disjoint(rows, targets) if table else fit_overlapping(rows, targets)
    again = parse_combination(json.loads(json.dumps(made.as_json())))
    assert again == made
    assert again.value(rows[0]) == made.value(rows[0])


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "magic"},
        {"kind": "overlapping", "weights": "heavy", "bias": 0},
        {"kind": "overlapping", "weights": [1, float("nan")], "bias": 0},
        {"kind": "disjoint", "cells": {}, "cuts": [], "chosen": [], "default": 0},
    ],
)
def test_other_data_are_refused(data: dict[str, object]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        parse_combination(data)


def test_nothing_cannot_be_fitted() -> None:
    with pytest.raises(ValueError, match="no examples"):
        fit_overlapping(np.zeros((0, 2)), np.zeros(0))
    with pytest.raises(ValueError, match="no examples"):
        fit_disjoint(np.zeros((0, 2)), np.zeros(0))


@given(st.integers(0, 10_000))
def test_one_row_is_valued_as_many_are(seed: int) -> None:
    chance = np.random.default_rng(seed)
    rows, targets = np.round(chance.random((40, 3)), 1), 100 * chance.random(40)
    for made in (fit_disjoint(rows, targets), fit_overlapping(rows, targets)):
        assert made.values(rows).tolist() == pytest.approx([made.value(row) for row in rows])
