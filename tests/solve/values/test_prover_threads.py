"""Proof search and threads: counters may be read while it runs, and two searches race without a word."""

import threading
from itertools import pairwise

import pytest

from ludorum._core import ProofKernel
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.values.prover import ProverConfig, ValueProver
from tests.library_games import compiled_game
from tests.search.small_boards import dots_and_boxes_2


def test_counters_are_read_while_a_search_runs() -> None:
    """What nobody may read meanwhile says so."""
    game = compiled_game("connect_four")
    assert isinstance(game, CompiledGame)
    kernel = ProofKernel(game.single.evaluators, 1 << 22)
    start = game.initial().bits
    over = threading.Event()
    searching = threading.Thread(target=kernel.prove, args=(start, 0, 100), kwargs={"stop": over.is_set})
    searching.start()
    try:
        seen: list[int] = []
        while len(seen) < 200 or seen[-1] < 5000:
            seen.append(kernel.nodes)
            assert (kernel.repetitions, kernel.too_deep, kernel.table_bytes > 0) == (0, False, True)
        for wants in (lambda: kernel.sum, lambda: kernel.seen_goals(0), kernel.forget):
            with pytest.raises(RuntimeError, match="one search at a time"):
                wants()
    finally:
        over.set()
        searching.join()
    assert all(earlier <= later for earlier, later in pairwise(seen))
    assert kernel.nodes >= seen[-1]
    assert kernel.sum == 100


@pytest.mark.long
def test_two_searches_race_while_others_look_on() -> None:
    game = dots_and_boxes_2()
    state = game.initial()
    for role in game.roles:
        racing, alone = (
            ValueProver(game, ProverConfig(table_bytes=1 << 22, threads=count)) for count in (2, 1)
        )
        seen, answer = read_nodes_while(racing, state, role, 51)
        assert answer == alone.prove(state, role, 51, Stopwatch(Budget(seconds=60)))
        assert seen == sorted(seen)
        assert seen[-1] == racing.nodes


def read_nodes_while(
    prover: ValueProver, state: CompiledState, role: Term, threshold: int
) -> tuple[list[int], bool | None]:
    over = threading.Event()
    seen: list[int] = []

    def look_on() -> None:
        while not over.is_set():
            seen.append(prover.nodes)
        seen.append(prover.nodes)

    looking = threading.Thread(target=look_on)
    looking.start()
    try:
        return seen, prover.prove(state, role, threshold, Stopwatch(Budget(seconds=60)))
    finally:
        over.set()
        looking.join()
