"""What a search may spend: time, memory, threads, and what it does where rules are faulty."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace

import pytest

from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, Mcts, MctsConfig
from tests.search.opposed import opposed

SETTINGS = [MctsConfig(batch=1), MctsConfig(), MctsConfig(plain=True), MctsConfig(threads=2)]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("connect_four", "compiled")


@pytest.mark.alone
@pytest.mark.parametrize("config", SETTINGS, ids=["one by one", "lanes", "plain", "two threads"])
def test_a_stop_is_honoured_at_once(game: Game, config: MctsConfig) -> None:
    stop = threading.Event()
    stopped_at = []

    def stop_now() -> None:
        stopped_at.append(time.monotonic())
        stop.set()

    timer = threading.Timer(0.15, stop_now)
    timer.start()
    found = Mcts(game, config).search(game.initial(), game.roles[0], Budget(seconds=30, stop=stop))
    assert time.monotonic() - stopped_at[0] < 0.1 * SLACK
    assert found.playouts > 0


SLACK = 25 if "LUDORUM_SANITIZED" in os.environ else 5
"""Shared machines sleep now and then, and sanitizers make kernels slow."""


@pytest.mark.alone
@pytest.mark.parametrize("config", SETTINGS, ids=["one by one", "lanes", "plain", "two threads"])
def test_the_clock_is_kept(game: Game, config: MctsConfig) -> None:
    searcher = Mcts(game, config)
    begin = time.monotonic()
    searcher.search(game.initial(), game.roles[0], Budget(seconds=0.1))
    assert 0.1 <= time.monotonic() - begin < 0.1 + 0.1 * SLACK


@pytest.mark.long
@pytest.mark.parametrize(
    "config",
    [MctsConfig(batch=1), MctsConfig(), MctsConfig(threads=2)],
    ids=["one by one", "lanes", "two threads"],
)
def test_memory_stays_under_its_cap_and_the_search_goes_on(game: Game, config: MctsConfig) -> None:
    cap = 400_000
    searcher = Mcts(game, replace(config, memory_bytes=cap))
    found = searcher.search(game.initial(), game.roles[0], Budget(playouts=60_000))
    assert found.playouts >= 60_000
    assert searcher.memory < 1.1 * cap
    assert searcher.nodes > 500


def test_plain_trees_have_a_cap_too(game: Game) -> None:
    searcher = Mcts(game, MctsConfig(memory_bytes=400_000, plain=True))
    searcher.search(game.initial(), game.roles[0], Budget(playouts=300))
    assert searcher.nodes <= 101  # a decisive end may be added to a full tree


def test_the_tree_is_kept_and_the_rest_is_dropped(game: Game) -> None:
    searcher = Mcts(game, MctsConfig(batch=1))
    state = game.initial()
    first = searcher.search(state, game.roles[0], Budget(playouts=3000))
    nodes = searcher.nodes
    after = state.play(first.line[0])
    second = searcher.search(after, game.roles[1], Budget(playouts=1))
    assert sum(choice.visits for choice in second.choices) > 100  # what was learnt before
    assert searcher.nodes < nodes
    searcher.forget()
    assert searcher.nodes == 0


def test_two_threads_grow_one_tree(game: Game) -> None:
    searcher = Mcts(game, MctsConfig(threads=2))
    found = searcher.search(game.initial(), game.roles[0], Budget(playouts=200_000))
    assert str(found.move) == "(drop 4)"
    assert sum(choice.visits for choice in found.choices) >= 190_000


@pytest.mark.long
def test_threads_prove_the_same_value() -> None:
    game = opposed(load_game("tictactoe", "compiled"))
    for seed in range(40):  # threads meet in every node of so small a game, ends among them
        config = MctsConfig(threads=3, seed=seed)
        found = Mcts(game, config).search(game.initial(), game.roles[0], Budget(playouts=2_000_000))
        assert found.proven
        assert found.value == 50


def test_the_circuit_takes_over_when_it_is_there() -> None:
    rules = load_game("tictactoe").rules
    assert rules is not None
    with AutoGame(rules, "tictactoe") as game:
        searcher = Mcts(game)
        role = game.roles[0]
        assert searcher.search(game.initial(), role, Budget(playouts=50)).playouts >= 50
        assert game.wait(60)
        assert searcher.search(game.initial(), role, Budget(playouts=500)).playouts >= 500
        assert searcher.is_compiled


def test_states_of_another_engine_are_moved_over(game: Game) -> None:
    assert game.rules is not None
    lifted = LiftedGame(game.rules, game.name)
    found = Mcts(game).search(lifted.initial(), lifted.roles[0], Budget(playouts=2000))
    assert str(found.move).startswith("(drop")


STUCK = """
; Whoever goes left has no move afterwards, although the game is not over.
(role walker)
(init (at start))
(<= (legal walker left) (true (at start)))
(<= (legal walker right) (true (at start)))
(<= (next (at nowhere)) (does walker left))
(<= (next (at home)) (does walker right))
(<= terminal (true (at home)))
(<= (goal walker 40) (true (at nowhere)))
(<= (goal walker 30) (true (at home)))
(<= (goal walker 100) (true (at heaven)))
"""

ENDLESS = """
(role walker)
(init (at a))
(edge a b) (edge b c) (edge c a) (edge a c) (edge b a)
(<= (legal walker (go ?y)) (true (at ?x)) (edge ?x ?y))
(<= (next (at ?y)) (does walker (go ?y)))
(<= terminal (true (at nowhere)))
(<= (goal walker 70) (true (at b)))
(<= (goal walker 0) (not (true (at b))))
"""

WIDE = """
(role red) (role blue)
(init (turn red))
{digits}
(<= (legal red (pick ?a ?b)) (true (turn red)) (digit ?a) (digit ?b))
(<= (legal blue noop) (true (turn red)))
(<= (next (chose ?a ?b)) (does red (pick ?a ?b)))
(<= terminal (true (chose ?a ?b)))
(<= (goal red 100) (true (chose 7 7)))
(<= (goal red 0) (not (true (chose 7 7))))
(<= (goal blue 0) (true (chose 7 7)))
(<= (goal blue 100) (not (true (chose 7 7))))
""".replace("{digits}", " ".join(f"(digit {n})" for n in range(46)))


@pytest.mark.parametrize(
    "config",
    [MctsConfig(batch=1), MctsConfig(), MctsConfig(plain=True)],
    ids=["one by one", "lanes", "plain"],
)
def test_no_move_by_a_fault_of_the_rules_is_an_end(config: MctsConfig) -> None:
    game = CompiledGame(parse_kif(STUCK), "stuck")
    found = Mcts(game, config).search(game.initial(), game.roles[0], Budget(playouts=200))
    assert (str(found.move), found.value, found.proven) == ("left", 40, True)
    stuck = game.initial().play([found.move])
    with pytest.raises(GameError, match="has no legal move"):
        Mcts(game, config).search(stuck, game.roles[0], Budget(playouts=1))


@pytest.mark.parametrize(
    "config",
    [MctsConfig(batch=1), MctsConfig(), MctsConfig(plain=True)],
    ids=["one by one", "lanes", "plain"],
)
def test_games_that_never_end_are_cut(config: MctsConfig) -> None:
    game = CompiledGame(parse_kif(ENDLESS), "endless")
    short = replace(config, max_steps=20)
    found = Mcts(game, short).search(game.initial(), game.roles[0], Budget(playouts=500))
    assert found.playouts >= 500
    assert not found.proven


@pytest.mark.parametrize("config", [MctsConfig(batch=1), MctsConfig()], ids=["one by one", "lanes"])
def test_two_thousand_moves_are_looked_at(config: MctsConfig) -> None:
    game = CompiledGame(parse_kif(WIDE), "wide")
    found = Mcts(game, config).search(
        game.initial(), game.roles[0], Budget(playouts=4000 if config.batch else 80_000)
    )
    assert (str(found.move), found.value) == ("(pick 7 7)", 100)


def test_six_roles_play() -> None:
    game = load_game("chinese_checkers", "compiled")
    assert len(game.roles) >= 3
    found = Mcts(game).search(game.initial(), game.roles[0], Budget(playouts=2000))
    assert found.move in game.initial().legal(game.roles[0])


def test_one_move_is_answered_at_once_unless_work_is_counted(game: Game) -> None:
    waiting = game.roles[1]
    at_once = Mcts(game).search(game.initial(), waiting, Budget(seconds=5))
    assert (at_once.playouts, str(at_once.move)) == (0, "noop")
    counted = Mcts(game).search(game.initial(), waiting, Budget(playouts=3000))
    assert counted.playouts >= 3000
    assert 30 < counted.value < 50


@pytest.mark.long
def test_threads_that_race_for_untried_moves() -> None:
    """New nodes with many moves, wanted by several threads at once: nobody runs past the last move."""
    wide = load_game("breakthrough", "compiled")
    for seed in range(30):
        searcher = Mcts(wide, MctsConfig(threads=4, seed=seed))
        found = searcher.search(wide.initial(), wide.roles[0], Budget(playouts=3000))
        assert found.move in wide.initial().legal(wide.roles[0])
