"""Compiled values are those of the plain evaluator, which is the oracle."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import numpy as np
import pytest

from ludorum._core import SplitMix64
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import State, random_states
from ludorum.evaluate.goals.compiled_evaluation import CompiledEvaluation
from ludorum.evaluate.goals.detection import Detect
from ludorum.evaluate.goals.evaluation import GoalEvaluation, GoalValueConfig
from ludorum.evaluate.goals.expansion import expand_goals
from ludorum.evaluate.goals.goal_theory import DerivedAtom, goal_theory
from ludorum.evaluate.goals.ground_atoms import NoCompiledFormError
from ludorum.evaluate.goals.lasting_features import LevelDistance
from ludorum.evaluate.goals.lazy_features import level_distances
from ludorum.evaluate.goals.leaf import LeafFeatures
from ludorum.evaluate.goals.refinement import Refinement
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.players.goal_stages import find_more
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from tests.engine.kernel_games import compile_here
from tests.evaluate.goals.test_distance_features import COUNT, COUNTER, HUNT, RUNNERS
from tests.evaluate.goals.test_order_feature import DICE, DRAUGHTS
from tests.library_games import compiled_game

NEAR = 1e-9
SHEETS = {
    "fixed distances": COUNTER,
    "two that meet": HUNT,
    "two counts": COUNT,
    "what is avoided": RUNNERS,
    "an order": f"{DRAUGHTS} (<= (legal ?p (lose ?n)) (role ?p) (greater 12 ?n))",
    "a chain of counts": DICE,
}


def reachable(game: CompiledGame, count: int, seed: int = 0) -> list[State]:
    """Some states of random plays, in no order: no two need be near to each other."""
    found: list[State] = []
    random = Random(seed)
    for play in range(count):
        states = list(islice(random_states(game.initial(), SplitMix64(seed + play)), 60))
        states = [state for state in states if not state.is_terminal]
        found += random.sample(states, min(len(states), 4))
    random.shuffle(found)
    return found[:count]


def imagined(game: CompiledGame, count: int) -> list[State]:
    """States of any facts at all."""
    random = Random(count)
    fluents = list(game.circuit.fluents)
    return [game.state(random.sample(fluents, random.randint(0, len(fluents)))) for _ in range(count)]


def assert_same(evaluation: GoalEvaluation, game: CompiledGame, states: list[State]) -> set[float]:
    """All values, which are the same by both."""
    compiled = CompiledEvaluation(evaluation, game)
    found = set()
    for state in states:
        for role in game.roles:
            value = evaluation(state, role)
            assert compiled(state, role) == pytest.approx(value, rel=0, abs=NEAR)
            found.add(value)
    return found


@pytest.mark.parametrize("version", ["v1.0", "v1.1", "v1.1n", "v1.1p", "v1.1a", "final"])
def test_values_of_reachable_states_are_the_same(version: str) -> None:
    game = compiled_game("tictactoe")
    evaluation = VERSIONS[version].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    find_more(game, evaluation, VERSIONS[version], Stopwatch(Budget(nodes=1)))
    assert len(assert_same(evaluation, game, reachable(game, 12))) > 8


@pytest.mark.long
@pytest.mark.parametrize("version", ["v1.0", "v1.1", "v1.1n", "v1.1s", "v1.1d", "final"])
@pytest.mark.parametrize(
    "name", ["breakthrough", "connect_four", "nine_mens_morris", "othello", "english_draughts"]
)
def test_values_in_larger_games_are_the_same(name: str, version: str) -> None:
    game = compiled_game(name)
    evaluation = VERSIONS[version].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    assert_same(evaluation, game, reachable(game, 12))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough", "connect_four", "chinese_checkers", "english_draughts"])
def test_values_of_all_that_is_found_out_late_are_the_same(name: str) -> None:
    game = compiled_game(name)
    evaluation = VERSIONS["final"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    find_more(game, evaluation, VERSIONS["final"], Stopwatch(Budget(nodes=1)))
    assert_same(evaluation, game, reachable(game, 12))


@pytest.mark.parametrize("settles", [False, True])
@pytest.mark.parametrize("text", SHEETS.values(), ids=SHEETS)
def test_every_feature_has_the_same_value_in_any_state(text: str, settles: bool) -> None:
    game = compile_here(parse_kif(text))
    found = expand_goals(game.rules)
    assert found.features
    evaluation = GoalEvaluation(found, found.features, GoalValueConfig(settles=settles))
    states = [*reachable(game, 6), *(state for state in imagined(game, 40) if not state.is_terminal)]
    assert len(assert_same(evaluation, game, states)) > 1


def test_a_state_has_one_value_whatever_was_asked_before() -> None:
    game = compiled_game("tictactoe")
    evaluation = VERSIONS["final"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    states = reachable(game, 30)
    compiled = CompiledEvaluation(evaluation, game)
    x, o = game.roles
    first = [(compiled(state, x), compiled(state, o)) for state in states]
    again = [(compiled(state, x), compiled(state, o)) for state in reversed(states)]
    fresh = [(CompiledEvaluation(evaluation, game)(state, x),) for state in states[:3]]
    assert again[::-1] == first
    assert [value for (value,) in fresh] == [value for value, _ in first[:3]]
    rows = np.array([np.frombuffer(game.packed(state), np.uint8) for state in states])
    assert compiled.kernel.values(rows, 1).tolist() == [value for _, value in first]
    assert compiled.evaluated == 4 * len(states) + len(states)


def test_mirror_images_have_one_value_to_the_last_digit() -> None:
    game = compiled_game("connect_four")
    evaluation = VERSIONS["v1.1"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    compiled = CompiledEvaluation(evaluation, game)
    role = game.roles[0]
    firsts = game.initial().legal(role)
    values = [compiled(game.initial().play([move, "noop"]), role) for move in firsts]
    assert values == values[::-1]
    assert len(set(values)) == (len(values) + 1) // 2


def test_leaves_that_the_rules_are_asked_about_are_compiled_as_well() -> None:
    game = compiled_game("tictactoe")
    goals = goal_theory(game.rules, most_nodes=10)
    assert any(isinstance(leaf, DerivedAtom) for leaf in goals.theory.leaves.values())
    states = [state for state in imagined(game, 40) if not state.is_terminal]
    assert len(assert_same(GoalEvaluation(goals), game, [*reachable(game, 20), *states])) > 1


@pytest.mark.parametrize(
    "change",
    [{}, {"has_goals": False}, {"usual_moves": None}, {"pieces": None}, {"usual_worth": 0.0}],
    ids=lambda change: " ".join(change) or "all",
)
def test_what_is_known_beside_goals_is_the_same(change: dict[str, object]) -> None:
    game = compile_here(parse_kif(RUNNERS))
    (runner,) = game.roles
    worth = {fluent: 0.5 + at for at, fluent in enumerate(game.circuit.fluents) if fluent.name == "at"}
    refinement = replace(Refinement(True, 3, {runner: worth}, 2.0), **change)  # type: ignore[arg-type]
    found = expand_goals(game.rules, Detect.NOTHING)
    plain = GoalEvaluation(found)
    before = assert_same(plain, game, reachable(game, 10))
    plain.learn({}, refinement)
    assert assert_same(plain, game, reachable(game, 10)) != before


def test_the_end_of_a_match_is_worth_its_goal() -> None:
    game = compiled_game("tictactoe")
    compiled = CompiledEvaluation(_of(VERSIONS["v1.1"].make(game)), game)
    *_, end = game.playout(3)
    assert [compiled(end, role) for role in game.roles] == list(end.goals())
    assert compiled.goal_values(game.roles[0]) == (0, 50, 100)


def test_what_has_no_compiled_form_is_said() -> None:
    game = compiled_game("tictactoe")
    evaluation = _of(VERSIONS["v1.1"].make(game))
    fluent = next(leaf for leaf in evaluation.goals.theory.leaves.values() if isinstance(leaf, Term))
    levels = level_distances(StepRules(evaluation.goals.program), [fluent])  # type: ignore[attr-defined]
    feature = levels(fluent)
    assert isinstance(feature, LevelDistance)
    evaluation.learn({fluent: LeafFeatures(when_false=feature)})
    with pytest.raises(NoCompiledFormError, match="admissible level"):
        CompiledEvaluation(evaluation, game)


def test_numbers_that_compiled_code_does_not_take_are_said() -> None:
    game = compiled_game("tictactoe")
    evaluation = _of(VERSIONS["v1.1"].make(game))
    (worthless, *_), role = game.circuit.fluents, game.roles[0]
    evaluation.learn({}, Refinement(pieces={role: {worthless: 1e-12}}))
    with pytest.raises(NoCompiledFormError, match="a weight of a sum must be a number from"):
        CompiledEvaluation(evaluation, game)


def _of(evaluation: object) -> GoalEvaluation:
    assert isinstance(evaluation, GoalEvaluation)
    return evaluation
