"""Claims that hold for every board game of this group: sound rules, random matches that end well."""

import pytest

from ludorum.engine.load import load_game, load_rules
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.check import check_source
from ludorum.rules.library import find_sheet
from ludorum.rules.source import Severity
from tests.games.board_play import random_match
from tests.how_much import sample

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


@pytest.mark.long
@pytest.mark.parametrize("name", sample(NAMES, 4))
def test_a_random_match_ends_with_one_goal_for_each_and_meets_only_known_terms(name: str) -> None:
    game = ReferenceGame(load_rules(find_sheet(name)), name)
    match = random_match(game, seed=7)
    assert match[-1].goals() in {(100, 0), (0, 100), (50, 50)}
    length = find_sheet(name).info.length
    assert length is None or len(match) - 1 <= length
    fluents = {row[0] for row in game.ask([("base", 1)])["base", 1]}
    assert all(state.facts() <= fluents for state in match)
    if not name.startswith("amazons"):  # it has too many inputs for this
        inputs = set(game.ask([("input", 2)])["input", 2])
        assert all(
            (role, move) in inputs for state in match for role in game.roles for move in state.legal(role)
        )


@pytest.mark.slow
def test_inputs_of_amazons_are_all_moves_that_come_up() -> None:
    game = ReferenceGame(load_rules(find_sheet("amazons_8")), "amazons_8")
    inputs = set(game.ask([("input", 2)])["input", 2])
    for state in random_match(game, seed=7):
        assert all((role, move) in inputs for role in game.roles for move in state.legal(role))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 18))
@pytest.mark.parametrize("name", NAMES)
def test_more_random_matches_end_well(name: str, seed: int) -> None:
    random_match(load_game(name), seed)
