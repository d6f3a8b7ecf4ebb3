"""The random bits of lanes: registers of full period, and no two lanes alike."""

import numpy as np

from ludorum._core import Lanes
from tests.engine.test_lanes import urn

DEGREE = 257
FACTORS = (535006138814359, 1155685395246619182673033, 374550598501810936581776630096313181393)
"""Of 2**257 - 1."""


def remainder(value: int, polynomial: int) -> int:
    while (excess := value.bit_length() - polynomial.bit_length()) >= 0:
        value ^= polynomial << excess
    return value


def power_of_t(exponent: int, polynomial: int) -> int:
    """t to that power, over GF(2): a bit for each coefficient."""
    power = 1
    for digit in f"{exponent:b}":
        squared = int(f"{power:b}", 4)  # a zero between any two coefficients
        power = remainder(squared << int(digit), polynomial)
    return power


def test_the_registers_of_lanes_have_full_period() -> None:
    exponents = Lanes.random_polynomial
    assert max(exponents) == DEGREE
    period = FACTORS[0] * FACTORS[1] * FACTORS[2]
    assert period == 2**DEGREE - 1
    assert all(pow(base, factor - 1, factor) == 1 for factor in FACTORS for base in (2, 3, 5))  # prime
    polynomial = sum(1 << exponent for exponent in exponents)
    assert power_of_t(period, polynomial) == 1
    assert all(power_of_t(period // factor, polynomial) != 1 for factor in FACTORS)


def test_taps_are_all_at_different_distances() -> None:
    exponents = Lanes.random_polynomial
    distances = [b - a for at, a in enumerate(exponents) for b in exponents[at + 1 :]]
    assert len(set(distances)) == len(distances) == 10


def test_lanes_and_seeds_choose_differently() -> None:
    """Among 1000 moves two lanes or two seeds agree once in a thousand times, not more often."""
    lanes = Lanes(urn(1000), 512, plan="cycle")
    first, second = (lanes.walk(2, seed)[0][1] for seed in (1, 2))
    alike = sum(bool((a == b).all()) for a, b in zip(first, second, strict=True))
    assert alike < 8  # 0.5 expected; 8 or more would be seen once in a hundred million times
    assert len(np.unique(first, axis=0)) > 350  # 400 of 1000 after 512 draws
