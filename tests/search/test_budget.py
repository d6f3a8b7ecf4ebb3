"""Budgets: what ends a search, and what is refused."""

from __future__ import annotations

import threading

import pytest

from ludorum.search import Budget, Stopwatch


def test_a_budget_without_limits_is_refused() -> None:
    with pytest.raises(ValueError, match="needs seconds"):
        Budget()
    with pytest.raises(ValueError, match="negative"):
        Budget(nodes=-1)


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
