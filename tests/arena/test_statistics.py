"""Intervals and the sequential test: exact values, and error rates that hold."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.arena.tournament.statistics import Sprt, elo_of, expected_share, wilson_interval
from tests.how_much import some


def test_wilson_intervals_of_the_textbook() -> None:
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_an_interval_holds_its_share(games: int, data: st.DataObject) -> None:
    score = data.draw(st.integers(0, 2 * games)) / 2
    low, high = wilson_interval(score, games)
    assert 0 <= low <= score / games + 1e-12
    assert score / games - 1e-12 <= high <= 1


def test_elo_and_shares_are_twins() -> None:
    assert expected_share(0) == 0.5
    assert expected_share(400) == pytest.approx(10 / 11)
    assert elo_of(expected_share(123.0)) == pytest.approx(123.0)
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def outcome(share: float, seed: int) -> bool | None:
    """A test of a player who wins so often, ended after 3000 games."""
    chance, test = SplitMix64(seed), Sprt(0, 60)
    while test.result is None and test.games < 3000:
        test.add(float(chance.below(10_000) < share * 10_000))
    return test.result


@pytest.mark.long
def test_errors_are_as_rare_as_promised() -> None:
    times = some(200, 5)
    equal = [outcome(0.5, seed) for seed in range(times)]
    stronger = [outcome(expected_share(60), seed) for seed in range(times)]
    # 5 % are expected; 20 of 200 are more than three standard deviations beyond. Seeds are fixed.
    assert sum(result is True for result in equal) <= times / 10
    assert sum(result is False for result in stronger) <= times / 10
    assert None not in equal + stronger


def test_draws_count_half() -> None:
    test = Sprt()
    for points in (1.0, 0.5, 0.5, 0.0):
        test.add(points)
    assert (test.wins, test.draws, test.losses, test.score) == (1, 2, 1, 2.0)
    assert test.as_json()["score"] == 0.5
