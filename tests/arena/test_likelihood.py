"""The likelihood ratio of two mean scores: exact where it can be worked out by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.arena.tournament.likelihood import log_likelihood_ratio

SHARES = st.floats(0.05, 0.95)
SEEN = st.dictionaries(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(1, 300), max_size=5)


def test_nothing_seen_says_nothing() -> None:
    assert log_likelihood_ratio({}, 0.4, 0.7) == pytest.approx(0, abs=0.01)


@given(st.integers(0, 500), st.integers(0, 500), SHARES, SHARES)
def test_wins_and_losses_have_the_ratio_of_textbooks(wins: int, lost: int, low: float, high: float) -> None:
    exact = wins * math.log(high / low) + lost * math.log((1 - high) / (1 - low))
    assert log_likelihood_ratio({1.0: wins, 0.0: lost}, low, high) == pytest.approx(exact, abs=0.02)


def test_draws_alone_speak_for_the_even_score() -> None:
    """Against a mean of 0.6 each draw costs the log of the share of draws that such a mean allows: 0.8."""
    assert log_likelihood_ratio({0.5: 20}, 0.5, 0.6) == pytest.approx(20 * math.log(0.8), abs=0.02)


@given(SEEN, SHARES, SHARES, SHARES)
def test_ratios_add_up_and_turn_round(seen: dict[float, int], one: float, two: float, three: float) -> None:
    whole = log_likelihood_ratio(seen, one, three)
    parts = log_likelihood_ratio(seen, one, two) + log_likelihood_ratio(seen, two, three)
    assert whole == pytest.approx(parts, abs=1e-6)
    mirrored = {1 - score: count for score, count in seen.items()}
    assert log_likelihood_ratio(mirrored, 1 - three, 1 - one) == pytest.approx(-whole, abs=1e-6)


@given(SEEN, SHARES)
def test_no_mean_is_likelier_than_the_one_seen(seen: dict[float, int], mean: float) -> None:
    count = sum(seen.values())
    own = (sum(score * times for score, times in seen.items()) + 1e-3) / (count + 2e-3)
    if 0.001 < own < 0.999:
        assert log_likelihood_ratio(seen, own, mean) <= 1e-9
