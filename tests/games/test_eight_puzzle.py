"""Eight Puzzle against the table of all distances of its boards."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest

from ludorum._core import SplitMix64
from ludorum.engine.check_game import check_game
from ludorum.engine.game import State, parse_move
from ludorum.engine.load import load_game
from tests.games.single_player import legal, named, play

Board = str  # nine characters, row by row; b is the gap
ORDERED = "12345678b"


def slides(board: Board) -> Iterator[tuple[str, Board]]:
    """The moves of a board, as the sheet writes them, and the boards they lead to."""
    gap = board.index("b")
    for place in range(9):
        if abs(place // 3 - gap // 3) + abs(place % 3 - gap % 3) == 1:
            tile = board[place]
            swapped = board.translate({ord("b"): tile, ord(tile): "b"})
            yield f"(slide {place // 3 + 1} {place % 3 + 1})", swapped


@cache
def distances() -> dict[Board, int]:
    """How many moves each board is from the order asked for."""
    found = {ORDERED: 0}
    todo = [ORDERED]
    for board in todo:
        for _, other in slides(board):
            if other not in found:
                found[other] = found[board] + 1
                todo.append(other)
    return found


def board_of(state: State) -> Board:
    tiles = {(str(x), str(y)): str(tile) for x, y, tile in (fact.args for fact in named(state, "cell"))}
    return "".join(tiles[place] for place in product("123", "123"))


def test_random_play_keeps_every_promise() -> None:
    assert check_game(load_game("eight_puzzle"), plays=1, seed=3) == []


@pytest.mark.long
def test_eight_puzzle_oracle_knows_the_published_figures() -> None:
    assert len(distances()) == 181440
    assert max(distances().values()) == 31


@pytest.mark.long
def test_eight_puzzle_start_is_eighteen_moves_from_order_and_can_be_solved() -> None:
    state = load_game("eight_puzzle").initial()
    board = board_of(state)
    assert board == "13572468b"
    assert distances()[board] == 18
    while distances()[board]:
        assert not state.is_terminal
        assert state.goals() == (0,)
        move, board = min(slides(board), key=lambda slide: distances()[slide[1]])
        state = play(state, move)
        assert board_of(state) == board
    assert parse_move("(step 18)") in state.facts()
    assert state.is_terminal
    assert state.goals() == (100,)


def test_eight_puzzle_reaches_the_published_number_of_boards_by_depth() -> None:
    # Boards at distance 0, 1, 2, ... of one with the gap in a corner (OEIS A089473).
    layer = {board_of(state): state for state in [load_game("eight_puzzle").initial()]}
    seen = set(layer)
    sizes = []
    for _ in range(7):
        sizes.append(len(layer))
        following = [state.play(joint) for state in layer.values() for joint in state.joint_moves()]
        layer = {board_of(state): state for state in following if board_of(state) not in seen}
        seen |= set(layer)
    assert sizes == [1, 2, 4, 8, 16, 20, 39]


def test_eight_puzzle_moves_are_those_of_the_oracle_on_a_random_walk() -> None:
    chooser = SplitMix64(5)
    state = load_game("eight_puzzle").initial()
    for _ in range(15):
        expected = dict(slides(board_of(state)))
        assert legal(state) == sorted(expected)
        move = legal(state)[chooser.below(len(expected))]
        state = play(state, move)
        assert board_of(state) == expected[move]


def test_eight_puzzle_stops_after_31_moves() -> None:
    start = load_game("eight_puzzle").initial()
    facts = (start.facts() - {parse_move("(step 0)")}) | {parse_move("(step 30)")}
    last = start.game.state(facts)
    assert not last.is_terminal
    assert play(last, "(slide 2 3)").is_terminal
    assert play(last, "(slide 2 3)").goals() == (0,)
