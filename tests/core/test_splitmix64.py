"""The seeded generator: reference values, fairness, and readable errors."""

import pickle
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum._core import SplitMix64

SEEDS = st.integers(0, 2**64 - 1)


def test_numbers_are_those_of_the_reference_implementation() -> None:
    generator = SplitMix64(1234567)
    assert [generator.next() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@given(SEEDS)
def test_same_seed_same_numbers(seed: int) -> None:
    one, other = SplitMix64(seed), SplitMix64(seed)
    assert [one.next() for _ in range(8)] == [other.next() for _ in range(8)]


@given(SEEDS, st.integers(0, 20))
def test_state_and_pickle_continue_where_the_generator_stands(seed: int, steps: int) -> None:
    generator = SplitMix64(seed)
    for _ in range(steps):
        generator.next()
    resumed, unpickled = SplitMix64(generator.state), pickle.loads(pickle.dumps(generator))
    assert generator.next() == resumed.next() == unpickled.next()


@given(SEEDS, st.integers(1, 2**64 - 1))
def test_below_stays_below(seed: int, n: int) -> None:
    assert 0 <= SplitMix64(seed).below(n) < n


def test_below_is_uniform_over_a_small_range() -> None:
    generator = SplitMix64(7)
    draws = 70_000
    counts = Counter(generator.below(7) for _ in range(draws))
    assert sorted(counts) == list(range(7))
    expected = draws / 7
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_squared < 22.46  # 6 degrees of freedom, one in a thousand


def test_below_has_no_modulo_bias() -> None:
    # With n = 3 * 2**62 a plain remainder would land below 2**62 half of the time instead of a third.
    generator = SplitMix64(2024)
    n, draws = 3 * 2**62, 30_000
    low = sum(generator.below(n) < 2**62 for _ in range(draws))
    assert abs(low / draws - 1 / 3) < 0.015  # five standard deviations


@pytest.mark.parametrize("n", [0, -1, -(2**70), 2**64])
def test_below_refuses_a_range_it_cannot_draw_from(n: int) -> None:
    with pytest.raises(ValueError, match="n must be from 1 to"):
        SplitMix64(1).below(n)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_has_64_bits(seed: int) -> None:
    with pytest.raises(ValueError, match="seed must be from 0 to"):
        SplitMix64(seed)
