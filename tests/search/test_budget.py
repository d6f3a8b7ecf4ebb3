"""Budgets: what ends a search, and what is refused."""

from __future__ import annotations

import math
import threading
from typing import Any

import pytest

from ludorum._core import MctsSettings
from ludorum.search import Budget, MctsConfig, Stopwatch
from ludorum.search.mcts_config import BOUNDS


def test_a_budget_without_limits_is_refused() -> None:
    with pytest.raises(ValueError, match="needs seconds"):
        Budget()
    with pytest.raises(ValueError, match="negative"):
        Budget(nodes=-1)


@pytest.mark.parametrize(
    "limits", [{"seconds": math.nan}, {"seconds": -0.1}, {"playouts": 2**70}, {"nodes": 2**64}]
)
def test_a_limit_that_would_never_be_reached_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"a number|at most 18446744073709551615"):
        Budget(**limits)


@pytest.mark.parametrize(
    "wrong",
    [
        {"exploration": math.nan},
        {"exploration": -1},
        {"playouts_per_leaf": 10**9},
        {"batch": -1},
        {"threads": 0},
        {"threads": 10_000},
        {"virtual_loss": math.inf},
        {"policy_heat": 0.0},
        {"max_depth": 0},
    ],
)
def test_a_search_that_nobody_can_mean_is_refused_whatever_the_engine(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(ValueError, match=f"{name} must be from"):
        MctsConfig(**wrong)


@pytest.mark.parametrize("name", [name for name in BOUNDS if hasattr(MctsSettings, name)])
def test_bounds_of_settings_are_those_of_the_kernel(name: str) -> None:
    least, most = BOUNDS[name]
    settings, whole = MctsSettings(), isinstance(getattr(MctsSettings(), name), int)
    for value in (least, most):
        setattr(settings, name, int(value) if whole else value)
    for beyond in (least - 1, most + 1 if whole else math.nan):
        with pytest.raises((ValueError, TypeError)):
            setattr(settings, name, int(beyond) if whole else beyond)


def test_counted_work_ends_a_search_exactly() -> None:
    watch = Stopwatch(Budget(nodes=10, playouts=20))
    assert not watch.is_up(9, 19)
    assert watch.is_up(10, 0)
    assert watch.is_up(0, 20)
    assert watch.seconds_left is None


def test_an_event_ends_a_search() -> None:
    event = threading.Event()
    watch = Stopwatch(Budget(stop=event))
    assert not watch.is_up()
    event.set()
    assert watch.is_up()


def test_no_seconds_are_up_at_once() -> None:
    watch = Stopwatch(Budget(seconds=0.0))
    assert watch.is_up()
    assert watch.seconds_left == 0.0
