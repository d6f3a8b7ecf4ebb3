"""Battleships in Fog: what each side sees of shots, scans and courses."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step


def placed(setup: str = "(setup 1 1 3 2)") -> State:
    return step(load_game("battleships_in_fog").initial(), random=setup)


def test_two_steps_have_256_and_81920_paths() -> None:
    # 16 squares for each ship. Then the admiral has 16 shots, a scan, and 48 courses over the 16 squares, and
    # the phantom 16 places: 16 * (16 * 17 + 48) * 16.
    assert perft(load_game("battleships_in_fog"), 2) == [256, 16 * (16 * 17 + 48) * 16]


def test_ships_may_be_placed_one_after_the_other_instead() -> None:
    start = load_game("battleships_in_fog_split").initial()
    assert len(legal(start, "random")) == 16
    first = step(start, random="(place admiral 1 1)")
    assert seen(first, "admiral") == ["(berth 1 1)"]
    assert seen(first, "commodore") == []
    assert legal(first, "admiral") == legal(first, "commodore") == ["noop"]
    second = step(first, random="(place commodore 3 2)")
    assert seen(second, "admiral") == []
    assert seen(second, "commodore") == ["(berth 3 2)"]
    # From here on both sheets play the same game.
    assert second.facts() == placed().facts()
    assert legal(second, "admiral") == legal(placed(), "admiral")


def test_each_side_is_told_its_own_berth_only() -> None:
    state = placed()
    assert seen(state, "admiral") == ["(berth 1 1)"]
    assert seen(state, "commodore") == ["(berth 3 2)"]
    assert facts(state, "ship") == ["(ship admiral 1 1)", "(ship commodore 3 2)"]
    assert facts(state, "turn") == ["(turn admiral)"]
    assert legal(state, "commodore") == ["noop"]
    assert len(legal(state, "random")) == 16


def test_a_scan_shows_the_enemy_and_a_phantom() -> None:
    state = step(placed(), random="(phantom 4 4)", admiral="scan")
    assert seen(state, "admiral") == ["(shape 3 2)", "(shape 4 4)"]
    assert seen(state, "commodore") == []
    assert facts(state, "turn") == ["(turn commodore)"]
    state = step(state, random="(phantom 1 1)", commodore="scan")
    assert seen(state, "commodore") == ["(shape 1 1)"]
    assert seen(state, "admiral") == []


def test_a_miss_shows_only_the_gunners_column() -> None:
    state = step(placed(), random="(phantom 4 4)", admiral="(fire 2 3)")
    assert seen(state, "admiral") == []
    assert seen(state, "commodore") == ["(smoke 1)"]
    assert facts(state, "hull") == ["(hull admiral 2)", "(hull commodore 2)"]


def test_a_hit_is_noticed_by_both_and_the_second_sinks() -> None:
    state = step(placed(), random="(phantom 4 4)", admiral="(fire 3 2)")
    assert seen(state, "admiral") == ["(hit commodore)"]
    assert seen(state, "commodore") == ["(hit commodore)", "(smoke 1)"]
    assert facts(state, "hull") == ["(hull admiral 2)", "(hull commodore 1)"]
    assert not state.is_terminal
    state = step(state, random="(phantom 4 4)", commodore="(fire 4 4)")
    assert seen(state, "admiral") == ["(smoke 3)"]
    state = step(state, random="(phantom 2 4)", admiral="(fire 3 2)")
    assert facts(state, "hull") == ["(hull admiral 2)", "(hull commodore 0)"]
    assert state.is_terminal
    assert goals(state) == {"random": 100, "admiral": 100, "commodore": 0}


def test_a_ship_sails_unseen_to_a_square_beside_it() -> None:
    state = placed()
    courses = [move for move in legal(state, "admiral") if move.startswith("(sail")]
    assert courses == ["(sail 1 2)", "(sail 2 1)"]
    state = step(state, random="(phantom 1 1)", admiral="(sail 2 1)")
    assert seen(state, "admiral") == seen(state, "commodore") == []
    assert facts(state, "ship") == ["(ship admiral 2 1)", "(ship commodore 3 2)"]
    courses = [move for move in legal(state, "commodore") if move.startswith("(sail")]
    assert courses == ["(sail 2 2)", "(sail 3 1)", "(sail 3 3)", "(sail 4 2)"]
    # The old square is empty now.
    state = step(state, random="(phantom 1 1)", commodore="(fire 1 1)")
    assert facts(state, "hull") == ["(hull admiral 2)", "(hull commodore 2)"]


@pytest.mark.parametrize(
    ("admiral", "commodore", "expected"),
    [(2, 2, (50, 50)), (1, 1, (50, 50)), (2, 1, (100, 0)), (1, 2, (0, 100))],
)
def test_after_24_turns_the_sounder_ship_wins(
    admiral: int, commodore: int, expected: tuple[int, int]
) -> None:
    hulls = f"(hull admiral {admiral}) (hull commodore {commodore})"
    ships = "(ship admiral 1 1) (ship commodore 4 4)"
    state = load_game("battleships_in_fog").parse_state(f"({hulls} {ships} (turn commodore) (step 23))")
    assert not state.is_terminal
    end = step(state, random="(phantom 2 2)", commodore="scan")
    assert end.is_terminal
    assert (goals(end)["admiral"], goals(end)["commodore"]) == expected
