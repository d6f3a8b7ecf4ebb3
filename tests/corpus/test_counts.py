"""Exact counts on sheets of the corpus: published perft numbers, and what a known prover is tested with."""

from pathlib import Path

import pytest

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import State
from ludorum.engine.perft import explore, joint_move_count, perft
from ludorum.rules.kif import parse_term
from tests.corpus.records import find_sheet, load_sheet, safe_rules
from tests.how_much import sample

pytestmark = pytest.mark.corpus

# Joint-move paths by depth. Those of reversi, English draughts and 10x10 amazons are the published numbers.
PATHS: dict[str, list[int]] = {
    "KriegTictactoe__unsw": [625, 360000],
    "MontyHall__unsw": [9, 12, 24],
    "amazons": [2176],
    "amazons_8x8": [60, 1232, 70386],
    "breakthrough": [22, 484, 11132],
    "breakthroughSmall": [16, 256, 4308],
    "checkers": [7, 49, 379, 2872],
    "connectFour": [8, 64, 512, 4096, 32768],
    "englishDraughts": [7, 49, 302, 1469, 7361],
    "hex": [81, 6480, 511920],
    "knightThrough": [40, 1600, 63520],
    "meier__scully": [36, 756, 1476, 25920, 272160, 518400, 8864640, 62052480, 115240320, 1914762240,
                      10052501760, 18190241280, 292958622720, 1230426215424],
    "nineBoardTicTacToe": [81, 720, 6336, 55080],
    "reversi": [4, 12, 56, 244, 1396],
    "ticTacToe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
}  # fmt: skip

FAST_DEPTH = {
    "MontyHall__unsw": 3,
    "breakthroughSmall": 2,
    "checkers": 2,
    "connectFour": 3,
    "englishDraughts": 2,
    "meier__scully": 2,
    "nineBoardTicTacToe": 1,
    "reversi": 2,
    "ticTacToe": 3,
}
"""How deep every test run counts; the other depths are slow with the reference engine."""


@pytest.mark.parametrize("key", FAST_DEPTH)
def test_shallow_paths_are_counted(corpus: Path, key: str) -> None:
    depth = FAST_DEPTH[key]
    assert perft(load_sheet(find_sheet(corpus, key), key), depth) == PATHS[key][:depth]


@pytest.mark.slow
@pytest.mark.parametrize("key", [key for key, paths in PATHS.items() if FAST_DEPTH.get(key) != len(paths)])
def test_all_paths_are_counted(corpus: Path, key: str) -> None:
    assert perft(load_sheet(find_sheet(corpus, key), key), len(PATHS[key])) == PATHS[key]


# Published further than the corpus counts them: circuits are fast enough to go on.
DEEPER = {
    "amazons": [2176, 4307152],
    "connectFour": [8, 64, 512, 4096, 32768, 262144, 2097144],
    "englishDraughts": [7, 49, 302, 1469, 7361, 36768],  # at depth 7 each jump of a series counts here
    "reversi": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
}
SLOW_TO_COMPILE = {"amazons", "amazons_8x8", "checkers", "hex", "englishDraughts"}


@pytest.mark.parametrize("key", sample([key for key in PATHS if key not in SLOW_TO_COMPILE], 3))
def test_a_circuit_counts_all_paths(corpus: Path, key: str) -> None:
    game = CompiledGame(safe_rules(find_sheet(corpus, key)), key)
    assert perft(game, len(PATHS[key])) == PATHS[key]


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted({*DEEPER, *SLOW_TO_COMPILE}))
def test_a_circuit_counts_the_paths_of_large_games(corpus: Path, key: str) -> None:
    paths = DEEPER.get(key, PATHS[key])
    game = CompiledGame(safe_rules(find_sheet(corpus, key)), key, seconds=300, processor_time=True)
    assert perft(game, len(paths)) == paths


def test_monty_hall_has_34_states(corpus: Path) -> None:
    found = explore(load_sheet(find_sheet(corpus, "MontyHall__unsw"), "monty"))
    assert (found.states, found.longest, found.complete) == (34, 3, True)


@pytest.mark.slow
def test_tictactoe_has_5478_states_and_255168_games(corpus: Path) -> None:
    found = explore(load_sheet(find_sheet(corpus, "ticTacToe"), "tictactoe"))
    assert (found.states, found.games, found.longest) == (5478, 255168, 9)


# -- what ggp-base asserts of its own test sheets (ProverStateMachineTest) -----------------------------------


def start(corpus: Path, key: str) -> State:
    return load_sheet(find_sheet(corpus, f"{key}__ggpbase"), key).initial()


def moves(state: State) -> list[str]:
    """The legal moves of the only role."""
    (role,) = state.game.roles
    return [str(move) for move in state.legal(role)]


def play(state: State, *texts: str) -> State:
    return state.play([parse_term(text) for text in texts])


def test_tictactoe_is_won_in_five_moves(corpus: Path) -> None:
    state = start(corpus, "ticTacToe")
    assert not state.is_terminal
    assert joint_move_count(state) == 9
    for number, cell in enumerate(["1 1", "1 3", "3 1", "2 2", "2 1"]):
        assert not state.is_terminal
        mark = f"(mark {cell})"
        state = play(state, mark, "noop") if number % 2 == 0 else play(state, "noop", mark)
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_case_1a_gives_100_before_and_after_the_move(corpus: Path) -> None:
    state = start(corpus, "test_case_1a")
    assert state.goals() == (100,)
    assert play(state, "proceed").goals() == (100,)


def test_case_3c_is_won_by_its_only_move(corpus: Path) -> None:
    state = start(corpus, "test_case_3c")
    assert moves(state) == ["win"]
    after = play(state, "win")
    assert after.is_terminal
    assert after.goals() == (100,)


@pytest.mark.parametrize("key", ["test_case_5a", "test_case_5c", "test_case_5d"])
def test_recursive_cases_proceed_to_the_end(corpus: Path, key: str) -> None:
    state = start(corpus, key)
    assert not state.is_terminal
    assert moves(state) == ["proceed"]
    after = play(state, "proceed")
    assert after.is_terminal
    assert after.goals() == (100,)


def test_case_5b_ends_with_its_only_move(corpus: Path) -> None:
    state = start(corpus, "test_case_5b")
    assert moves(state) == ["(draw 1 1 1 2)"]
    assert play(state, "(draw 1 1 1 2)").is_terminal


def test_case_5e_has_seven_moves(corpus: Path) -> None:
    heaps = [f"(reduce a {n})" for n in range(2)] + [f"(reduce c {n})" for n in range(5)]
    assert moves(start(corpus, "test_case_5e")) == heaps


def test_distinct_may_stand_first_in_a_rule(corpus: Path) -> None:
    state = start(corpus, "test_distinct_beginning_rule")
    assert len(moves(state)) == 2
    after = play(state, "(do a b)")
    assert after.is_terminal
    assert after.goals() == (100,)
