"""Minesweeper: fields laid by hand, every number counted around its square."""

from itertools import product

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from tests.games.hidden_play import facts, goals, legal, seen, step

FIELD = list(product(range(1, 5), repeat=2))
MINES = [(1, 2), (2, 2), (4, 4)]


def laid(mines: list[tuple[int, int]]) -> State:
    state = load_game("minesweeper").initial()
    for x, y in mines:
        state = step(state, random=f"(lay {x} {y})")
    return state


def uncover(state: State, x: int, y: int) -> State:
    return step(state, player=f"(uncover {x} {y})")


def around(x: int, y: int) -> int:
    return sum(max(abs(x - u), abs(y - v)) == 1 for u, v in MINES)


def test_three_mines_are_laid_unseen_on_different_squares() -> None:
    state = load_game("minesweeper").initial()
    for left, (x, y) in zip((16, 15, 14), MINES, strict=True):
        assert len(legal(state, "random")) == left
        assert legal(state, "player") == ["noop"]
        state = step(state, random=f"(lay {x} {y})")
        assert seen(state, "player") == []
    assert legal(state, "random") == ["noop"]
    assert len(legal(state, "player")) == 16
    assert facts(state, "mine") == ["(mine 1 2)", "(mine 2 2)", "(mine 4 4)"]


def test_a_safe_square_shows_how_many_mines_lie_around_it() -> None:
    expected = {(1, 1): 2, (1, 3): 2, (3, 3): 2, (2, 4): 0, (3, 1): 1, (4, 1): 0, (4, 3): 1, (1, 4): 0}
    state = laid(MINES)
    for (x, y), mines in expected.items():
        assert around(x, y) == mines
        state = uncover(state, x, y)
        assert seen(state, "player") == [f"(mines_around {x} {y} {mines})"]
        assert f"(uncover {x} {y})" not in legal(state, "player")


def test_three_mines_around_a_corner_are_counted() -> None:
    state = uncover(laid([(1, 2), (2, 1), (2, 2)]), 1, 1)
    assert seen(state, "player") == ["(mines_around 1 1 3)"]


def test_uncovering_a_mine_ends_the_game() -> None:
    state = uncover(laid(MINES), 2, 2)
    assert seen(state, "player") == ["boom"]
    assert state.is_terminal
    assert goals(state) == {"random": 100, "player": 0}


def test_uncovering_all_safe_squares_wins() -> None:
    state = laid(MINES)
    *safe, last = [square for square in FIELD if square not in MINES]
    for x, y in safe:
        state = uncover(state, x, y)
        assert seen(state, "player") == [f"(mines_around {x} {y} {around(x, y)})"]
        assert not state.is_terminal
        assert goals(state)["player"] == 0
    won = uncover(state, *last)
    assert won.is_terminal
    assert goals(won)["player"] == 100
    lost = uncover(state, 4, 4)
    assert lost.is_terminal
    assert goals(lost)["player"] == 0
