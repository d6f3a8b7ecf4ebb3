"""The games of the ASP planning study: blocks, buttons, maze, hodgepodge; and its table of state counts."""

from collections import Counter

import pytest

from ludorum.engine.check_game import check_game
from ludorum.engine.game import Game, State, parse_move
from ludorum.engine.load import load_game
from ludorum.engine.perft import explore

GAMES = ["blocks", "buttons", "maze", "hodgepodge"]


def play(game: Game, *steps: str) -> State:
    """The state after some joint moves, each written as its moves with ``|`` between roles."""
    state = game.initial()
    for text in steps:
        state = state.play([parse_move(move) for move in text.split("|")])
    return state


def shortest_plans(game: Game, role: str) -> tuple[int, int] | None:
    """Length and number of the shortest sequences of joint moves that give the role 100, breadth first."""
    player = game.role(role)
    layer: Counter[State] = Counter({game.initial(): 1})
    length = 0
    while layer:
        won = sum(ways for state, ways in layer.items() if state.is_terminal and state.goal(player) == 100)
        if won:
            return length, won
        following: Counter[State] = Counter()
        for state, ways in layer.items():
            for joint in state.joint_moves():
                following[state.play(joint)] += ways
        layer = following
        length += 1
    return None


@pytest.mark.long
@pytest.mark.spec("asp-player", 21)
@pytest.mark.parametrize(
    ("name", "states", "terminal", "longest"),
    [
        ("blocks", 16, 7, 3),
        ("buttons", 32, 8, 6),
        ("maze", 42, 10, 9),
        ("tictactoe", 5478, 958, 9),
        ("hodgepodge", 23, 14, 3),
    ],
)
def test_reachable_and_terminal_states_are_as_published(
    name: str, states: int, terminal: int, longest: int
) -> None:
    found = explore(load_game(name))
    assert (found.states, found.terminal, found.stuck, found.longest) == (states, terminal, 0, longest)


@pytest.mark.parametrize(
    ("name", "role", "length", "plans"),
    [
        ("blocks", "robot", 3, 1),
        ("buttons", "white", 6, 2),
        ("maze", "robot", 6, 1),
        ("hodgepodge", "blocksplayer", 3, 2),
    ],
)
def test_shortest_winning_plans_have_the_published_length_and_number(
    name: str, role: str, length: int, plans: int
) -> None:
    assert shortest_plans(load_game(name), role) == (length, plans)


def test_the_maze_player_of_hodgepodge_can_never_win() -> None:
    assert shortest_plans(load_game("hodgepodge"), "mazeplayer") is None


@pytest.mark.parametrize("name", GAMES)
def test_random_play_keeps_every_promise(name: str) -> None:
    assert check_game(load_game(name), plays=5) == []


def test_blocks_begin_with_c_on_a() -> None:
    start = load_game("blocks").initial()
    assert str(start) == "((clear b) (clear c) (on c a) (step 1) (table a) (table b))"
    assert [str(move) for move in start.legal(start.game.roles[0])] == ["(s b c)", "(u c a)"]


def test_blocks_the_one_plan_builds_the_tower() -> None:
    end = play(load_game("blocks"), "(u c a)", "(s b c)", "(s a b)")
    assert str(end) == "((clear a) (on a b) (on b c) (step 4) (table c))"
    assert end.is_terminal
    assert end.goals() == (100,)


def test_blocks_unstacking_frees_the_block_below_and_stacking_covers_it() -> None:
    game = load_game("blocks")
    freed = play(game, "(u c a)")
    assert str(freed) == "((clear a) (clear b) (clear c) (step 2) (table a) (table b) (table c))"
    assert len(freed.legal(game.roles[0])) == 6  # any block onto any other
    assert str(play(game, "(s b c)")) == "((clear b) (on b c) (on c a) (step 2) (table a))"


def test_blocks_time_runs_out_after_three_moves() -> None:
    end = play(load_game("blocks"), "(s b c)", "(u b c)", "(s b c)")
    assert end.is_terminal
    assert end.goals() == (0,)


@pytest.mark.parametrize("plan", ["abacba", "abcaba"])
def test_buttons_both_plans_light_all_lamps(plan: str) -> None:
    end = play(load_game("buttons"), *plan)
    assert str(end) == "((on p) (on q) (on r) (step 7))"
    assert end.is_terminal
    assert end.goals() == (100,)


@pytest.mark.parametrize(
    ("lamps", "button", "expected"),
    [
        ("((on p) (off q) (on r) (step 2))", "a", "((off p) (off q) (on r) (step 3))"),
        ("((off p) (on q) (off r) (step 2))", "a", "((on p) (on q) (off r) (step 3))"),
        ("((on p) (off q) (on r) (step 2))", "b", "((off p) (on q) (on r) (step 3))"),
        ("((off p) (off q) (on r) (step 2))", "c", "((off p) (off r) (on q) (step 3))"),
    ],
)
def test_buttons_do_what_they_say(lamps: str, button: str, expected: str) -> None:
    game = load_game("buttons")
    after = game.parse_state(lamps).play([parse_move(button)])
    assert after == game.parse_state(expected)


def test_buttons_a_lit_panel_ends_the_game_early() -> None:
    game = load_game("buttons")
    lit = game.parse_state("((off p) (on q) (on r) (step 3))").play([parse_move("a")])
    assert lit.is_terminal
    assert lit.goals() == (100,)


def test_maze_the_one_plan_brings_the_gold_home() -> None:
    game = load_game("maze")
    plan = ["move", "move", "grab", "move", "move", "drop"]
    assert str(play(game, *plan[:5])) == "((cell a) (gold i) (step 6))"
    end = play(game, *plan)
    assert str(end) == "((cell a) (gold a) (step 7))"
    assert end.is_terminal
    assert end.goals() == (100,)


def test_maze_moves_are_legal_where_they_make_sense() -> None:
    game = load_game("maze")
    robot = game.roles[0]

    def legal(text: str) -> list[str]:
        return [str(move) for move in game.parse_state(text).legal(robot)]

    assert legal("((cell a) (gold c) (step 1))") == ["move"]
    assert legal("((cell c) (gold c) (step 3))") == ["grab", "move"]
    assert legal("((cell d) (gold i) (step 5))") == ["drop", "move"]


def test_maze_time_runs_out_after_nine_moves() -> None:
    end = play(load_game("maze"), *["move"] * 9)
    assert str(end) == "((cell b) (gold c) (step 10))"
    assert end.is_terminal
    assert end.goals() == (0,)


def test_hodgepodge_the_tower_wins_while_the_gold_is_on_its_way() -> None:
    end = play(load_game("hodgepodge"), "(u c a)|move", "(s b c)|move", "(s a b)|grab")
    assert str(end) == "((cell c) (clear a) (gold i) (on a b) (on b c) (step 4) (table c))"
    assert end.is_terminal
    assert end.goals() == (100, 0)


def test_hodgepodge_ends_after_three_moves_in_any_case() -> None:
    end = play(load_game("hodgepodge"), "(s b c)|move", "(u b c)|move", "(s b c)|move")
    assert end.is_terminal
    assert end.goals() == (0, 0)
