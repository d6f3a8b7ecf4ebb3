"""What one thread uses, another cannot break; and where the system has no more threads, there are fewer."""

from __future__ import annotations

import resource
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ludorum._core import AlphaBetaKernel, InformationTree, Lanes, MctsTree, ProofKernel, RegretKernel
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.search import AlphaBeta, Budget, MaxN, Mcts, MctsConfig
from tests.own_process import in_own_process


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    found = load_game("tictactoe", "compiled")
    assert isinstance(found, CompiledGame)
    return found


def tree(game: CompiledGame) -> MctsTree:
    return Mcts(game, MctsConfig())._tree._kernel  # type: ignore[attr-defined, no-any-return]


def refused_during(search: Callable[[Callable[[], bool]], object], *calls: Callable[[], object]) -> None:
    """Every call is refused while a search asks whether to stop, by this thread and by another."""
    refusals: list[str] = []

    def attempt() -> None:
        for call in calls:
            with pytest.raises(RuntimeError) as refusal:
                call()
            refusals.append(str(refusal.value))

    def stop() -> bool:
        if not refusals:
            attempt()
            other = threading.Thread(target=attempt)
            other.start()
            other.join()
        return True

    search(stop)
    assert len(refusals) == 2 * len(calls)
    assert all("at a time" in refusal for refusal in refusals)


def test_a_tree_has_one_user(game: CompiledGame) -> None:
    kernel, state = tree(game), game.initial().bits
    refused_during(
        lambda stop: kernel.search(state, 0, stopped=stop),
        kernel.forget,
        lambda: kernel.look(state),
        lambda: kernel.search(state, 0, playouts=1),
    )
    kernel.search(state, 0, playouts=100)
    assert kernel.look(state) is not None


def test_alpha_beta_has_one_user(game: CompiledGame) -> None:
    kernel, state = AlphaBetaKernel(game.single.evaluators, 1 << 16), game.initial().bits
    refused_during(
        lambda stop: kernel.search(state, 0, max_depth=9, evaluate=lambda _: 50.0 + 0 * stop()),
        kernel.forget,
        lambda: kernel.search(state, 0),
    )


def test_proofs_have_one_user() -> None:
    game = load_game("connect_four", "compiled")  # no proof of it ends before it is asked whether to stop
    assert isinstance(game, CompiledGame)
    kernel, state = ProofKernel(game.single.evaluators, 1 << 16), game.initial().bits
    refused_during(
        lambda stop: kernel.prove(state, 0, 100, stop=stop),
        kernel.forget,
        lambda: kernel.seen_goals(0),
        lambda: kernel.sum,
        lambda: kernel.set_symmetries([]),
        lambda: kernel.prove(state, 0, 100),
        lambda: kernel.strategy(state, 0, 100, True),
    )


def test_regrets_have_one_user() -> None:
    kernel = RegretKernel(
        player=np.array([0, -2, -2], np.int32),
        first_edge=np.array([0, 2, 2, 2], np.int32),
        child=np.array([1, 2], np.int32),
        weight=np.ones(2, np.int64),
        information_set=np.array([0, -1, -1], np.int32),
        set_offsets=np.array([0, 2], np.int32),
        values=np.array([[0.0], [1.0], [2.0]]),
    )
    for run in (kernel.run_full, kernel.run_external, kernel.run_outcome):
        refused_during(
            lambda stop, run=run: run(10**15, stop=stop),  # type: ignore[misc]
            lambda: kernel.regrets,
            lambda: kernel.weights,
            lambda: kernel.worth(np.array([0.5, 0.5])),
            lambda: kernel.run_full(1),
            lambda: kernel.run_external(1),
            lambda: kernel.run_outcome(1),
        )
    assert kernel.run_full(1) == 1


