"""Claims that hold for every board game of this group: sound rules, random matches that end well."""

import pytest

from ludorum.engine.load import load_game
from ludorum.rules.check import check_source
from ludorum.rules.library import find_sheet
from ludorum.rules.source import Severity
from tests.games.board_play import random_match

NAMES = [
    "amazons",
    "amazons_8",
    "breakthrough",
    "connect_four",
    "dots_and_boxes",
    "english_draughts",
    "gomoku",
    "hex",
    "hex_11",
    "nine_mens_morris",
    "othello",
    "pentago",
    "tictactoe",
]


@pytest.mark.parametrize("name", NAMES)
def test_the_checker_has_nothing_against_the_sheet(name: str) -> None:
    assert [fault for fault in check_source(find_sheet(name).source) if fault.severity > Severity.NOTE] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_random_match_ends_with_one_goal_for_each(name: str) -> None:
    match = random_match(load_game(name), seed=7)
    goals = match[-1].goals()
    assert goals in {(100, 0), (0, 100), (50, 50)}
    length = find_sheet(name).info.length
    assert length is None or len(match) - 1 <= length


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 18))
@pytest.mark.parametrize("name", NAMES)
def test_more_random_matches_end_well(name: str, seed: int) -> None:
    random_match(load_game(name), seed)
