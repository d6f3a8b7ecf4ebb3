"""Plans by the clingo program and by its library are the same plans."""

from __future__ import annotations

import sys

import pytest

from ludorum.engine import load_game
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.command_line import ProgramError, ProgramPlanner, clingo_command
from ludorum.solve.planner import Planner
from tests.how_much import sample

from ..small_games import DOOR

ENOUGH = Budget(seconds=300)


@pytest.fixture(scope="module", autouse=True)
def program() -> None:
    try:
        clingo_command()
    except ProgramError as error:
        pytest.skip(str(error))


@pytest.mark.long
@pytest.mark.spec("asp-player", 58)
@pytest.mark.parametrize("name", sample(["blocks", "buttons", "maze", "hodgepodge"], 4))
def test_the_same_plans(name: str) -> None:
    game = load_game(name)
    assert game.rules is not None
    role = game.roles[0]
    planner, program = Planner(game.rules), ProgramPlanner(game.rules)
    expected, found = planner.plan(role, ENOUGH).plan, program.plan(role, ENOUGH).plan
    assert expected is not None
    assert found is not None
    assert (found.goal, len(found), found.optimal) == (expected.goal, len(expected), True)
    plays = program.plays(len(found), role, found.goal, Stopwatch(ENOUGH))
    assert plays is not None
    assert set(plays) == set(planner.plans(expected, ENOUGH))
    assert len(plays) == len(set(plays))


@pytest.mark.long
@pytest.mark.spec("asp-player", 58)
def test_from_a_state_on_and_without_a_plan() -> None:
    rules = parse_kif(DOOR)
    left = rules.roles[0]
    planner = ProgramPlanner(rules)
    found = planner.plan(left, ENOUGH, longest=2).plan
    assert found is not None
    assert (found.goal, len(found)) == (100, 1)
    late = ProgramPlanner(rules, [parse_term("(step 1)"), parse_term("closed")])
    assert late.plan(left, ENOUGH, values=[100], longest=1).plan is not None
    assert late.plan(left, ENOUGH, values=[100], longest=1).complete
    game = load_game("hodgepodge")
    assert game.rules is not None
    none = ProgramPlanner(game.rules).plan(game.roles[1], ENOUGH, values=[100], longest=3)
    assert (none.plan, none.complete) == (None, True)


def test_a_program_that_is_no_clingo_is_found_out() -> None:
    rules = parse_kif(DOOR)
    with pytest.raises(ProgramError, match="JSON"):
        ProgramPlanner(rules, command=[sys.executable, "-c", "print('hello')"]).plan(rules.roles[0], ENOUGH)
    with pytest.raises(ProgramError, match="cannot be called"):
        ProgramPlanner(rules, command=["/no/such/clingo"]).plan(rules.roles[0], ENOUGH)
