"""Values spread apart keep their order, and goals stay where they are."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.engine.game import State
from ludorum.rules.terms import Term
from ludorum.search import AlphaBeta, AlphaBetaConfig, Budget
from ludorum.search.score import UNIT, score_of_estimate
from ludorum.search.sharpened import Sharpened, near_states, sharpened
from tests.library_games import compiled_game

VALUES = st.floats(0, 100, allow_nan=False)


def spread(sample: list[float], goals: list[int] | None = None) -> Sharpened:
    return Sharpened(lambda state, role: 0.0, goals or [], sample)


@given(st.lists(VALUES, max_size=30), st.lists(st.integers(0, 100), max_size=4), VALUES, VALUES)
def test_the_order_of_values_stays(sample: list[float], goals: list[int], one: float, other: float) -> None:
    low, high = sorted((one, other))
    places = spread(sample, goals)
    assert 0 <= places.place(low) <= places.place(high) <= 100
    for goal in {0, 100, *goals}:
        assert places.place(goal) == goal
        assert (low < goal) <= (places.place(low) < goal)
        assert (high > goal) <= (places.place(high) > goal)


@given(st.lists(VALUES, max_size=30), st.lists(st.integers(0, 100), max_size=4), VALUES)
def test_compiled_searches_have_the_same_places(sample: list[float], goals: list[int], value: float) -> None:
    places = spread(sample, goals)
    for each in (value, *sample, *goals):
        assert places.spread.place(each) == pytest.approx(places.place(each), rel=0, abs=1e-9)


@given(st.lists(VALUES.filter(lambda value: 1 < value < 99), min_size=2, max_size=200, unique=True))
def test_no_two_of_the_sample_are_one_to_a_search(sample: list[float]) -> None:
    places = spread(sample)
    scores = [score_of_estimate(places.place(value), 0, 100 * UNIT) for value in sorted(sample)]
    assert all(after - before > UNIT / 10 for before, after in itertools.pairwise(scores))


def test_differences_in_the_twelfth_digit_decide() -> None:
    """Drops further to the right are worth more, by less than any search sees."""
    game = compiled_game("connect_four")
    red = game.role("red")

    def evaluation(state: State, role: Term) -> float:
        if state.is_terminal:
            return float(state.goal(role) or 0)
        columns = [
            int(str(fact.args[0]))
            for fact in state.facts()
            if fact.args[-1:] == (red,) and len(fact.args) == 3
        ]
        return 60 + 1e-12 * sum(columns)

    start = game.initial()
    budget, config = Budget(nodes=100_000), AlphaBetaConfig(max_depth=1)
    blunt = AlphaBeta(game, evaluation, config).search(start, red, budget)
    assert len({choice.value for choice in blunt.choices}) == 1
    fine = AlphaBeta(game, sharpened(evaluation, start, red), config).search(start, red, budget)
    assert str(fine.move) == "(drop 7)"


@pytest.mark.parametrize("name", ["tictactoe", "rock_paper_scissors"])
def test_near_states_come_in_the_order_of_their_steps(name: str) -> None:
    game = compiled_game(name)
    start = game.initial()
    states = list(near_states(start))
    assert states[0] == start
    moves = [len(start.legal(role)) for role in game.roles]
    width = moves[0] * moves[1]
    assert set(states[1 : 1 + width]) == {start.play(joint) for joint in start.joint_moves()}
