"""How much is tested: a sample, or everything where the full tests are asked for (``LUDORUM_FULL``)."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

FULL = bool(os.environ.get("LUDORUM_FULL"))


def sample(cases: Iterable[Any], every: int) -> list[Any]:
    """Cases for ``parametrize``, of which only one in so many is quick; all others are slow tests."""
    return [
        case
        if at % every == 0
        else pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)
        for at, case in enumerate(cases)
    ]


def some(of: int, every: int = 3) -> int:
    """How many examples or seeds to try: all of these in the full tests, else one in so many."""
    return of if FULL else max(1, of // every)
