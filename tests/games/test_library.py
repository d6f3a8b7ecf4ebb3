"""What every sheet of the library promises: a header, rules without fault, a game that keeps its word."""

import pytest

from ludorum.engine import check_game, load_game
from ludorum.rules.check import check_source
from ludorum.rules.library import find_sheet, library_names, library_sheets
from ludorum.rules.prolog import format_prolog
from ludorum.rules.reader import parse_rules, read_rules
from ludorum.rules.ruleset import format_kif
from ludorum.rules.source import RulesError, Severity
from tests.how_much import sample

NAMES = library_names()

WANTED = """
    tictactoe connect_four breakthrough othello english_draughts chess hex hex_11 amazons amazons_8 gomoku
    nine_mens_morris pentago dots_and_boxes nim blocks buttons maze hodgepodge eight_puzzle peg_solitaire
    knights_tour sokoban lights_out tron rock_paper_scissors iterated_prisoners_dilemma racetrack pacman
    chinese_checkers monty_hall krieg_tictactoe battleships_in_fog blackjack mastermind minesweeper
    number_guessing banker_and_thief transit hidden_connect meier kuhn_poker leduc_poker liars_dice goofspiel
    blind_breakthrough small_dominion
"""


def test_the_library_holds_what_was_promised() -> None:
    assert set(WANTED.split()) <= set(NAMES)
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_headers_are_complete(name: str) -> None:
    sheet = find_sheet(name)
    assert sheet.info.title
    assert sheet.info.rules.count(".") + sheet.info.rules.count(";") >= 2
    ruleset, _ = read_rules(sheet.source)
    assert sheet.info.players == sum(str(role) != "random" for role in ruleset.roles)
    assert sheet.language == ("gdl2" if ruleset.has_hidden_information else "gdl")


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_without_fault(name: str) -> None:
    faults = [fault for fault in check_source(find_sheet(name).source) if fault.severity > Severity.NOTE]
    assert faults == []


@pytest.mark.parametrize("name", NAMES)
def test_rules_survive_both_languages(name: str) -> None:
    ruleset, _ = read_rules(find_sheet(name).source)
    assert parse_rules(format_kif(ruleset), "again.kif") == ruleset
    assert format_prolog(parse_rules(format_prolog(ruleset), "again.pl")) == format_prolog(ruleset)


@pytest.mark.parametrize("name", sample(NAMES, 2))
def test_games_keep_the_promises_of_the_constitution(name: str) -> None:
    assert check_game(load_game(name), plays=1, seed=3, max_steps=4) == []


def test_declared_lengths_bound_every_play() -> None:
    from ludorum.engine import explore

    for name in ("blocks", "buttons", "maze", "hodgepodge", "kuhn_poker", "monty_hall"):
        assert explore(load_game(name)).longest == find_sheet(name).info.length, name


def test_variants_differ_from_their_sheet_in_one_fact() -> None:
    small, large = find_sheet("hex"), find_sheet("hex_11")
    assert small.source.text.replace("(size 9)", "(size 11)") == large.source.text
    assert find_sheet("hex_9").source.text == small.source.text


def test_unknown_variants_are_unknown_games() -> None:
    with pytest.raises(RulesError, match="no game 'hex_12'"):
        find_sheet("hex_12")


def test_sheets_are_listed_once_and_by_name() -> None:
    names = [sheet.name for sheet in library_sheets()]
    assert names == sorted(names)
