"""Moves of WDL games as people read them, and what was drawn in them."""

from __future__ import annotations

from functools import cache
from itertools import islice

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.scene import Dice, StepLines, Watcher, scene_of
from ludorum.scene.game_look import GameLook, look_of_game
from ludorum.scene.model import FactGroup


@cache
def look_of(name: str) -> GameLook:
    return look_of_game(load_game(name))


@pytest.mark.parametrize(("game", "move", "shown"), [
    ("pig", "(roll boardgames:dicing:dice)", "roll a die"),
    ("pig", "(roll 6)", "roll 6"),
    ("pig", "(draw red boardgames:dicing:dice 6 1)", "red dice 6"),
    ("black_jack", "(get (visible bank getcard))", "get a card"),
    ("black_jack", "(get cards:carddeck:ha)", "get A♥"),
    ("black_jack", "get", "get a card"),
    ("forecast", "(deal bob (visible bob pack))", "deal bob a card"),
    pytest.param("five_dice", "(roll_two first keep)", "roll two first keep", marks=pytest.mark.long),
    ("black_jack", "(draw player getcard cards:carddeck:ha 1)", "player getcard A♥"),
    ("backgammon", "(move 24 5)", "24 to 19"),
    ("backgammon", "(move 25 5)", "bar to 20"),
    ("backgammon", "(move 3 5)", "3 off"),
])  # fmt: skip
def test_moves_are_written_as_people_say_them(game: str, move: str, shown: str) -> None:
    assert look_of(game).words.label(parse_term(move)) == shown


@pytest.mark.long
def test_lines_tell_what_was_drawn_and_leave_waiting_out() -> None:
    states = list(islice(load_game("pig").playout(5), 6))
    game = states[0].game
    for role in (*game.info.players, None):
        for is_over in (False, True):
            lines = StepLines(game, role).lines(states, is_over)
            assert [line.words for line in lines] == [
                "red roll 6", "red roll 4", "red hold", "blue roll 5", "blue roll 5",
            ]  # fmt: skip


@pytest.mark.long
def test_a_card_of_another_has_no_face_in_the_lines() -> None:
    states = list(islice(load_game("black_jack").playout(3), 5))
    game = states[0].game
    of_bank = [line.words for line in StepLines(game, game.role("bank")).lines(states, False)]
    assert of_bank == ["bank get 3♣", "player get a card", "bank get 2♣", "player get a card"]
    of_player = [line.words for line in StepLines(game, game.role("player")).lines(states, False)]
    assert of_player == ["bank get a card", "player get A♣", "bank get a card", "player get K♠"]


@pytest.mark.long
def test_dice_of_the_last_step_lie_there_where_no_fact_keeps_them() -> None:
    states = list(islice(load_game("pig").playout(5), 3))
    game = states[0].game
    for role in game.info.players:
        facts = scene_of(game, Watcher(game, role).sight(states)).facts
        assert FactGroup("rolled", ("red 4",), dice=(Dice("red", (4,)),)) in facts


@pytest.mark.long
def test_a_hand_of_which_only_the_owner_knows_the_size_has_no_number() -> None:
    states = list(islice(load_game("black_jack").playout(3), 5))
    game = states[0].game
    table = scene_of(game, Watcher(game, game.role("bank")).sight(states)).cards
    assert table is not None
    assert [(hand.role, hand.hand.count, hand.hand.cards is None) for hand in table.hands] == [
        ("bank", 2, False),
        ("player", None, True),
    ]
    scene = scene_of(game, Watcher(game, game.role("bank")).sight(states))
    assert "Player: cards that you do not see." in scene.spoken
