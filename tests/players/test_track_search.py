"""The last way to follow a match: some states that agree, found by counted work unless there is a clock."""

from __future__ import annotations

import pytest

from ludorum.engine.load import load_game
from ludorum.players.sheet_follower import TrackSearch
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget

COUNTED = Budget(playouts=50)


@pytest.fixture
def follower() -> TrackSearch:
    game = load_game("krieg_tictactoe")
    return TrackSearch(game, game.roles[0], seed=1)


def follow(follower: TrackSearch, steps: int, seed: int = 2) -> None:
    game, role = follower.track.game, follower.track.role
    for state in list(game.playout(seed))[1 : steps + 1]:
        assert state.joint is not None
        follower.observe(state.percepts(role), state.joint[game.roles.index(role)])


def test_what_is_observed_is_worked_on_when_a_decision_is_wanted(follower: TrackSearch) -> None:
    follow(follower, 3)
    assert follower.track.step == 0
    decision = follower.decide(COUNTED)
    assert follower.track.step == 3
    assert follower.track.consistent
    assert decision.move in {choice.move for choice in decision.choices}


def test_steps_are_taken_once(follower: TrackSearch) -> None:
    follow(follower, 2)
    follower.catch_up(COUNTED)
    states = follower.track.states
    follower.catch_up(COUNTED)
    assert follower.track.states is states


def test_a_step_that_was_not_told_is_taken_as_well(follower: TrackSearch) -> None:
    follower.observe([], None)
    follower.observe([Term("nonsense")], Term("nonsense"))
    follower.catch_up(COUNTED)
    assert follower.track.step == 2
    assert not follower.track.consistent


def test_counted_work_finds_the_same_states_every_time() -> None:
    game = load_game("krieg_tictactoe")
    found = []
    for _ in range(2):
        follower = TrackSearch(game, game.roles[1], seed=5)
        follow(follower, 5)
        follower.catch_up(COUNTED)
        found.append([state.facts() for state in follower.track.states])
    assert found[0] == found[1]
