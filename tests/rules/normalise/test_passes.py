"""What every pass owes: the same answers before and after, on library games and random sheets."""

import pytest
from hypothesis import given, settings

from ludorum.rules.kif import parse_kif
from ludorum.rules.library import find_sheet
from ludorum.rules.normalise import ALL_PASSES, normalise
from ludorum.rules.reader import read_rules
from ludorum.rules.ruleset import Ruleset
from tests.how_much import some
from tests.random_games import random_games
from tests.rules.normalise.same_answers import assert_same_answers
from tests.small_games import CIRCLE, COIN, DOOR

LIBRARY = (
    "tictactoe",
    "connect_four",
    "breakthrough",
    "krieg_tictactoe",
    "english_draughts",
    "sokoban",
    "tron",
)


@pytest.mark.parametrize("name", ALL_PASSES)
@settings(max_examples=some(25, 8))
@given(sheet=random_games())
def test_a_pass_keeps_the_answers_of_random_sheets(name: str, sheet: Ruleset) -> None:
    assert_same_answers(sheet, normalise(sheet, [name]))


@pytest.mark.long
@settings(max_examples=some(40))
@given(sheet=random_games())
def test_all_passes_together_keep_the_answers_of_random_sheets(sheet: Ruleset) -> None:
    assert_same_answers(sheet, normalise(sheet))


@pytest.mark.parametrize("name", LIBRARY)
def test_all_passes_together_keep_the_answers_of_library_games(name: str) -> None:
    rules, _ = read_rules(find_sheet(name).source)
    assert_same_answers(rules, normalise(rules), steps=3)


@pytest.mark.parametrize("text", [DOOR, COIN, CIRCLE])
def test_all_passes_together_keep_the_answers_of_small_games(text: str) -> None:
    rules = parse_kif(text)
    assert_same_answers(rules, normalise(rules))
