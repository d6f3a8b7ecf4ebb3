"""Criteria of evaluations: ours meet them, and each fault of made-up ones is found by its criterion."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from ludorum.engine.game import Game, State
from ludorum.evaluate.goals.evaluation import GoalEvaluation, Goals
from ludorum.evaluate.goals.goal_theory import goal_theory
from ludorum.evaluate.goals.versions import VERSIONS, GoalValue
from ludorum.players.goal_stages import find_more
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.search.exact import Solved, find_values
from ludorum.solve.goal_criteria import (
    CriteriaConfig,
    CriterionReport,
    CriterionVerdict,
    look_at,
    report_criteria,
)
from tests.library_games import compiled_game

FEW = CriteriaConfig(most_asked=60)


def reports(
    name: str, make: Callable[[Game], GoalValue], config: CriteriaConfig = FEW
) -> dict[str, CriterionReport]:
    return {each.name: each for each in report_criteria(compiled_game(name), make, config)}


def verdicts(found: dict[str, CriterionReport]) -> dict[str, str]:
    return {name: each.verdict.value for name, each in found.items()}


def made(game: Game, version: str) -> GoalValue:
    """The evaluation of a version with what is found out late."""
    value = VERSIONS[version].make(game)
    if isinstance(value, GoalEvaluation):
        find_more(game, value, VERSIONS[version], Stopwatch(Budget(seconds=3600)))
    return value


USUAL = {
    "compactness": "passed",
    "bounded cost": "passed",
    "construction": "reported",
    "consistency": "passed",
    "monotonicity": "reported",
    "symmetry": "passed",
    "extrapolation": "passed",
}


@pytest.mark.spec("evaluation-functions", 61)
@pytest.mark.parametrize(
    "version", ["v1.1", *(pytest.param(name, marks=pytest.mark.long) for name in ("final", "fluxplayer"))]
)
def test_values_from_goals_meet_the_criteria_in_tictactoe(version: str) -> None:
    found = reports("tictactoe", lambda game: made(game, version))
    assert verdicts(found) == USUAL
    nodes, leaves = (26, 19) if version == "final" else (23, 27)
    assert found["compactness"].figures == {"nodes": nodes, "leaves": leaves, "rules": 36, "most": 512}
    cost = found["bounded cost"].figures
    assert cost["early"] == cost["late"], "how far the end is does not matter"
    assert found["consistency"].figures["differing"] == 0
    assert found["symmetry"].figures["pairs"] == 7 * 2 * found["consistency"].figures["states"]
    ends = found["extrapolation"].figures
    assert (ends["ends"], ends["wrong"]) == (958, 0)
    assert ends.get("in_order", 1) == 1, "by the network alone"


@pytest.mark.spec("evaluation-functions", 61)
def test_pairs_of_moves_are_reported_one_by_one() -> None:
    """Two lamps must burn: the pairs of moves in all states of buttons, counted without the report."""
    game = compiled_game("buttons")
    (role,) = game.roles
    found = reports("buttons", VERSIONS["v1.1"].make, CriteriaConfig())["monotonicity"]
    value, solved = VERSIONS["v1.1"].make(game), find_values(game)
    counts = dict.fromkeys(["right", "tied", "wrong", "same", "told_apart"], 0)
    seen = {game.initial()}
    waiting = list(seen)
    for state in waiting:
        moves = () if state.is_terminal else state.legal(role)
        after = list(dict.fromkeys(state.play([move]) for move in moves))
        waiting += [one for one in after if one not in seen]
        seen.update(after)
        for at, one in enumerate(after):
            for other in after[:at]:
                better = solved.value(one, role) - solved.value(other, role)
                higher = value(one, role) - value(other, role)
                if better:
                    counts["right" if better * higher > 0 else "tied" if not higher else "wrong"] += 1
                else:
                    counts["told_apart" if higher else "same"] += 1
    assert len(seen) == 32
    assert found.figures == counts
    assert sum(counts.values()) > 50
    assert found.verdict is CriterionVerdict.REPORTED


class MadeUp:
    """Any function of states as an evaluation."""

    def __init__(self, game: Game, function: Callable[[State, Term], float]) -> None:
        assert game.rules is not None
        self._function = function
        self.goals: Goals = goal_theory(game.rules)
        self.evaluated = 0

    def __call__(self, state: State, role: Term) -> float:
        return self._function(state, role)

    def goal_values(self, role: Term) -> tuple[int, ...]:
        return tuple(self.goals.goals[role])

    def after(self, state: State) -> GoalValue:
        return self


@cache
def solved_tictactoe() -> Solved:
    return find_values(compiled_game("tictactoe"))


def exact(state: State, role: Term) -> float:
    return solved_tictactoe().value(state, role)


def made_up(function: Callable[[State, Term], float]) -> dict[str, CriterionReport]:
    return reports("tictactoe", lambda game: MadeUp(game, function))


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 61)
def test_the_perfect_function_has_all_pairs_in_order() -> None:
    found = made_up(exact)
    assert verdicts(found) == USUAL
    figures = found["monotonicity"].figures
    assert (figures["tied"], figures["wrong"], figures["told_apart"]) == (0, 0, 0)
    assert figures["right"] > 50
    turned = made_up(lambda state, role: 100 - exact(state, role))["monotonicity"].figures
    assert turned == {**figures, "right": 0, "wrong": figures["right"]}


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 61)
def test_each_fault_is_found_by_its_criterion() -> None:
    assert verdicts(made_up(lambda state, role: 100 - exact(state, role))) == {
        **USUAL,
        "extrapolation": "failed",
    }
    corner = parse_term("(cell 1 1 x)")
    lopsided = made_up(lambda state, role: exact(state, role) + (corner in state.facts()) / 1000)
    assert verdicts(lopsided) == {**USUAL, "symmetry": "failed", "extrapolation": "failed"}
    calls: list[State] = []

    def forgetful(state: State, role: Term) -> float:
        calls.append(state)
        return exact(state, role) + (0 if state.is_terminal else len(calls) / 1e6)

    assert verdicts(made_up(forgetful))["consistency"] == "failed"


@pytest.mark.long
def test_large_games_are_asked_in_random_play() -> None:
    found = reports("connect_four", VERSIONS["v1.1"].make, CriteriaConfig(most_states=500, plays=3))
    assert found["monotonicity"].verdict is CriterionVerdict.OPEN
    assert "more than 500 states" in found["monotonicity"].text
    assert found["symmetry"].verdict is CriterionVerdict.PASSED
    assert found["extrapolation"].figures["ends"] == 3
    assert found["consistency"].verdict is CriterionVerdict.PASSED


def test_all_states_of_small_games_are_looked_at() -> None:
    seen = look_at(compiled_game("tictactoe"), CriteriaConfig())
    assert seen.all
    assert len(seen.after) == 5478
    assert len(seen.ends) == 958
