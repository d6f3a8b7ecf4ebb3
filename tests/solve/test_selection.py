"""The value of plans, the order of preference, lots, and announcements."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.rules.terms import Term
from ludorum.solve.selection import Announcer, Assessment, plan_value, select


@pytest.mark.spec("asp-player", 39)
@pytest.mark.parametrize(
    ("goal", "length", "weights", "value"),
    [(100, 3, (), 0.970299), (50, 2, (), 0.490050), (100, 5, (1, 1, 0.01, 1), 0.009510)],
)
def test_the_value_of_a_plan(goal: int, length: int, weights: tuple[float, ...], value: float) -> None:
    assert plan_value(goal, length, weights) == pytest.approx(value, abs=5e-7)


A, B = Assessment(Term("a")), Assessment(Term("b"))


@pytest.mark.spec("asp-player", 39)
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"guaranteed": 50}, {"worth": 9.0, "estimate": 100.0}),
        ({"guaranteed": 100}, {"guaranteed": 50}),
        ({"guaranteed": 100, "wins_in": 3}, {"guaranteed": 100, "wins_in": 5}),
        ({"at_most": 100}, {"at_most": 0, "worth": 9.0}),
        ({"at_most": 0, "lasts": 4}, {"at_most": 0, "lasts": 2, "worth": 9.0}),
        ({"worth": 0.5}, {"worth": 0.4, "plausible": True, "shortest": 1}),
        ({"worth": 0.5, "plausible": True}, {"worth": 0.5, "shortest": 1}),
        ({"worth": 0.5, "shortest": 3}, {"worth": 0.5, "shortest": 4, "estimate": 100.0}),
        ({"estimate": 60.0}, {"estimate": 50.0}),
    ],
)
def test_the_order_of_preference(better: dict[str, float], worse: dict[str, float]) -> None:
    good, bad = replace(A, **better), replace(B, **worse)  # type: ignore[arg-type]
    for seed in range(5):
        assert select([bad, good], SplitMix64(seed)) is good
        assert select([good, bad], SplitMix64(seed)) is good


@pytest.mark.spec("asp-player", 40)
def test_equals_are_chosen_by_lot() -> None:
    equals = [Assessment(Term(str(at)), 50, 50, worth=at) for at in range(9)]
    chosen = [select(equals, SplitMix64(seed)).move for seed in range(20)]
    assert len(set(chosen)) > 4
    assert chosen == [select(equals, SplitMix64(seed)).move for seed in range(20)]
    assert select(equals, None) is equals[0]


@given(
    st.lists(
        st.builds(Assessment, st.just(Term("a")), st.integers(-1, 100), worth=st.floats(0, 5)), min_size=1
    )
)
def test_nothing_better_is_left(assessments: list[Assessment]) -> None:
    chosen = select(assessments, SplitMix64(1))
    assert all(each.rank <= chosen.rank for each in assessments)


@pytest.mark.spec("asp-player", 57)
def test_certain_ends_are_announced_once() -> None:
    announcer = Announcer(100, 0)
    assert announcer.consider([replace(A, worth=5.0), B]) is None  # plans that need help prove nothing
    won = [replace(A, guaranteed=100), replace(B, at_most=0)]
    assert str(announcer.consider(won)).startswith("certain win")
    assert announcer.consider(won) is None
    lost = [replace(A, at_most=0, lasts=2), replace(B, at_most=0)]
    assert str(Announcer(100, 0).consider(lost)).startswith("lost")
    assert Announcer(100, 0).consider([*lost, replace(A, at_most=50)]) is None
    assert str(Announcer(100, 0).unreachable(0)).startswith("unreachable")
    assert Announcer(100, 0).unreachable(50) is None
    assert str(Announcer(100, 0).consider([replace(A, guaranteed=40, at_most=40)], alone=True)).endswith("40")
