"""Transit: steps around the wall, meetings, arrivals, and what the two do not see."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("transit")


def walk(state: State, *ways: str) -> list[State]:
    """The states after steps of the patrol and the courier in turn, beginning with the patrol."""
    match = [state]
    for number, way in enumerate(ways):
        match.append(step(match[-1], **{("patrol", "courier")[number % 2]: f"(go {way})"}))
    return match


def test_counts_of_the_first_five_steps() -> None:
    """Nobody meets so early, so counts are products of the two walks.

    The courier has 4 moves in each of the first squares: 4, 16. The patrol has 4, then 5 + 4 + 4 + 4 = 17
    walks of two steps, then 23 (after going south) + 16 + 16 (east, west) + 17 (after waiting) = 72 of three.
    """
    assert perft(GAME, 5) == [4, 4 * 4, 17 * 4, 17 * 16, 72 * 16]


def test_ways_of_the_two_players() -> None:
    start = GAME.initial()
    assert legal(start, "patrol") == ["(go east)", "(go south)", "(go wait)", "(go west)"]
    assert legal(start, "courier") == ["noop"]
    turn = step(start, patrol="(go wait)")
    assert legal(turn, "patrol") == ["noop"]
    assert legal(turn, "courier") == ["(go north)", "(go northeast)", "(go northwest)", "(go wait)"]


@pytest.mark.parametrize(
    ("x", "y", "ways"),
    [
        (3, 3, ["northeast", "northwest", "wait"]),  # the wall is straight ahead, the gates to its sides
        (1, 3, ["northeast", "wait"]),
        (2, 3, ["north", "wait"]),
        (4, 4, ["north", "northeast", "northwest", "wait"]),  # in the gate
        (5, 5, ["north", "northwest", "wait"]),  # the edge of the ground
    ],
)
def test_walls_and_edges_stop_the_courier(x: int, y: int, ways: list[str]) -> None:
    text = f"((at courier {x} {y}) (at patrol 3 7) (control courier) (step 10))"
    assert legal(GAME.parse_state(text), "courier") == [f"(go {way})" for way in ways]


def test_the_patrol_goes_around_the_wall_too() -> None:
    state = GAME.parse_state("((at courier 3 1) (at patrol 3 5) (control patrol) (step 9))")
    assert legal(state, "patrol") == ["(go east)", "(go north)", "(go wait)", "(go west)"]


@pytest.mark.spec("filtering-gdl2", 3)
def test_an_arrival_is_told_to_the_patrol() -> None:
    ways = ["north", "northwest", "north", "north", "northwest", "north"]
    match = walk(GAME.initial(), *(way for own in ways for way in ("wait", own)))
    assert all(not seen(state, role) for state in match[:-1] for role in ("courier", "patrol"))
    end = match[-1]
    assert facts(end, "at") == ["(at courier 1 7)", "(at patrol 3 7)"]
    assert (seen(end, "courier"), seen(end, "patrol")) == ([], ["arrived"])
    assert end.is_terminal
    assert goals(end) == {"courier": 100, "patrol": 0}


@pytest.mark.spec("filtering-gdl2", 3)
def test_a_meeting_is_seen_by_both_and_is_no_arrival() -> None:
    ways = ["north", "northwest", "north", "northeast", "north", "north"]
    *before, end = walk(GAME.initial(), *(way for own in ways for way in ("wait", own)))
    assert not any(state.is_terminal for state in before)
    assert facts(end, "at") == ["(at courier 3 7)", "(at patrol 3 7)"]
    assert seen(end, "courier") == seen(end, "patrol") == ["caught"]
    assert end.is_terminal
    assert goals(end) == {"courier": 0, "patrol": 100}


def test_the_patrol_catches_by_its_own_step() -> None:
    state = GAME.parse_state("((at courier 2 5) (at patrol 3 5) (control patrol) (step 11))")
    end = step(state, patrol="(go west)")
    assert seen(end, "courier") == seen(end, "patrol") == ["caught"]
    assert goals(end) == {"courier": 0, "patrol": 100}


def test_time_runs_out_after_24_steps() -> None:
    match = walk(GAME.initial(), *["wait"] * 24)
    assert [state.is_terminal for state in match] == [False] * 24 + [True]
    assert goals(match[-1]) == {"courier": 0, "patrol": 100}


def test_unseen_walks_look_alike() -> None:
    """Wherever the patrol walks in its first steps, the courier sees nothing, and the other way round."""
    straight = walk(GAME.initial(), "south", "north", "south", "north", "wait")
    bent = walk(GAME.initial(), "west", "north", "south", "north", "east")
    assert view(straight, GAME.role("courier")) == view(bent, GAME.role("courier"))
    left = walk(GAME.initial(), "south", "northwest", "wait", "northwest", "wait")
    right = walk(GAME.initial(), "south", "northeast", "wait", "wait", "wait")
    assert view(left, GAME.role("patrol")) == view(right, GAME.role("patrol"))
