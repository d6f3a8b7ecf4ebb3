"""A state is what is true in it: equal and of one hash whatever engine made it and however it came about."""

import pickle
from functools import cache
from itertools import combinations_with_replacement

import pytest

from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, State
from ludorum.engine.load import ENGINES, load_game
from ludorum.engine.perft import perft

GAMES = ("tictactoe", "kuhn_poker", "rock_paper_scissors")
WAYS = ("reference", "lifted", "compiled", "auto lifted", "auto compiled")


@cache
def game_of(name: str, way: str) -> Game:
    """A game on an engine; auto is asked before or after the change."""
    game = load_game(name, way.split()[0])
    if isinstance(game, AutoGame):
        if way == "auto compiled":
            assert game.wait(60)
        else:
            game.close()
            game._construction.game = None  # whatever was there in time
    return game


def visited(name: str, way: str) -> list[State]:
    return [state for seed in range(3) for state in game_of(name, way).playout(seed)]


def test_no_engine_is_left_out() -> None:
    assert {way.split()[0] for way in WAYS} == set(ENGINES)


@pytest.mark.parametrize(("one", "other"), list(combinations_with_replacement(WAYS, 2)))
@pytest.mark.parametrize("name", GAMES)
def test_states_of_two_engines_are_one_set(name: str, one: str, other: str) -> None:
    ours, theirs = visited(name, one), visited(name, other)
    assert len(ours) == len(theirs)
    for mine, same in zip(ours, theirs, strict=True):
        assert mine == same
        assert same == mine
        assert hash(mine) == hash(same)
        assert str(mine) == str(same)
        assert (mine.joint, mine.goals()) == (same.joint, same.goals())
    assert set(ours) == set(theirs)
    assert len(set(ours) | set(theirs)) == len({state.facts() for state in ours})
    assert ours[0] != theirs[1]
    assert not ours[1] == theirs[0]  # noqa: SIM201 - both operators are asked


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.long
def test_the_way_to_a_state_makes_no_difference(way: str) -> None:
    game = game_of("tictactoe", way)
    start = game.initial()
    first = [state for joint in start.joint_moves() for state in [start.play(joint)]]
    twice: dict[State, int] = {}
    for state in first:
        for joint in state.joint_moves():
            after = state.play(joint)
            twice[after] = twice.get(after, 0) + 1
    assert len(twice) == 72  # 9 * 8 ordered pairs, and x and o are told apart
    assert perft(game, 3) == [9, 72, 504]
    thrice = {after.play(joint) for after in twice for joint in after.joint_moves()}
    assert len(thrice) == 252


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_states_that_travelled_are_equal_to_those_that_stayed(name: str, way: str) -> None:
    for state in visited(name, way)[:6]:
        again = pickle.loads(pickle.dumps(state))
        assert again == state == game_of(name, "reference").parse_state(str(again))
        assert hash(again) == hash(state)
        assert again.joint == state.joint
        for role in game_of(name, way).roles:
            assert again.legal(role) == state.legal(role)
            assert again.percepts(role) == state.percepts(role)


@pytest.mark.parametrize("way", WAYS)
def test_states_of_other_games_and_other_things_are_different(way: str) -> None:
    state = game_of("tictactoe", way).initial()
    for other in WAYS:
        assert state != game_of("kuhn_poker", other).initial()
    assert state != "((cell 1 1 b))"
    assert state != None  # noqa: E711


def test_two_compilations_of_one_game_have_equal_states() -> None:
    one, other = load_game("tictactoe", "compiled"), load_game("tictactoe", "compiled")
    assert isinstance(one, CompiledGame)
    assert one is not other
    assert list(one.playout(4)) == list(other.playout(4))
    assert len({*one.playout(4), *other.playout(4)}) == len(list(one.playout(4)))
