"""Proof search: the same answers as methods that share nothing with it, with and without circles."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ludorum._core import NotTurnTakingError, ProofKernel, SplitMix64
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.rules.kif import parse_term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.exact import solve
from ludorum.solve.values.check_strategy import check_strategy
from ludorum.solve.values.prover import ProverConfig, ValueProver
from tests.how_much import sample, some
from tests.library_games import compiled_game
from tests.search.small_boards import connect_four, dots_and_boxes_2
from tests.solve.values.graph_games import Graph, mirrored, random_graph

METHODS = ("depth-first", "proof-number")


def prover(game: CompiledGame, *methods: str, table_bytes: int = 1 << 24) -> ValueProver:
    return ValueProver(game, ProverConfig(table_bytes=table_bytes, methods=methods or METHODS))


def far_sighted(game: CompiledGame, *methods: str, **settings: bool) -> ValueProver:
    """One that does from the start what others do in long searches."""
    return ValueProver(
        game, ProverConfig(table_bytes=1 << 24, methods=methods or METHODS, long_slice=0, **settings)
    )


def watch(seconds: float = 60.0) -> Stopwatch:
    return Stopwatch(Budget(seconds=seconds))


def random_states(game: CompiledGame, count: int, seed: int) -> list[CompiledState]:
    chance = SplitMix64(seed)
    found: list[CompiledState] = []
    while len(found) < count:
        line = [state for state in game.playout(chance.next()) if isinstance(state, CompiledState)]
        found.append(line[chance.below(len(line))])
    return found


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sample(["dots_and_boxes_2", "tictactoe", "nim"], 2))
def test_proofs_agree_with_induction_over_all_states(name: str, method: str) -> None:
    game = dots_and_boxes_2() if name == "dots_and_boxes_2" else compiled_game(name)
    oracle = solve(game)
    assert oracle is not None
    asked = prover(game, method)
    for state in (game.initial(), *random_states(game, 40, seed=3)):
        for role in game.roles:
            value = oracle.value(state, role)
            for threshold in (50, 100):
                assert asked.prove(state, role, threshold, watch()) == (value >= threshold)
    assert not asked.repeats


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sample(["tictactoe", "connect_four_4x4", "dots_and_boxes_2"], 3))
def test_foresight_and_symmetry_change_no_answer(name: str, method: str) -> None:
    boards = {"dots_and_boxes_2": dots_and_boxes_2(), "connect_four_4x4": connect_four(4, 4)}
    game = boards.get(name) or compiled_game(name)
    plain = far_sighted(game, method, look_ahead=False, symmetry=False)
    others = [
        far_sighted(game, method),
        far_sighted(game, method, symmetry=False),
        far_sighted(game, method, look_ahead=False),
    ]
    for state in (game.initial(), *random_states(game, 10, seed=4)):
        for role in game.roles:
            for threshold in (50, 100):
                answer = plain.prove(state, role, threshold, watch())
                for other in others:
                    assert other.prove(state, role, threshold, watch()) == answer
    assert [other.looks_ahead for other in others] == [True, True, False]
    assert [other.symmetries > 0 for other in others] == [True, False, True]
    assert others[0].sum == plain.sum


def test_fewer_states_are_looked_at_with_foresight_and_symmetry() -> None:
    game = connect_four(4, 4)
    counts = []
    for settings in ({"look_ahead": False, "symmetry": False}, {"symmetry": False}, {}):
        asked = far_sighted(game, "depth-first", **settings)
        assert asked.prove(game.initial(), game.roles[0], 100, watch()) is False
        counts.append(asked.nodes)
    assert counts[0] > 2 * counts[1] > 2 * counts[2]


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", sample(["dots_and_boxes_2", "connect_four_4x4"], 2))
def test_strategies_from_mirror_images_hold(name: str, method: str) -> None:
    """Whoever completes a box moves again: strategies go on where the role itself does."""
    game = dots_and_boxes_2() if name == "dots_and_boxes_2" else connect_four(4, 4)
    for settings in ({}, {"look_ahead": False}, {"symmetry": False}):
        asked = far_sighted(game, method, **settings)
        for threshold in (50, 100):
            proved = asked.prove(game.initial(), game.roles[0], threshold, watch())
            assert proved is not None
            strategy = asked.strategy(game.initial(), game.roles[0], threshold, proved, watch())
            assert strategy is not None
            assert bool(strategy.images) == ("symmetry" not in settings)
            check = check_strategy(game, strategy)
            assert check.holds, check.fault
            assert check.complete


def test_a_strategy_has_one_image_of_each_state() -> None:
    game = connect_four(4, 4)
    asked = far_sighted(game, "depth-first")
    assert asked.prove(game.initial(), game.roles[0], 50, watch()) is True
    strategy = asked.strategy(game.initial(), game.roles[0], 50, True, watch())
    assert strategy is not None
    bits = np.unpackbits(np.frombuffer(strategy.states, np.uint8), bitorder="little")
    rows = bits.reshape(len(strategy), -1)[:, : len(strategy.fluents)]
    (image,) = strategy.images
    mirrored = np.empty_like(rows)
    mirrored[:, image.fluents] = rows
    listed = {bytes(row) for row in rows}
    assert len(listed) == len(strategy) > 500
    for row, other in zip(rows, mirrored, strict=True):
        assert bytes(other) == bytes(row) or bytes(other) not in listed


def test_what_a_tiny_table_has_lost_is_searched_for_again() -> None:
    game = connect_four(4, 4)
    small = prover(game, "depth-first", table_bytes=1 << 14)
    assert small.prove(game.initial(), game.roles[0], 50, watch()) is True
    before = small.nodes
    strategy = small.strategy(game.initial(), game.roles[0], 50, True, watch())
    assert strategy is not None
    assert small.nodes > before + 5 * len(strategy)  # a look or two at each would do otherwise
    assert check_strategy(game, strategy).holds


def test_what_is_foreseen_is_not_asked_where_it_is_nobodys_turn() -> None:
    """Foresight rests on whose turn it is; a state that play cannot lead to may have no such thing."""
    game = compiled_game("tictactoe")
    squares = [f"(cell {x} {y} b)" for x in (1, 2, 3) for y in (1, 2, 3)]
    strange = game.state(map(parse_term, [*squares, "(control xplayer)", "(control oplayer)"]))
    for settings in ({"look_ahead": False}, {}):
        with pytest.raises(NotTurnTakingError):
            far_sighted(game, **settings).prove(strange, game.roles[0], 100, watch())


def checked_sizes(graph: Graph, game: CompiledGame, asked: ValueProver) -> list[int]:
    """Strategies of left from everywhere it can force an end: all hold, and how many states they have."""
    sizes = []
    for node in sorted(graph.forced("left", 50) & set(graph.owner)):
        state = game.state([parse_term(f"(at {node})")])
        assert asked.prove(state, game.roles[0], 50, watch())
        strategy = asked.strategy(state, game.roles[0], 50, True, watch())
        assert strategy is not None
        assert check_strategy(game, strategy).holds
        sizes.append(len(strategy))
    return sizes


@pytest.mark.parametrize("method", METHODS)
def test_images_with_circles_are_valued_alike(method: str) -> None:
    """A random graph beside its mirror image: one table for both, and the same answers as a fixed point."""
    circles = 0
    for seed in (3, 4, 5)[: some(3)]:
        graph = mirrored(random_graph(seed, parts=1, nodes=20, ends=3))
        game = graph.game()
        asked = far_sighted(game, method)
        for role in game.roles:
            for threshold in (50, 100):
                forced = graph.forced(str(role), threshold)
                for node in graph.owner:
                    state = game.state([parse_term(f"(at {node})")])
                    assert asked.prove(state, role, threshold, watch()) == (node in forced), node
        assert asked.symmetries
        circles += asked.repeats
        checked_sizes(graph, game, asked)
    assert circles


def test_random_games_change_the_order_and_not_the_answers() -> None:
    game = connect_four(4, 4)
    answers, nodes = set(), set()
    for depth in (0, 4):
        asked = ValueProver(game, ProverConfig(1 << 24, methods=("depth-first",), played_depth=depth))
        answers.add(tuple(asked.prove(game.initial(), game.roles[0], goal, watch()) for goal in (50, 100)))
        nodes.add(asked.nodes)
    assert answers == {(True, False)}
    assert len(nodes) == 2


@pytest.mark.parametrize("methods", [("depth-first",), METHODS])
def test_a_tiny_table_gives_the_same_answers(methods: tuple[str, ...]) -> None:
    """Proof numbers need room to get on; depth-first search does without, so that both together end."""
    game = connect_four(4, 4)
    small = prover(game, *methods, table_bytes=1 << 14)
    assert small.table_bytes <= 1 << 14
    assert small.prove(game.initial(), game.roles[0], 50, watch()) is True
    assert small.prove(game.initial(), game.roles[0], 100, watch()) is False


@pytest.mark.long
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", sample([1, 2], 2))
def test_circles_prove_nothing_and_are_never_remembered_wrongly(seed: int, method: str) -> None:
    """One table for all questions: what held on one path only would be found on others."""
    graph = random_graph(seed, parts=30, nodes=7, ends=2)
    game = graph.game()
    asked = prover(game, method)
    won = lost = 0
    for role in game.roles:
        for threshold in (50, 100):
            forced = graph.forced(str(role), threshold)
            for node in graph.owner:
                state = game.state([parse_term(f"(at {node})")])
                answer = asked.prove(state, role, threshold, watch())
                assert answer == (node in forced), f"node {node}, {role} {threshold}"
                won, lost = won + bool(answer), lost + (not answer)
    assert asked.repeats
    assert min(won, lost) > 100  # both answers were put to the test


@pytest.mark.long
def test_strategies_do_not_walk_in_circles() -> None:
    graph = random_graph(5, parts=40, nodes=7, ends=2)
    game = graph.game()
    asked = prover(game)
    assert sum(size > 1 for size in checked_sizes(graph, game, asked)) > 10


def test_who_can_stay_in_a_circle_is_not_beaten() -> None:
    # Left can go round between 1 and 2 for ever; right wins as soon as left leaves.
    graph = Graph({1: "left", 2: "right"}, {1: [2, 3], 2: [1, 1]}, {3: 0})
    assert 1 not in graph.forced("right", 100)
    game = graph.game()
    for method in METHODS:
        asked = prover(game, method)
        assert asked.prove(game.initial(), game.roles[0], 50, watch()) is False
        assert asked.prove(game.initial(), game.roles[1], 50, watch()) is False


def test_both_searches_at_once_give_one_answer() -> None:
    game = connect_four(4, 4)
    both = ValueProver(game, ProverConfig(table_bytes=1 << 24, threads=2))
    assert both.prove(game.initial(), game.roles[0], 50, watch()) is True
    assert both.prove(game.initial(), game.roles[0], 100, watch()) is False
    assert both.answered_by in METHODS
    assert both.sum == 100


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_can_be_stopped(threads: int) -> None:
    stop = threading.Event()
    stop.set()
    game = connect_four(6, 6)
    asked = ValueProver(game, ProverConfig(table_bytes=1 << 24, threads=threads))
    budget = Stopwatch(Budget(stop=stop))
    assert asked.prove(game.initial(), game.roles[0], 100, budget) is None
    assert asked.nodes < 100_000


def test_counted_work_is_kept_to_and_repeatable() -> None:
    game = connect_four(6, 6)
    counts = []
    for _ in range(2):
        asked = prover(game)
        budget = Stopwatch(Budget(nodes=30_000))
        assert asked.prove(game.initial(), game.roles[0], 100, budget) is None
        counts.append(asked.nodes)
    assert counts[0] == counts[1]
    assert 30_000 <= counts[0] < 30_100


def test_games_without_turns_are_refused() -> None:
    game = compiled_game("rock_paper_scissors")
    with pytest.raises(NotTurnTakingError, match="same time"):
        prover(game).prove(game.initial(), game.roles[0], 100, watch())


def test_the_kernel_refuses_what_it_does_not_know() -> None:
    game = compiled_game("tictactoe")
    kernel = ProofKernel(game.single.evaluators, 1 << 16)
    with pytest.raises(ValueError, match="no such role"):
        kernel.prove(game.initial().bits, 7, 100)
    with pytest.raises(ValueError, match="bytes"):
        kernel.prove(b"", 0, 100)
