"""Threads that share a tree, in every way a tree can be grown: no visit is lost, and nobody waits for ever.

``make tsan`` runs these with kernels that report every race.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, Decision, Mcts, MctsConfig
from tests.how_much import sample
from tests.library_games import compiled_game

GAMES = ("connect_four", "breakthrough", "tron", "blackjack", "chinese_checkers", "tictactoe")
"""Few moves and many, moves at once, chance, six players, and a game in which threads meet everywhere."""

WAYS = {
    "lanes": MctsConfig(),
    "random playouts": MctsConfig(foresight=False),
    "one by one": MctsConfig(batch=1),
    "without proofs": MctsConfig(solver=False),
    "first play": MctsConfig(first_play=0.1),
    "mast": MctsConfig(policy="mast"),
    "nst": MctsConfig(policy="nst"),
    "rave": MctsConfig(rave="rave"),
    "grave": MctsConfig(rave="grave"),
    "regret": MctsConfig(simultaneous="regret"),
    "no virtual loss": MctsConfig(virtual_loss=0.0),
}


def visits(found: Decision) -> int:
    return sum(choice.visits for choice in found.choices)


def playouts(config: MctsConfig) -> int:
    return 1500 if config.batch == 1 or config.needs_moves else 6000


@pytest.mark.parametrize("threads", sample([4, 2], 2))
@pytest.mark.parametrize(("name", "way"), sample(product(GAMES, WAYS), 4))
def test_no_visit_is_lost(name: str, way: str, threads: int) -> None:
    game, config = compiled_game(name), replace(WAYS[way], threads=threads)
    player = game.info.players[0]
    searcher = Mcts(game, config)
    found = searcher.search(game.initial(), player, Budget(playouts=playouts(config)))
    assert found.proven or found.playouts >= playouts(config)
    assert visits(found) == found.playouts
    again = searcher.search(game.initial(), player, Budget(playouts=100))
    assert visits(again) == found.playouts + again.playouts


@pytest.mark.parametrize("name", ["connect_four", "tron", "chinese_checkers"])
def test_a_tree_is_kept_from_turn_to_turn(name: str) -> None:
    game = compiled_game(name)
    searcher = Mcts(game, MctsConfig(threads=4))
    state = game.initial()
    for turn in range(4):
        player = game.info.players[turn % len(game.info.players)]
        found = searcher.search(state, player, Budget(playouts=3000))
        state = state.play(found.line[0])
        if state.is_terminal:
            break
    assert searcher.memory > 0
    searcher.forget()
    assert (searcher.memory, searcher.nodes) == (0, 0)


@pytest.mark.parametrize("name", GAMES)
def test_a_full_tree_is_searched_on(name: str) -> None:
    game = compiled_game(name)
    searcher = Mcts(game, MctsConfig(threads=4, memory_bytes=100_000, solver=False))
    found = searcher.search(game.initial(), game.info.players[0], Budget(playouts=20_000))
    assert visits(found) == found.playouts >= 20_000
    # What threads have made and not yet told, and ends that are added to any tree, come on top.
    assert searcher.memory < 600_000


@pytest.mark.parametrize("batch", [0, 1])
def test_a_search_is_stopped_from_another_thread(batch: int) -> None:
    game = compiled_game("connect_four")
    searcher = Mcts(game, MctsConfig(threads=2, batch=batch))
    stop = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(searcher.search, game.initial(), game.roles[0], Budget(seconds=600, stop=stop))
        stop.set()
        found = search.result(60)
    assert visits(found) == found.playouts


class Refusal(threading.Event):
    """Instead of an answer an error, once the search is well under way."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def is_set(self) -> bool:
        self.asked += 1
        if self.asked > 3:
            raise RuntimeError("enough")
        return False


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("batch", [0, 1])
def test_a_tree_outlives_an_error(batch: int, threads: int) -> None:
    """As Ctrl-C does: leaves that wait for their games are given up, and the tree can be searched again."""
    game = compiled_game("connect_four")
    searcher = Mcts(game, MctsConfig(threads=threads, batch=batch))
    with pytest.raises(RuntimeError, match="enough"):
        searcher.search(game.initial(), game.roles[0], Budget(seconds=600, stop=Refusal()))
    state = game.initial()
    after = state.play([state.legal(role)[0] for role in game.roles])
    found = searcher.search(after, game.roles[1], Budget(playouts=3000))
    assert found.playouts >= 3000


SELDOM = """
; What both get together is 100, but for one end in many: proofs that rest on the sum must be dropped.
(role red) (role blue)
(init (step 0)) (init (sum 0))
(<= (legal red (add ?n)) (true (step ?s)) (small ?n))
(<= (legal blue (add ?n)) (true (step ?s)) (small ?n))
(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))
(<= (next (sum ?t)) (true (sum ?s)) (does red (add 1)) (does blue (add 1)) (succ ?s ?t))
(<= (next (sum ?s)) (true (sum ?s)) (not both))
(<= both (does red (add 1)) (does blue (add 1)))
(<= terminal (true (step 5)))
(<= (goal red 50) (not (true (sum 5))))
(<= (goal blue 50) (not (true (sum 5))))
(<= (goal red 100) (true (sum 5)))
(<= (goal blue 100) (true (sum 5)))
(small 0) (small 1) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
"""


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("batch", [0, 1])
def test_threads_drop_what_rests_on_a_sum_that_is_none(batch: int, threads: int) -> None:
    game = CompiledGame(parse_kif(SELDOM), "seldom")
    for seed in range(5):
        searcher = Mcts(game, MctsConfig(threads=threads, batch=batch, seed=seed))
        found = searcher.search(game.initial(), game.roles[0], Budget(playouts=20_000))
        assert not found.proven or found.value == 100
