"""What the solver proves is true, and what can be proved in small games is."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, Mcts, MctsConfig
from ludorum.search.budget import Stopwatch
from ludorum.search.compiled_mcts import CompiledTree
from ludorum.search.plain_mcts.nodes import highest_goals
from tests.how_much import some
from tests.random_games import random_game
from tests.search.exact_values import ExactValues, TooLargeError
from tests.search.opposed import opposed
from tests.search.small_boards import connect_four

CONFIGS = (
    MctsConfig(batch=1),
    MctsConfig(batch=1, decisive=False),
    MctsConfig(),
    MctsConfig(decisive_at_once=0),
    MctsConfig(batch=4, playouts_per_leaf=1),
)


@pytest.mark.long
@given(st.integers(0, 2**32), st.sampled_from(CONFIGS))
@settings(max_examples=some(8, 2))
def test_proven_values_of_random_games_are_exact(seed: int, config: MctsConfig) -> None:
    check_random_game(seed, config)


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from(CONFIGS))
@settings(max_examples=400)
def test_proven_values_of_many_random_games_are_exact(seed: int, config: MctsConfig) -> None:
    check_random_game(seed, config)


def check_random_game(seed: int, config: MctsConfig) -> None:
    try:
        game = CompiledGame(parse_kif(random_game(Random(seed))), seconds=5)
        start = game.initial()
        exact = ExactValues(start, highest_goals(game), most=300)
    except (GameError, TooLargeError):
        return
    if start.is_terminal or not all(start.legal(role) for role in game.roles):
        return
    sound = replace(config, constant_sum="proved", seed=seed)
    tree = CompiledTree(game, sound)
    for state in [start, *exact.values]:
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            continue
        tree.grow(state, 0, Stopwatch(Budget(playouts=600)))
        look = tree.look(state)
        assert look is not None
        for found, true in zip(look.values, exact.values[state], strict=True):
            assert found is None or found == true
        if state is not start:
            break


@pytest.mark.long
@pytest.mark.parametrize("plain", [False, True])
def test_all_that_can_be_known_of_tictactoe_is_found(plain: bool) -> None:
    game = opposed(load_game("tictactoe", "compiled"))
    start = game.initial()
    exact = ExactValues(start, [100, 100], total=100, most=10_000)
    assert exact.values[start] == (50, 50)
    chance = Random(1)
    config = MctsConfig(plain=plain, batch=1)
    for _ in range(20):
        state = start
        for _ in range(chance.randint(2, 6)):
            if not state.is_terminal:
                state = state.play(chance.choice(list(state.joint_moves())))
        if state.is_terminal:
            continue
        mover = next(role for role in game.roles if len(state.legal(role)) > 1 or role is game.roles[1])
        found = Mcts(game, config).search(state, mover, Budget(playouts=60_000))
        value = exact.values[state][game.roles.index(mover)]
        assert found.proven
        assert found.value == value


def value_of(game: Game, seconds: float) -> float | None:
    found = Mcts(game).search(game.initial(), game.info.players[0], Budget(seconds=seconds))
    return found.value if found.proven else None


def test_nim_with_equal_heaps_is_lost_for_the_first() -> None:
    assert value_of(opposed(load_game("nim", "compiled")), 20) == 0


@pytest.mark.long
def test_connect_four_on_four_by_four_is_a_draw() -> None:
    assert value_of(opposed(connect_four(4, 4)), 60) == 50


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), [(5, 4), (4, 5)])
def test_connect_four_on_small_boards_is_a_draw(columns: int, rows: int) -> None:
    assert value_of(opposed(connect_four(columns, rows)), 300) == 50


def test_a_sum_that_is_not_constant_undoes_what_rested_on_it() -> None:
    # The second player gets nothing in nearly all ends, and everything in one.
    game = CompiledGame(parse_kif(UNEVEN), "uneven")
    exact = ExactValues(game.initial(), highest_goals(game))
    found = Mcts(game, MctsConfig(batch=1)).search(game.initial(), game.roles[0], Budget(playouts=5000))
    assert found.value == exact.values[game.initial()][0]


UNEVEN = """
(role left) (role right)
(init (turn left))
(digit 1) (digit 2) (digit 3) (digit 4)
(<= (legal ?p (pick ?d)) (true (turn ?p)) (digit ?d))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn right)) (true (turn left)))
(<= (next (turn nobody)) (true (turn right)))
(<= (next (chose ?p ?d)) (does ?p (pick ?d)))
(<= (next (chose ?p ?d)) (true (chose ?p ?d)))
(<= terminal (true (turn nobody)))
(<= both (true (chose left 4)) (true (chose right 4)))
(<= (goal left 100) both)
(<= (goal right 100) both)
(<= (goal left 50) (not both))
(<= (goal right 50) (not both))
"""


@pytest.mark.parametrize("at_once", [0, 128])
def test_nodes_are_asked_for_wins_when_they_are_new_or_visited_again(at_once: int) -> None:
    game = opposed(load_game("tictactoe", "compiled"))
    searcher = Mcts(game, MctsConfig(decisive_at_once=at_once))
    found = searcher.search(game.initial(), game.roles[0], Budget(playouts=2_000_000))
    assert (found.proven, found.value) == (True, 50.0)
