"""Optimised circuits of library sheets, public sheets and random sheets against the reference engine."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from ludorum.arena.records.verify import verify_random
from ludorum.asp.ground import ground_rules
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.load import load_rules
from ludorum.engine.passes import optimise
from ludorum.engine.reference import ReferenceGame
from ludorum.rules.library import find_sheet, library_names
from ludorum.rules.ruleset import Ruleset
from tests.engine.circuit_game import CircuitGame
from tests.how_much import sample, some
from tests.random_games import random_games

LARGE = {"amazons", "amazons_8", "chess"}
"""Sheets that take seconds to ground or to ask; left to the slow tests."""

PUBLIC = [
    "gdl1/ticTacToe",
    "gdl1/connectFour",
    "gdl1/breakthroughSmall",
    "gdl1/eightPuzzle",
    "gdl2/meier__scully",
    "gdl2/montyhall__uwa",
    "gdl2/kriegTTT_4x4__uwa",
]
"""Frame axioms a move at a time, steps that count, what players see."""


def disagreements(rules: Ruleset, states: int) -> object:
    reference = ReferenceGame(rules, "game")
    game = CircuitGame(optimise(build_circuit(ground_rules(rules))), reference)
    report = verify_random(game, reference, states=states, seed=3)
    return report.disagreements[:3] or (not report.agrees and report.stopped)


@pytest.mark.parametrize("name", sample([name for name in library_names() if name not in LARGE], 6))
def test_an_optimised_circuit_answers_as_the_reference_does(name: str) -> None:
    assert not disagreements(load_rules(find_sheet(name), lenient=True), states=6)


@pytest.mark.slow
@pytest.mark.parametrize("name", library_names())
def test_an_optimised_circuit_answers_as_the_reference_does_for_long(name: str) -> None:
    assert not disagreements(load_rules(find_sheet(name), lenient=True), states=40)


@pytest.mark.parametrize("name", sample(PUBLIC, 3))
def test_circuits_of_public_sheets_answer_as_the_reference_does(corpus: Path, name: str) -> None:
    sheet = find_sheet(str(corpus / f"{name}.kif"))
    assert not disagreements(load_rules(sheet, lenient=True), states=6)


@settings(max_examples=some(16, 4))
@given(rules=random_games())
def test_circuits_of_random_sheets_answer_as_the_reference_does(rules: Ruleset) -> None:
    assert not disagreements(rules, states=8)
