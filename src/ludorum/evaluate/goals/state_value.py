"""One value of a state from the networks of all goals: what is expected, moved by how near each goal is."""

from __future__ import annotations

from collections.abc import Mapping

EXPECTED = 50.0
"""The goal value that is expected where nothing is known."""
EDGE = 5.0
"""Values below 5 and above 95 are pressed together, so that no state that is not over is worth 0 or 100."""
SHARE, SHARE_OF_GOAL = 100.0, 11.0
"""How much they are pressed; by the second for each goal value where that is more, since each moves by 50."""


def state_value(outputs: Mapping[int, float], expected: float = EXPECTED) -> float:
    """The value, strictly between 0 and 100, by the output of the network of each goal value.

    That of the expected value counts for nothing, and need not be there.
    """
    value = expected
    for goal, output in outputs.items():
        value += (goal - expected) * (output + 1) / 2
    return inside(value, share_of(len(outputs)))


def share_of(goals: int) -> float:
    """How much values near the ends are pressed, with so many goal values beside the expected one."""
    return max(SHARE, SHARE_OF_GOAL * goals)


def inside(value: float, share: float = SHARE) -> float:
    """Strictly monotone, and the same for most values."""
    if value < EDGE:
        return EDGE + (value - EDGE) / share
    if value > 100 - EDGE:
        return 100 - EDGE + (value - (100 - EDGE)) / share
    return value
