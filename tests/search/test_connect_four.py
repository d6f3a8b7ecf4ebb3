"""Connect four against an exact solver that shares nothing with the engine."""

from __future__ import annotations

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import State
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search import Budget
from ludorum.search.mcts import Mcts
from tests.how_much import some
from tests.library_games import compiled_game
from tests.search.four_in_line import FourInLine, board_after, random_line

NOOP = parse_term("noop")


def drop(column: int) -> Term:
    return parse_term(f"(drop {column + 1})")


@pytest.fixture(scope="module")
def game() -> CompiledGame:
    loaded = compiled_game("connect_four")
    assert isinstance(loaded, CompiledGame)
    return loaded


def state_after(game: CompiledGame, line: list[int]) -> State:
    state: State = game.initial()
    for turn, column in enumerate(line):
        state = state.play((drop(column), NOOP) if turn % 2 == 0 else (NOOP, drop(column)))
    return state


def late_positions(count: int, plies: int, seed: int) -> list[tuple[list[int], dict[int, int]]]:
    """Positions in which some moves are better than others, with what each column is worth."""
    chance = SplitMix64(seed)
    found: list[tuple[list[int], dict[int, int]]] = []
    while len(found) < count:
        board = FourInLine()
        line = random_line(board, plies, chance)
        values = board.move_values(*board_after(board, line))
        if len(set(values.values())) > 1:
            found.append((line, values))
    return found


def share_preserved(
    game: CompiledGame, cases: list[tuple[list[int], dict[int, int]]], budget: Budget
) -> float:
    kept = 0
    for line, values in cases:
        state = state_after(game, line)
        found = Mcts(game).search(state, game.roles[len(line) % 2], budget)
        column = int(str(found.move.args[0])) - 1
        kept += values[column] == max(values.values())
        if found.proven:
            assert found.value == 50 + 50 * values[column]
    return kept / len(cases)


@pytest.mark.long
def test_the_solver_knows_small_boards() -> None:
    assert FourInLine(4, 4).value(0, 0) == 0
    assert FourInLine(5, 4).value(0, 0) == 0


def test_the_solver_and_the_engine_agree_on_who_has_won(game: CompiledGame) -> None:
    board, chance = FourInLine(), SplitMix64(5)
    for _ in range(20):
        own, every, line = 0, 0, list[int]()
        state: State = game.initial()
        while not state.is_terminal:
            moves = board.moves(every)
            assert {drop(column) for column in moves} == set(state.legal(game.roles[len(line) % 2]))
            column = moves[chance.below(len(moves))]
            wins = board.wins_with(own, every, column)
            own, every = board.play(own, every, column)
            line.append(column)
            state = state_after(game, line)
            assert state.is_terminal == (wins or not board.moves(every))
            assert (state.goal(game.roles[(len(line) - 1) % 2]) == 100) == wins


@pytest.mark.long
def test_the_centre_is_the_first_choice(game: CompiledGame) -> None:
    found = Mcts(game).search(game.initial(), game.roles[0], Budget(playouts=500_000, seconds=5.0))
    assert found.move is drop(3)


@pytest.mark.long
def test_late_positions_are_played_exactly(game: CompiledGame) -> None:
    assert share_preserved(game, late_positions(some(20, 2), 22, seed=1), Budget(playouts=100_000)) >= 0.95


@pytest.mark.slow
def test_a_second_suffices_for_late_positions(game: CompiledGame) -> None:
    cases = late_positions(100, 18, seed=2) + late_positions(100, 22, seed=3)
    assert share_preserved(game, cases, Budget(seconds=1.0)) >= 0.95
