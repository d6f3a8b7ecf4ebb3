"""Blind Breakthrough: refused steps, captures, wins, against a plain model of the rules."""

from collections.abc import Iterator

import pytest

from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("blind_breakthrough")

Square = tuple[int, int]
Position = tuple[frozenset[Square], frozenset[Square], int, frozenset[Square]]
"""White's and black's pieces, whose turn it is (0 or 1), where straight steps were refused in this turn."""


def model_start(size: int) -> Position:
    columns = range(1, size + 1)
    white = frozenset((x, y) for x in columns for y in (1, 2))
    black = frozenset((x, y) for x in columns for y in (size - 1, size))
    return white, black, 0, frozenset()


def model_moves(position: Position, size: int) -> Iterator[Position]:
    """The positions after each move, written from the rules in the header of the sheet."""
    white, black, turn, refused = position
    own, other, ahead = (white, black, 1) if turn == 0 else (black, white, -1)
    if any(y == size for _, y in white) or any(y == 1 for _, y in black) or not own:
        return
    for x, y in own:
        for aside in (-1, 0, 1):
            target = (x + aside, y + ahead)
            if not 1 <= target[0] <= size or target in own or (aside == 0 and (x, y) in refused):
                continue
            if aside == 0 and target in other:
                yield white, black, turn, refused | {(x, y)}
                continue
            moved, left = own - {(x, y)} | {target}, other - {target}
            yield (moved, left, 1, frozenset()) if turn == 0 else (left, moved, 0, frozenset())


def model_perft(size: int, depth: int) -> list[int]:
    layer, counts = [model_start(size)], []
    for _ in range(depth):
        layer = [after for position in layer for after in model_moves(position, size)]
        counts.append(len(layer))
    return counts


def test_counts_agree_with_a_plain_model() -> None:
    # Five straight steps and eight diagonal ones; six and ten on the larger board.
    assert perft(GAME, 3) == model_perft(5, 3)
    assert model_perft(5, 2) == [13, 169]
    assert perft(load_game("blind_breakthrough_6"), 2) == model_perft(6, 2) == [16, 256]


@pytest.mark.slow
def test_deeper_counts_agree_with_a_plain_model() -> None:
    assert perft(GAME, 4) == model_perft(5, 4)
    assert perft(load_game("blind_breakthrough_6"), 3) == model_perft(6, 3)


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_of_refusals_and_captures() -> None:
    state = step(GAME.initial(), white="(move 3 2 3 3)")
    assert (seen(state, "white"), seen(state, "black")) == ([], ["your_turn"])
    assert "(move 3 4 3 3)" in legal(state, "black")
    # Straight on: the white piece is in the way. Black tries again, and white hears so.
    state = step(state, black="(move 3 4 3 3)")
    assert (seen(state, "white"), seen(state, "black")) == (["refused"], ["refused"])
    assert legal(state, "white") == ["noop"]
    assert "(move 3 4 3 3)" not in legal(state, "black")
    assert len(legal(state, "black")) == 12
    state = step(state, black="(move 2 4 3 3)")
    assert (seen(state, "white"), seen(state, "black")) == (["your_turn", "(lost 3 3)"], ["captured"])
    assert facts(state, "refused") == []
    assert "(cell 3 3 black)" in facts(state, "cell")
    state = step(state, white="(move 4 2 3 3)")
    assert (seen(state, "white"), seen(state, "black")) == (["captured"], ["your_turn", "(lost 3 3)"])
    assert len(facts(state, "cell")) == 18


def test_several_refusals_in_one_turn() -> None:
    state = GAME.parse_state(
        "((cell 2 2 white) (cell 4 2 white) (cell 2 3 black) (cell 4 3 black) (control white))"
    )
    assert len(legal(state, "white")) == 6
    state = step(state, white="(move 2 2 2 3)")
    state = step(state, white="(move 4 2 4 3)")
    assert facts(state, "refused") == ["(refused 2 2)", "(refused 4 2)"]
    assert legal(state, "white") == [f"(move {x} 2 {x + aside} 3)" for x in (2, 4) for aside in (-1, 1)]


def test_reaching_the_far_row_wins_and_is_announced() -> None:
    state = GAME.parse_state("((cell 1 4 white) (cell 3 3 black) (control white))")
    assert goals(state) == {"white": 50, "black": 50}
    end = step(state, white="(move 1 4 2 5)")
    assert seen(end, "white") == ["(winner white)"]
    assert seen(end, "black") == ["your_turn", "(winner white)"]
    assert end.is_terminal
    assert goals(end) == {"white": 100, "black": 0}
    end = step(
        GAME.parse_state("((cell 1 4 white) (cell 3 2 black) (control black))"), black="(move 3 2 3 1)"
    )
    assert goals(end) == {"white": 0, "black": 100}


def test_capturing_the_last_piece_wins_and_is_announced() -> None:
    state = GAME.parse_state("((cell 2 2 white) (cell 3 3 black) (control white))")
    end = step(state, white="(move 2 2 3 3)")
    assert seen(end, "white") == ["captured", "(winner white)"]
    assert seen(end, "black") == ["your_turn", "(lost 3 3)", "(winner white)"]
    assert end.is_terminal
    assert goals(end) == {"white": 100, "black": 0}


def test_quiet_moves_look_alike_to_the_other() -> None:
    start = GAME.initial()
    histories = {view([start, step(start, white=move)], GAME.role("black")) for move in legal(start, "white")}
    assert len(histories) == 1
