"""Moves of WDL games as people read them."""

from __future__ import annotations

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.kif import parse_term
from ludorum.scene.move_words import MoveWords


@pytest.mark.parametrize(("game", "move", "shown"), [
    ("pig", "(roll boardgames:dicing:dice)", "roll dice"),
    ("pig", "(draws (draw red boardgames:dicing:dice 6 1) none)", "red dice 6"),
    ("pig", "(draws none none)", "nothing"),
    ("black_jack", "(get (visible bank getcard))", "get getcard"),
    ("black_jack", "(draws none (draw player getcard cards:carddeck:ha 1))", "player getcard ha"),
    ("backgammon", "(move 24 5)", "move 24 5"),
])  # fmt: skip
def test_modules_and_marks_are_left_out_of_what_people_read(game: str, move: str, shown: str) -> None:
    words = MoveWords(load_game(game), None)
    assert words.label(parse_term(move)) == shown