@pytest.mark.parametrize("batch", [0, 1])
def test_trees_of_information_sets_have_one_user(game: CompiledGame, batch: int) -> None:
    kernel = InformationTree(game.single.evaluators, chance=[], sees_roles=np.zeros(0, np.int32), batch=batch)

    def begin() -> None:
        state = np.frombuffer(game.initial().bits, np.uint8)[None, :]
        kernel.begin(0, states=state, weights=np.ones(1), views=np.zeros((1, 0), np.uint64))

    begin()
    refused_during(
        lambda stop: kernel.grow(stop=stop),
        begin,
        lambda: kernel.trust(np.zeros(1, np.int32), np.zeros(1), 1),
        lambda: kernel.grow(descents=1),
        kernel.look,
        lambda: kernel.nodes,
        lambda: kernel.bytes,
    )
    begin()
    assert kernel.grow(descents=20)[1] == 20


def test_searches_by_many_threads_end_or_are_refused(game: CompiledGame) -> None:
    kernel, state = tree(game), game.initial().bits
    outcomes: list[str] = []

    def search() -> None:
        for _ in range(20):
            try:
                kernel.search(state, 0, playouts=2000)
                kernel.look(state)
                kernel.forget()
                outcomes.append("done")
            except RuntimeError as refusal:
                outcomes.append(str(refusal))

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(outcomes) == 80
    assert set(outcomes) <= {"done", "this tree is being searched: one user at a time"}


def play_with_large_stacks() -> None:
    """Threads of the next process have stacks of 256 megabytes: few fit, and much is left when no more do."""
    resource.setrlimit(resource.RLIMIT_STACK, (256 << 20, resource.RLIM_INFINITY))
    in_own_process(play_with_few_threads)


def play_with_few_threads() -> None:
    game = load_game("tictactoe", "compiled")
    assert isinstance(game, CompiledGame)
    lanes, one = Lanes(game.network), Mcts(game, MctsConfig(threads=512, batch=1))
    states = np.repeat(np.frombuffer(game.initial().bits, np.uint8)[None, :], 200_000, axis=0)
    expected = lanes.playouts(200_000, seed=3)["goal_sums"]
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1200 << 20), resource.RLIM_INFINITY))
    assert list(lanes.playouts(200_000, seed=3, threads=1024)["goal_sums"]) == list(expected)
    assert len(lanes.expand(states, 1024)[1]) == 200_000
    assert one.search(game.initial(), game.roles[0], Budget(playouts=5000)).playouts >= 5000


@pytest.mark.long
def test_work_goes_on_where_the_system_has_no_more_threads() -> None:
    in_own_process(play_with_large_stacks)


SEARCHERS: dict[str, Callable[[Game], Mcts | AlphaBeta | MaxN]] = {
    "plain tree": lambda game: Mcts(game, MctsConfig(plain=True)),
    "compiled tree": Mcts,
    "alpha-beta": AlphaBeta,
    "maxn": MaxN,
}


@pytest.mark.parametrize("engine", ["lifted", "compiled"])
@pytest.mark.parametrize("kind", SEARCHERS)
def test_a_searcher_has_one_user(kind: str, engine: str) -> None:
    """Whatever the engine: the others would find the table of another state, and answer from it."""
    game = load_game("connect_four", engine)
    searcher, state, role = SEARCHERS[kind](game), game.initial(), game.roles[0]
    over = threading.Event()
    searching = threading.Thread(target=searcher.search, args=(state, role, Budget(stop=over)))
    searching.start()
    try:
        refusals: list[str] = []
        while not refusals:  # until the other has begun
            try:
                searcher.search(state, role, Budget(nodes=1, playouts=1))
            except RuntimeError as refusal:
                refusals.append(str(refusal))
        with pytest.raises(RuntimeError, match="one search at a time"):
            searcher.forget()
    finally:
        over.set()
        searching.join()
    assert refusals == [f"this {type(searcher).__name__} is in use by another thread: one search at a time"]
    searcher.forget()
    assert searcher.search(state, role, Budget(nodes=5, playouts=5)).move in state.legal(role)
