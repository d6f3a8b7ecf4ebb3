"""Worlds that a solver finds: they agree with everything, and are weighted by their probability."""

import pytest

from ludorum.engine.load import load_game
from ludorum.knowledge.knower import ImpossiblePerceptsError
from ludorum.knowledge.worlds.packed import PackedWorlds
from ludorum.knowledge.worlds.reasoned import ReasonedWorlds, reasoned_histories
from ludorum.knowledge.worlds.sampler import NO_CLOCK, told_step
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from tests.how_much import sample, some
from tests.knowledge.role_matches import hidden_games, same_to
from tests.library_games import compiled_game


def test_the_car_is_behind_the_other_door_twice_as_often() -> None:
    game = load_game("monty_hall_random")
    candidate = game.role("candidate")
    worlds = ReasonedWorlds(game, candidate)
    worlds.update(parse_term("(choose 1)"), [])
    worlds.update(Term("noop"), [Term("3")])
    found = {
        str(fact): one.weight
        for one in worlds.sample(50, 1)
        for fact in one.state.facts()
        if fact.name == "car"
    }
    assert found == {"(car 1)": pytest.approx(1 / 3), "(car 2)": pytest.approx(2 / 3)}
    assert (worlds.size, worlds.is_exact) == (2, False)


@pytest.mark.parametrize("name", sample(hidden_games(), 3))
def test_every_world_agrees_with_moves_and_percepts(name: str) -> None:
    game = load_game(name)
    role = game.info.players[0]
    worlds, seat, course = ReasonedWorlds(game, role), game.roles.index(role), []
    for state in game.playout(some(3, 3)):
        if state.joint is not None:
            course.append(state.joint)
            worlds.update(state.joint[seat], state.percepts(role))
        if state.is_terminal or len(course) == 4:
            break
    find = reasoned_histories(game, role)
    assert find is not None
    histories = [tuple(history) for history in find(worlds.steps, 5, NO_CLOCK)]
    assert len(histories) == 5
    same_to(game, role, [tuple(course), *histories])
    if not state.is_terminal:
        assert sum(one.weight for one in worlds.sample(5, 7)) == pytest.approx(1)


def test_particles_that_died_out_are_found_again_by_reasoning() -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.roles[0]
    find = reasoned_histories(game, role)
    steps = []
    for state in game.playout(2):
        if state.joint is not None:
            steps.append(told_step(state.joint[0], state.percepts(role)))
    assert find is not None
    lost = PackedWorlds(game, role, 1, reinvent=find)
    needed = [one for one in map(lost._needed, steps) if one is not None]
    cloud = lost._ask_engine(steps, needed, NO_CLOCK)
    assert cloud is not None
    assert 1 <= len(cloud) <= 64


def test_a_lost_message_and_an_impossible_one_are_refused() -> None:
    game = load_game("monty_hall_random")
    worlds = ReasonedWorlds(game, game.role("candidate"))
    with pytest.raises(ImpossiblePerceptsError, match="was not told all of step 1"):
        worlds.update(None, [])
    with pytest.raises(ImpossiblePerceptsError):
        worlds.update(parse_term("(choose 1)"), [Term("3")])
    assert worlds.steps == []
