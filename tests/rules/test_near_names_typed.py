"""Names that a typed one may mean: near, or none."""

from __future__ import annotations

import pytest

from ludorum.rules.library import library_names
from ludorum.rules.near_names import near_words, suggestion


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("conect_four", "connect_four"),
        ("connect-four", "connect_four"),
        ("ConnectFour", "connect_four"),
        ("tictacteo", "tictactoe"),
        ("breaktrough", "breakthrough"),
        ("othelo", "othello"),
        ("chss", "chess"),
    ],
)
def test_a_slip_for_every_four_letters_is_forgiven(typed: str, found: str) -> None:
    assert near_words(typed, library_names())[0] == found


@pytest.mark.parametrize("typed", ["zebra", "x", "ch", "poker_night", "monopoly", "tarot", "heaven", ""])
def test_what_is_not_near_is_not_suggested(typed: str) -> None:
    assert suggestion(typed, ["chess", "tictactoe", "connect_four", "othello", "hex"]) == ""


def test_three_letters_are_the_beginning_of_a_longer_name() -> None:
    assert near_words("conn", ["hex", "connect_four"]) == ["connect_four"]
    assert near_words("co", ["hex", "connect_four"]) == []


def test_the_nearest_comes_first_and_three_are_enough() -> None:
    assert near_words("mats", ["mast", "mat", "mats2", "mcts"]) == ["mast", "mat", "mats2", "mcts"]
    assert suggestion("mats", ["mast", "mat", "mats2", "mcts"]) == "did you mean mast or mat or mats2?"
