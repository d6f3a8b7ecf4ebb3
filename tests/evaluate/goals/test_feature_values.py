"""Features as numbers: the examples of the thesis, and the order that they must keep."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.evaluate.goals.feature_values import (
    TruthValues,
    margin_value,
    partial_value,
    soft_minimum,
    solutions_value,
)


@pytest.mark.parametrize(
    ("at_start", "solutions", "value"),
    [(9, 1, 0), (9, 5, 0.265133), (9, 9, 0.459970), (9, 10, 0.5), (0, 1, 0), (1, 2, 0.5)],
)
def test_values_of_solutions(at_start: int, solutions: int, value: float) -> None:
    """T7."""
    assert solutions_value(solutions, at_start) == pytest.approx(value, abs=1e-6)


def test_the_value_of_partial_solutions() -> None:
    """T7; depth weighs more than any number, and what has no solution is never as near as what has one."""
    assert partial_value(4, 7, 3) == pytest.approx(0.424286, abs=1e-6)
    assert partial_value(4, 7, 10_000) > partial_value(5, 7, 1)
    assert partial_value(6, 7, 10_000) > 0
    assert partial_value(0, 7, 0) == 1


@pytest.mark.spec("evaluation-functions", 28)
@pytest.mark.parametrize(
    ("distances", "value"),
    [([0.5], 0.5), ([0.5, 0.5], 0.353553), ([0.25, 0.5, 1], 0.218218), ([0.5, inf], 0.5), ([0, 0.7], 0)],
)
def test_soft_minima(distances: list[float], value: float) -> None:
    """T8."""
    assert soft_minimum(distances) == pytest.approx(value, abs=1e-6)


@pytest.mark.spec("evaluation-functions", 28)
def test_without_a_finite_distance_the_minimum_is_infinite() -> None:
    """T8."""
    assert soft_minimum([inf]) == soft_minimum([]) == inf


@pytest.mark.spec("evaluation-functions", 28)
@given(st.lists(st.floats(1e-6, 1), min_size=1), st.floats(1e-6, 1))
def test_every_further_source_lowers_the_minimum(distances: list[float], more: float) -> None:
    before, after = soft_minimum(distances), soft_minimum([*distances, more])
    assert 0 < after <= before <= min(distances)


VALUES = TruthValues()


@pytest.mark.spec("evaluation-functions", 35)
def test_every_row_of_the_table_of_fuzzy_values() -> None:
    assert (VALUES.never, VALUES.false, VALUES.true, VALUES.ever) == (-1, -0.5, 0.5, 1)
    assert VALUES.of_truth(solutions_value(1, 9)) == 0.5  # one solution: true now
    assert 0.5 < VALUES.of_truth(solutions_value(30, 9)) < 1
    assert VALUES.of_distance(partial_value(0, 4, 0)) == -0.5  # nothing of it holds: false now
    assert VALUES.of_distance(0.25) == 0.25
    assert -0.5 < VALUES.of_distance(partial_value(3, 4, 99)) < 0.5
    assert VALUES.of_truth(margin_value(2, 4)) == 0.75
    assert VALUES.of_falsity(margin_value(-2, 4)) == -0.75
    assert VALUES.of_falsity(margin_value(0, 4)) == -0.5
    assert VALUES.of_distance(inf) == -1
    assert VALUES.of_truth(1) == 1  # true for ever
    assert VALUES.of_falsity(-1) == -1  # false for ever
    assert (VALUES.default(True), VALUES.default(False)) == (0.5, -0.5)


@pytest.mark.spec("evaluation-functions", 36)
def test_at_the_end_of_play_everything_is_true_or_false_for_ever() -> None:
    at_end = VALUES.at(1.0)
    assert {at_end.default(True), at_end.of_truth(0.0), at_end.of_truth(0.7)} == {1.0}
    assert {at_end.default(False), at_end.of_falsity(0.0), at_end.of_falsity(-0.3)} == {-1.0}
    assert {at_end.of_distance(0.01), at_end.of_distance(1), at_end.of_distance(inf)} == {-1.0}
    assert VALUES.at(0.0) == VALUES
    assert VALUES.at(0.5) == TruthValues(-1, -0.75, -0.25, 0.75, 1)
