"""Values of states from networks: between 0 and 100 whatever the networks say, and the thesis' example."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.evaluate.goals.state_value import inside, state_value


@pytest.mark.spec("evaluation-functions", 21)
def test_the_example_of_the_thesis() -> None:
    """T6."""
    assert state_value({100: -0.5, 0: -0.9}) == pytest.approx(60)
    assert inside(100) == pytest.approx(95.05)
    assert inside(0) == pytest.approx(4.95)
    assert inside(60) == 60
    assert state_value({100: 1.0, 0: -1.0}) == pytest.approx(95.05)


def test_the_network_of_the_expected_value_counts_for_nothing() -> None:
    assert state_value({100: 0.2, 50: 0.9}) == state_value({100: 0.2})


@pytest.mark.spec("evaluation-functions", 22)
@given(st.dictionaries(st.integers(0, 100), st.floats(-1, 1), max_size=101), st.floats(0, 100))
def test_values_lie_strictly_between_0_and_100(outputs: dict[int, float], expected: float) -> None:
    assert 0 < state_value(outputs, expected) < 100


@pytest.mark.spec("evaluation-functions", 22)
def test_nor_do_all_goals_at_once_reach_0_or_100() -> None:
    assert 0 < state_value(dict.fromkeys(range(50), 1.0)) < 5
    assert 95 < state_value(dict.fromkeys(range(51, 101), 1.0)) < 100
    assert 0 < state_value(dict.fromkeys(range(101), 1.0), 100.0) < 5


@given(st.floats(-400, 500), st.floats(-400, 500))
def test_pressing_keeps_the_order(one: float, other: float) -> None:
    if one + 1e-6 < other:
        assert inside(one) < inside(other)
