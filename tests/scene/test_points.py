"""Boards of points: found in the rules without names, and seen from each side."""

from __future__ import annotations

import re
from itertools import islice

import pytest

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game, make_game
from ludorum.rules.kif import parse_term
from ludorum.rules.library import Sheet, find_sheet, read_header
from ludorum.rules.source import Source
from ludorum.rules.terms import Term
from ludorum.scene import Dice, Watcher, asked, choices_of, scene_of
from ludorum.scene.game_look import look_of_game


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("backgammon")


def after(game: Game, steps: int) -> list[State]:
    return list(islice(game.playout(5), steps + 1))


def men_at(game: Game, role: str, states: list[State]) -> dict[str, tuple[int, str]]:
    """How many men of whom each place shows to a role, by the place's name."""
    board = scene_of(game, Watcher(game, game.role(role)).sight(states)).board
    assert board is not None
    return {board.names[at]: (len(men), board.contents[men[0]].words) for at, men in board.cells.items()}


def test_each_side_sees_its_own_points(game: Game) -> None:
    start = after(game, 0)
    own = {"24": (2, "black"), "13": (5, "black"), "8": (3, "black"), "6": (5, "black")}
    others = {"1": (2, "white"), "12": (5, "white"), "17": (3, "white"), "19": (5, "white")}
    assert men_at(game, "black", start) == own | others
    turned = {"black": "white", "white": "black"}
    assert men_at(game, "white", start) == {
        place: (count, turned[who]) for place, (count, who) in (own | others).items()
    }


def test_men_wait_on_the_bar_and_are_borne_off(game: Game) -> None:
    facts = {"(men black 25 1)", "(men black 0 14)", "(men white 25 2)", "(men white 0 13)"}
    state = game.state(map(parse_term, facts))
    assert men_at(game, "black", [state]) == {
        "bar": (1, "black"),
        "off": (14, "black"),
        "bar of white": (2, "white"),
        "off of white": (13, "white"),
    }


def test_a_move_names_where_a_man_is_and_where_it_goes(game: Game) -> None:
    points = look_of_game(game).points
    assert points is not None
    black, white = game.info.players
    names = scene_of(game, Watcher(game, black).sight(after(game, 0))).board.names  # type: ignore[union-attr]

    def clicked(move: str, role: Term) -> list[str]:
        return [names[at] for at in points.places(parse_term(move), role, black)]

    assert clicked("(move 13 4)", black) == ["13", "9"]
    assert clicked("(move 13 4)", white) == ["12", "16"]
    assert clicked("(move 25 4)", black) == ["bar", "21"]
    assert clicked("(move 2 6)", black) == ["2", "off"]
    assert clicked("(move 2 6)", white) == ["23", "off of white"]
    assert clicked("pass", black) == []


def test_the_last_move_is_marked_for_both(game: Game) -> None:
    states = after(game, 5)  # white has gone from 8 to 3
    for role, names in (("white", ["8", "3"]), ("black", ["17", "22"])):
        board = scene_of(game, Watcher(game, game.role(role)).sight(states)).board
        assert board is not None
        assert [board.names[at] for at in board.last] == names


def test_the_first_position_of_a_match_that_is_over_has_no_last_move(game: Game) -> None:
    board = scene_of(game, Watcher(game, None).sight(after(game, 0), is_over=True)).board
    assert board is not None
    assert board.last == ()


def test_dice_that_are_left_lie_on_the_table(game: Game) -> None:
    scene = scene_of(game, Watcher(game, game.role("white")).sight(after(game, 3)))
    (left,) = [group for group in scene.facts if group.name == "left"]
    assert left.dice == (Dice("", (4,)), Dice("", (5,)))
    double = game.state([*after(game, 3)[-1].facts(), parse_term("(left 6 4)")])
    (left,) = [
        group for group in scene_of(game, Watcher(game, None).sight([double])).facts if group.name == "left"
    ]
    assert Dice("", (6, 6, 6, 6)) in left.dice


def test_all_moves_are_made_by_clicks(game: Game) -> None:
    states = after(game, 3)
    white = game.role("white")
    choices = choices_of(game, states[-1], white, Watcher(game, white).sight(states))
    assert choices
    assert all(len(choice.places) == 2 for choice in choices)
    assert asked(game, states[-1], white) == "Move a piece."


def test_nothing_is_known_of_names() -> None:
    text = re.sub(r"\b(men|move|left|across|black|white)\b", r"q\1", find_sheet("backgammon").source.text)
    look = look_of_game(make_game(Sheet("other", "wdl", Source("other", text), read_header(text))))
    assert look.points is not None
    assert look.points.points == tuple(range(1, 25))
    assert look.words.label(parse_term("(qmove 24 5)")) == "24 to 19"
    assert look.dice.facts == {("qleft", 2): 0, ("rolled", 1): 0}


@pytest.mark.long
@pytest.mark.parametrize("name", ["pig", "nim", "tictactoe", "black_jack"])
def test_other_games_have_none(name: str) -> None:
    assert look_of_game(load_game(name)).points is None
