"""Dots and Boxes: lines, finished boxes, further turns, and counts by hand."""

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.board_play import moves, play

LINES = [f"horizontal {x} {y}" for x in (1, 2, 3) for y in (1, 2, 3, 4)]
LINES += [f"vertical {x} {y}" for x in (1, 2, 3, 4) for y in (1, 2, 3)]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("dots_and_boxes")


def draw(*lines: str) -> list[str]:
    return [f"(draw {line})" for line in lines]


def owners(state: State) -> set[str]:
    return {str(fact) for fact in state.facts() if fact.name == "owner"}


def position(game: Game, missing: list[str], first: str, second: str, mover: str) -> State:
    """All lines but some drawn; boxes by player as ``11 12``."""
    lines = " ".join(f"(drawn {line})" for line in LINES if line not in missing)
    boxes = " ".join(
        f"(owner {box[0]} {box[1]} {player})"
        for player, owned in (("first", first), ("second", second))
        for box in owned.split()
    )
    return game.parse_state(f"({lines} {boxes} (control {mover}))")


def test_perft(game: Game) -> None:
    assert perft(game, 3) == [24, 24 * 23, 24 * 23 * 22]


def test_there_are_twenty_four_lines(game: Game) -> None:
    assert set(moves(game.initial())) == set(draw(*LINES))


def test_turns_alternate_and_a_finished_box_gives_another(game: Game) -> None:
    state = play(game.initial(), *draw("horizontal 1 1", "vertical 1 1", "vertical 2 1"))
    assert "(control second)" in str(state)
    assert owners(state) == set()
    state = play(state, *draw("horizontal 1 2"))
    assert owners(state) == {"(owner 1 1 second)"}
    assert "(control second)" in str(state)
    state = play(state, *draw("horizontal 3 4"))
    assert "(control first)" in str(state)


def test_one_line_can_finish_two_boxes(game: Game) -> None:
    around = draw(
        "horizontal 2 2", "horizontal 3 2", "horizontal 2 3", "horizontal 3 3", "vertical 2 2", "vertical 4 2"
    )
    state = play(game.initial(), *around)
    assert owners(state) == set()
    state = play(state, *draw("vertical 3 2"))
    assert owners(state) == {"(owner 2 2 first)", "(owner 3 2 first)"}
    assert "(control first)" in str(state)


@pytest.mark.parametrize(("mover", "goals"), [("first", (100, 0)), ("second", (0, 100))])
def test_the_ninth_box_decides_at_four_all(game: Game, mover: str, goals: tuple[int, int]) -> None:
    state = position(game, ["vertical 4 3"], "11 21 31 12", "22 32 13 23", mover)
    assert not state.is_terminal
    assert state.goals() == (50, 50)
    state = play(state, *draw("vertical 4 3"))
    assert state.is_terminal
    assert state.goals() == goals


def test_the_end_comes_only_with_the_last_line(game: Game) -> None:
    state = position(game, ["horizontal 1 4", "vertical 1 3"], "11 21 31 12 22 32", "23 33", "second")
    assert not state.is_terminal
    assert state.goals() == (100, 0)
    state = play(state, *draw("vertical 1 3", "horizontal 1 4"))
    assert owners(state) >= {"(owner 1 3 first)"}, "second opened the box, first closed it"
    assert state.is_terminal
    assert state.goals() == (100, 0)


def test_one_player_can_own_all(game: Game) -> None:
    state = position(game, [], "", "11 21 31 12 22 32 13 23 33", "second")
    assert state.is_terminal
    assert state.goals() == (0, 100)
