"""Boards of the fifteen puzzle by which searches are usually measured, solved by distances from the rules."""

from itertools import product

import pytest

from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search.best_first import BestFirst
from ludorum.search.budget import Budget

Board = tuple[int, ...]

CELLS = tuple(product(range(1, 5), repeat=2))
BOARDS = {
    "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3": 57,
    "13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6": 55,
    "14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15": 59,
    "5 12 10 7 15 11 14 0 8 2 1 13 3 4 9 6": 56,
    "4 7 14 13 10 3 9 12 11 5 6 15 1 2 8 0": 56,
    "14 7 1 9 12 3 6 15 8 11 2 5 10 0 4 13": 52,
    "2 11 15 5 13 4 6 7 12 8 10 1 9 3 14 0": 52,
    "12 11 15 3 8 0 4 2 6 13 9 5 14 1 10 7": 50,
    "3 14 9 11 5 4 8 2 13 12 6 7 10 1 15 0": 46,
    "13 11 8 9 0 15 7 10 4 3 6 14 5 12 2 1": 59,
}
"""The first ten boards of Korf (*Depth-first iterative-deepening*, AIJ 1985), row by row, 0 for the gap, and
the fewest moves that bring them into order, 0 to 15."""


def facts_of(board: Board) -> list[str]:
    return [f"(cell {x} {y} {tile})" for (x, y), tile in zip(CELLS, board, strict=True)]


def each_as(word: str) -> str:
    """The facts of the board in order, under ``init`` or ``true``."""
    return " ".join(f"({word} {fact})" for fact in facts_of(IN_ORDER))


IN_ORDER = tuple(range(16))
RULES = f"""
(role you) {each_as("init")} (succ 1 2) (succ 2 3) (succ 3 4)
(<= (index ?x) (succ ?x ?y)) (<= (index ?y) (succ ?x ?y))
(<= (step ?x ?y) (succ ?x ?y)) (<= (step ?y ?x) (succ ?x ?y))
(<= (beside ?x ?y ?x ?z) (index ?x) (step ?y ?z)) (<= (beside ?y ?x ?z ?x) (index ?x) (step ?y ?z))
(<= (legal you (slide ?x ?y)) (true (cell ?u ?v 0)) (beside ?x ?y ?u ?v))
(<= (slides ?x ?y) (does you (slide ?x ?y)))
(<= (next (cell ?x ?y 0)) (slides ?x ?y))
(<= (next (cell ?u ?v ?tile)) (true (cell ?u ?v 0)) (slides ?x ?y) (true (cell ?x ?y ?tile)))
(<= (next (cell ?x ?y ?tile)) (true (cell ?x ?y ?tile)) (distinct ?tile 0) (not (slides ?x ?y)))
(<= order {each_as("true")}) (<= terminal order)
(<= (goal you 100) order) (<= (goal you 0) (not order))
"""


def slid(board: Board, moves: tuple[Term, ...]) -> Board:
    """The board after moves, without any rules of ours."""
    tiles = list(board)
    for move in moves:
        x, y = (int(str(arg)) for arg in move.args)
        tile, gap = CELLS.index((x, y)), tiles.index(0)
        assert abs(tile % 4 - gap % 4) + abs(tile // 4 - gap // 4) == 1
        tiles[gap], tiles[tile] = tiles[tile], 0
    return tuple(tiles)


def game_at(board: Board) -> tuple[CompiledGame, CompiledState]:
    game = CompiledGame(parse_kif(RULES), "fifteen")
    return game, game.state(map(parse_term, facts_of(board)))


@pytest.mark.slow
@pytest.mark.parametrize("text", BOARDS)
def test_boards_of_the_usual_test_set_are_solved(text: str) -> None:
    """Some 150 000 positions each; a plan has as many moves as the shortest one, or an even number more."""
    board = tuple(map(int, text.split()))
    game, state = game_at(board)
    plan = BestFirst(game).greedy(state, Budget(nodes=1_000_000))
    assert plan is not None
    assert slid(board, plan.moves) == IN_ORDER
    assert plan.goal == 100
    assert len(plan.moves) >= BOARDS[text]
    assert len(plan.moves) % 2 == BOARDS[text] % 2


@pytest.mark.parametrize("way", [(1, 2), (4, 8, 9, 5, 6)])
def test_a_board_near_order_is_put_in_order_by_the_fewest_moves(way: tuple[int, ...]) -> None:
    """The gap walks away over these squares, and A* brings it back on the same way."""
    walk = tuple(Term("slide", tuple(Term(str(each)) for each in CELLS[square])) for square in way)
    board = slid(IN_ORDER, walk)
    game, state = game_at(board)
    plan = BestFirst(game).shortest(state, Budget(nodes=10_000))
    assert plan is not None
    assert (len(plan.moves), plan.shortest) == (len(walk), True)
    assert slid(board, plan.moves) == IN_ORDER
