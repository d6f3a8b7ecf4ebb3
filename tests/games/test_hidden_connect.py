"""Hidden Connect: two boards at once, lines of three, secret aims."""

import pytest

from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.engine.perft import perft
from tests.games.hidden_play import facts, goals, legal, seen, step, view

GAME = load_game("hidden_connect")


def aims(alice: str, bob: str) -> State:
    return step(step(GAME.initial(), random=f"(give alice {alice})"), random=f"(give bob {bob})")


def board_state(cells: str, alice: str = "connect", bob: str = "connect", full: bool = False) -> State:
    """A position with these discs; the columns have room unless the boards are full."""
    room = "" if full else "(free west 4 4) (free east 4 4)"
    return GAME.parse_state(
        f"({cells} {room} (aim_of alice {alice}) (aim_of bob {bob}) (turn alice west) (turn bob east))"
    )


def discs(board: str, owner: str, *places: tuple[int, int]) -> str:
    return " ".join(f"(cell {board} {column} {row} {owner})" for column, row in places)


def test_counts_are_aims_and_columns() -> None:
    assert perft(GAME, 3) == [2, 4, 4 * 16]
    state = step(aims("connect", "concede"), alice="(drop east 1)", bob="(drop west 1)")
    assert len(legal(state, "alice")) == len(legal(state, "bob")) == 4


@pytest.mark.spec("filtering-gdl2", 3)
def test_aims_are_seen_by_their_owner_and_discs_by_the_other() -> None:
    state = step(GAME.initial(), random="(give alice concede)")
    assert (seen(state, "alice"), seen(state, "bob")) == (["(aim concede)"], [])
    state = step(state, random="(give bob connect)")
    assert (seen(state, "alice"), seen(state, "bob")) == ([], ["(aim connect)"])
    # Everybody begins where the other has an aim.
    assert legal(state, "alice") == [f"(drop east {column})" for column in range(1, 5)]
    assert legal(state, "bob") == [f"(drop west {column})" for column in range(1, 5)]
    state = step(state, alice="(drop east 2)", bob="(drop west 3)")
    assert (seen(state, "alice"), seen(state, "bob")) == (
        ["(dropped bob west 3)"],
        ["(dropped alice east 2)"],
    )
    state = step(state, alice="(drop west 3)", bob="(drop east 1)")
    assert facts(state, "cell") == [
        "(cell east 1 1 bob)",
        "(cell east 2 1 alice)",
        "(cell west 3 1 bob)",
        "(cell west 3 2 alice)",
    ]


def test_a_column_of_three_closes_a_board_and_the_other_goes_on() -> None:
    state = aims("connect", "connect")
    # Alice piles up column 1 of the east board when she plays there, Bob answers in column 2.
    for number in range(5):
        if number % 2 == 0:
            state = step(state, alice="(drop east 1)", bob=f"(drop west {number // 2 + 1})")
        else:
            state = step(state, alice=f"(drop west {number // 2 + 1})", bob="(drop east 2)")
    # Bob has a row of three on the west board too: both boards are closed at once.
    assert facts(state, "turn") == ["(turn alice west)", "(turn bob east)"]
    assert state.is_terminal
    # Alice connected on the east board, where Bob's aim was to connect himself; Bob on the west board.
    assert goals(state) == {"alice": 50, "bob": 50, "random": 100}


def test_a_player_waits_while_its_board_is_closed() -> None:
    state = board_state(discs("west", "bob", (1, 1), (2, 1), (3, 1)))
    assert legal(state, "alice") == ["noop"]
    assert legal(state, "bob") == ["(drop east 4)"]
    assert not state.is_terminal


@pytest.mark.parametrize(
    ("places", "closed"),
    [
        (((1, 1), (2, 1), (3, 1)), True),
        (((4, 2), (4, 3), (4, 4)), True),
        (((1, 2), (2, 3), (3, 4)), True),
        (((2, 4), (3, 3), (4, 2)), True),
        (((1, 1), (2, 1), (4, 1)), False),
        (((1, 1), (2, 2), (4, 4)), False),
    ],
)
def test_lines_run_in_rows_columns_and_both_diagonals(
    places: tuple[tuple[int, int], ...], closed: bool
) -> None:
    state = board_state(discs("west", "alice", *places))
    assert (legal(state, "alice") == ["noop"]) == closed


@pytest.mark.parametrize(
    ("alice", "bob", "value"),
    [
        # Alice has a line on the west board (her aim's), Bob has a line on the east board (his aim's).
        ("connect", "connect", 50),
        ("connect", "concede", 100),
        ("concede", "connect", 0),
        ("concede", "concede", 50),
    ],
)
def test_who_alone_reaches_his_aim_wins(alice: str, bob: str, value: int) -> None:
    west = discs("west", "alice", (1, 1), (2, 1), (3, 1))
    east = discs("east", "bob", (1, 1), (1, 2), (1, 3))
    state = board_state(f"{west} {east}", alice, bob)
    assert state.is_terminal
    assert goals(state) == {"alice": value, "bob": 100 - value, "random": 100}


def test_a_board_without_a_line_reaches_nobody_an_aim() -> None:
    state = board_state("", full=True)
    assert state.is_terminal
    assert goals(state) == {"alice": 50, "bob": 50, "random": 100}


def test_the_longest_match_fills_both_boards_in_eighteen_steps() -> None:
    """Columns are filled so that rows read x x o o and o o x x in turn: no three in any line."""
    state, steps = aims("connect", "concede"), 2
    for number, column in enumerate([1, 3, 2, 4, 3, 1, 4, 2] * 2):
        alice, bob = ("east", "west") if number % 2 == 0 else ("west", "east")
        assert not state.is_terminal
        state = step(state, alice=f"(drop {alice} {column})", bob=f"(drop {bob} {column})")
        steps += 1
    assert state.is_terminal
    assert steps == 18
    assert goals(state) == {"alice": 50, "bob": 50, "random": 100}


def test_the_aim_of_the_other_is_never_told() -> None:
    histories = set()
    results = set()
    for aim in ("connect", "concede"):
        match = [GAME.initial(), step(GAME.initial(), random="(give alice connect)")]
        match.append(step(match[-1], random=f"(give bob {aim})"))
        for number in range(5):
            if number % 2 == 0:
                moves = {"alice": "(drop east 1)", "bob": f"(drop west {number // 2 + 1})"}
            else:
                moves = {"alice": f"(drop west {number // 2 + 1})", "bob": "(drop east 2)"}
            match.append(step(match[-1], **moves))
        assert match[-1].is_terminal
        histories.add(view(match, GAME.role("alice")))
        results.add(match[-1].goal(GAME.role("alice")))
    # Alice cannot know her goal: it depends on Bob's aim, and all she saw is the same.
    assert len(histories) == 1
    assert results == {0, 50}
