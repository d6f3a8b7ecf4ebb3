"""From values in worlds to a move."""

from __future__ import annotations

from collections import Counter

import pytest

from ludorum._core import SplitMix64
from ludorum.cards.heuristic import best_moves, choose_best, expected_values
from ludorum.cards.language.terms import Term

A, B, C = map(Term, "abc")


@pytest.mark.spec("card-games-fcdl", 61)
def test_the_best_mean_over_the_worlds_is_taken() -> None:
    worlds = [{A: 1.0, B: 0.0, C: 3.0}, {A: 1.0, B: 5.0, C: -3.0}, {A: 1.0, B: -2.0, C: 1.5}]
    values = expected_values(worlds)
    assert values == pytest.approx({A: 1.0, B: 1.0, C: 0.5})
    assert best_moves(values) == [A, B]
    # By how likely the worlds are, C is best.
    assert expected_values(worlds, [2, 0, 2]) == pytest.approx({A: 1.0, B: -1.0, C: 2.25})
    assert choose_best(expected_values(worlds, [2, 0, 2]), SplitMix64(0)) is C


@pytest.mark.spec("card-games-fcdl", 61)
def test_ties_are_broken_by_a_seeded_lot() -> None:
    values = {A: 1.0, B: 1.0 + 1e-13, C: 0.9}
    counts = Counter(choose_best(values, SplitMix64(seed)) for seed in range(2000))
    assert set(counts) == {A, B}
    assert 900 < counts[A] < 1100  # five standard deviations
    assert all(choose_best(values, SplitMix64(7)) is choose_best(values, SplitMix64(7)) for _ in range(9))


def test_without_worlds_there_is_no_mean() -> None:
    with pytest.raises(ValueError, match="no world"):
        expected_values([])
    with pytest.raises(ValueError, match="weight"):
        expected_values([{A: 1.0}], [0.0])
