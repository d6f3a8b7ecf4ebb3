"""The time manager: margins that are measured, and never eat the whole clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.search.time_manager import Estimate, TimeManager


def test_the_margin_is_careful_at_first_and_then_as_measured() -> None:
    manager = TimeManager(least_margin=0.02, first_margin=0.1)
    assert manager.thinking_seconds(1) == pytest.approx(0.9)
    manager.observe_overrun(0.9, 0.901)
    assert manager.thinking_seconds(1) == pytest.approx(1 - 0.02 - 0.05)
    assert manager.thinking_seconds(100) == pytest.approx(100 - 0.02 - 0.1)


def test_a_tiny_clock_keeps_half_for_thinking() -> None:
    assert TimeManager(least_margin=0.02).thinking_seconds(0.02) == pytest.approx(0.01)
    assert TimeManager().thinking_seconds(0.0) == 0.0


def test_overruns_and_delays_add_up() -> None:
    manager = TimeManager()
    manager.observe_overrun(1.0, 1.1)  # mean 0.1, deviation 0.05
    manager.observe_delay(0.2)  # mean 0.2, deviation 0.1
    assert manager.margin == pytest.approx(0.1 + 4 * 0.05 + 0.2 + 4 * 0.1)


def test_a_search_that_was_done_early_says_nothing() -> None:
    manager = TimeManager()
    manager.observe_overrun(5.0, 0.1)
    assert manager.overruns.count == 0


def test_a_steady_link_needs_little_more_than_its_delay() -> None:
    estimate = Estimate()
    for _ in range(100):
        estimate.add(0.05)
    assert estimate.bound == pytest.approx(0.05, abs=1e-6)


@given(st.lists(st.floats(0, 100)), st.floats(0, 1000))
def test_thinking_never_exceeds_the_clock(delays: list[float], clock: float) -> None:
    manager = TimeManager()
    for delay in delays:
        manager.observe_delay(delay)
    assert clock * 0.5 <= manager.thinking_seconds(clock) <= clock
