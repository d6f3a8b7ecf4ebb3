"""Visible Pacman: a maze, lines of sight, crunches and echoes; percepts that depend on `next` and `legal`."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("vis_pacman")
PERCEIVERS = ("pacman", "blinky", "inky")


def run(*steps: str) -> list[State]:
    """The states after steps: `way` for Pacman and `way way` for the ghosts, in turn."""
    match = [GAME.initial()]
    for ways in steps:
        names = ("pacman",) if " " not in ways else ("blinky", "inky")
        moves = {name: f"(go {way})" for name, way in zip(names, ways.split(), strict=True)}
        match.append(step(match[-1], **moves))
    return match


def all_seen(state: State) -> dict[str, list[str]]:
    return {name: seen(state, name) for name in PERCEIVERS}


def test_counts_of_the_first_five_steps() -> None:
    """Nobody meets so early: Pacman has 3, then 2 + 2 + 2, then 5 + 5 + 7 walks, each ghost 2 and 4."""
    assert perft(GAME, 5) == [3, 3 * 4, 6 * 4, 6 * 16, 17 * 16]


@pytest.mark.parametrize(
    ("x", "y", "ways"),
    [
        (1, 1, ["east", "north"]),
        (3, 3, ["east", "north", "south", "west"]),
        (2, 3, ["east", "west"]),  # a corridor between pillars
        (5, 3, ["north", "south", "west"]),
    ],
)
def test_ways_follow_the_corridors(x: int, y: int, ways: list[str]) -> None:
    text = f"((at pacman {x} {y}) (at blinky 1 5) (at inky 5 5) (control pacman) (eaten 0) (step 1))"
    state = GAME.parse_state(text)
    assert legal(state, "pacman") == [f"(go {way})" for way in ways]
    assert legal(state, "blinky") == legal(state, "inky") == ["noop"]


@pytest.mark.spec("filtering-gdl2", 3)
def test_percepts_of_a_chase() -> None:
    match = run("north", "east west", "north", "east east", "north", "south west")
    ghosts_apart = {"blinky": ["(spots inky 4 5)"], "inky": ["(spots blinky 2 5)"]}
    # 1: Pacman leaves the junction (3,1); the ghosts see each other along the top row.
    assert all_seen(match[1]) == {
        "pacman": [],
        "blinky": ["echo", "(spots inky 5 5)"],
        "inky": ["echo", "(spots blinky 1 5)"],
    }
    # 2: the ghosts close in, above pillars; Pacman in the corridor (3,2) sees only its column.
    assert all_seen(match[2]) == {"pacman": [], **ghosts_apart}
    # 3: a corridor is no junction, but the pellet at (3,3) is heard.
    assert all_seen(match[3]) == {
        "pacman": [],
        "blinky": ["crunch", "(spots inky 4 5)"],
        "inky": ["crunch", "(spots blinky 2 5)"],
    }
    # 4: Blinky reaches (3,5) and looks down the middle column.
    assert all_seen(match[4]) == {
        "pacman": ["(spots blinky 3 5)"],
        "blinky": ["(spots inky 5 5)", "(spots pacman 3 3)"],
        "inky": ["(spots blinky 3 5)"],
    }
    # 5: Pacman leaves the junction (3,3) towards Blinky.
    assert all_seen(match[5]) == {
        "pacman": ["(spots blinky 3 5)"],
        "blinky": ["echo", "(spots inky 5 5)", "(spots pacman 3 4)"],
        "inky": ["echo", "(spots blinky 3 5)"],
    }
    # 6: Blinky catches it, out of Inky's sight.
    assert all_seen(match[6]) == {
        "pacman": ["(spots blinky 3 4)"],
        "blinky": ["(spots pacman 3 4)"],
        "inky": [],
    }
    assert match[6].is_terminal
    assert goals(match[6]) == {"pacman": 10, "blinky": 100, "inky": 0}


def test_a_ghost_may_not_know_that_the_other_has_caught_pacman() -> None:
    start = ("north", "east west", "north", "east east")
    caught = run(*start, "north", "south west")
    fled = run(*start, "south", "south west")
    inky = GAME.role("inky")
    assert view(caught, inky) == view(fled, inky)
    assert caught[-1].is_terminal
    assert not fled[-1].is_terminal
    assert caught[-1].goal(inky) == fled[-1].goal(inky) == 0


def test_pillars_block_the_view() -> None:
    text = "((at pacman 1 2) (at blinky 3 2) (at inky 5 1) (control pacman) (eaten 0) (step 5))"
    state = step(GAME.parse_state(text), pacman="(go north)")
    # From (1,3) the row is open, but nobody stands in it; (3,2) and (5,1) are out of sight.
    assert all_seen(state) == {"pacman": [], "blinky": [], "inky": []}
    state = step(state, blinky="(go north)", inky="(go north)")
    assert all_seen(state) == {
        "pacman": ["(spots blinky 3 3)"],
        "blinky": ["(spots pacman 1 3)"],
        "inky": [],
    }


def test_pacman_running_into_a_ghost_is_caught_too() -> None:
    text = "((at pacman 3 3) (at blinky 3 4) (at inky 1 1) (control pacman) (eaten 4) (step 9))"
    end = step(GAME.parse_state(text), pacman="(go north)")
    assert end.is_terminal
    assert goals(end) == {"pacman": 40, "blinky": 100, "inky": 0}


def test_both_ghosts_may_catch_pacman_at_once() -> None:
    text = "((at pacman 3 3) (at blinky 3 4) (at inky 2 3) (control ghosts) (eaten 2) (step 9))"
    end = step(GAME.parse_state(text), blinky="(go south)", inky="(go east)")
    assert goals(end) == {"pacman": 20, "blinky": 100, "inky": 100}


def test_the_tenth_pellet_ends_the_game() -> None:
    text = "((at pacman 3 4) (at blinky 1 1) (at inky 1 1) (control pacman) (pellet 3 5) (eaten 9) (step 30))"
    end = step(GAME.parse_state(text), pacman="(go north)")
    assert end.is_terminal
    assert facts(end, "pellet") == []
    assert goals(end) == {"pacman": 100, "blinky": 0, "inky": 0}


def test_forty_steps_end_the_game() -> None:
    text = "((at pacman 1 1) (at blinky 5 5) (at inky 5 5) (control ghosts) (eaten 1) (step 40))"
    state = GAME.parse_state(text)
    assert not state.is_terminal
    end = step(state, blinky="(go west)", inky="(go south)")
    assert end.is_terminal
    assert goals(end) == {"pacman": 10, "blinky": 0, "inky": 0}
    assert len(facts(GAME.initial(), "pellet")) == 10
