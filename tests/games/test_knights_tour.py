"""Knight's Tour on both boards, against paths counted without the rules."""

from collections.abc import Iterator
from itertools import product

import pytest

from ludorum.engine.check_game import check_game
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.single_player import Square, play

TOUR_5 = "11 23 35 54 42 21 33 14 22 41 53 45 24 12 31 52 44 25 13 32 51 43 55 34 15"


def jumps(square: Square, size: int) -> list[Square]:
    found = product(range(1, size + 1), repeat=2)
    return [(x, y) for x, y in found if {abs(x - square[0]), abs(y - square[1])} == {1, 2}]


def paths(path: list[Square], size: int, length: int) -> Iterator[list[Square]]:
    """The ways of a knight that starts as told and enters ``length`` squares, none of them twice."""
    if len(path) == length:
        yield path
        return
    for square in jumps(path[-1], size):
        if square not in path:
            yield from paths([*path, square], size, length)


@pytest.mark.parametrize("name", ["knights_tour", "knights_tour_6"])
def test_random_play_keeps_every_promise(name: str) -> None:
    assert check_game(load_game(name), plays=1, seed=3) == []


@pytest.mark.parametrize(("name", "size"), [("knights_tour", 5), ("knights_tour_6", 6)])
def test_knights_tour_has_as_many_paths_as_the_oracle_counts(name: str, size: int) -> None:
    expected = [sum(1 for _ in paths([(1, 1)], size, length)) for length in range(2, 7)]
    assert expected[0] == 2
    assert perft(load_game(name), 5) == expected


def test_knights_tour_a_tour_of_all_squares_wins() -> None:
    tour = TOUR_5.split()
    assert len(set(tour)) == 25
    state = load_game("knights_tour").initial()
    for square in tour[1:]:
        assert not state.is_terminal
        assert state.goals() == (0,)
        state = play(state, f"(move {square[0]} {square[1]})")
    assert state.is_terminal
    assert state.goals() == (100,)


def test_knights_tour_on_six_by_six_is_won_by_going_where_least_is_free() -> None:
    def free(square: Square) -> int:
        return sum(other not in tour for other in jumps(square, 6))

    state = load_game("knights_tour_6").initial()
    tour = [(1, 1)]
    while not state.is_terminal:
        tour.append(min((square for square in jumps(tour[-1], 6) if square not in tour), key=free))
        state = play(state, f"(move {tour[-1][0]} {tour[-1][1]})")
    assert len(tour) == 36
    assert state.goals() == (100,)


def test_knights_tour_a_knight_without_a_move_has_lost() -> None:
    # In the corner with both ways out visited.
    state = load_game("knights_tour").parse_state("((knight 5 5) (visited 5 5) (visited 3 4) (visited 4 3))")
    assert state.is_terminal
    assert state.goals() == (0,)


@pytest.mark.slow
def test_there_are_304_tours_of_the_small_board_from_the_corner() -> None:
    # Published: 304 directed tours begin in each corner of the board of five by five.
    tours = list(paths([(1, 1)], 5, 25))
    assert len(tours) == 304
    game = load_game("knights_tour")
    for tour in tours[::38]:
        end = play(game.initial(), *(f"(move {x} {y})" for x, y in tour[1:]))
        assert end.goals() == (100,)
