"""What is found out late about goals: in what order, and that play can begin after any part of it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import cache
from math import inf
from typing import cast

import pytest

from ludorum.evaluate.goals.evaluation import GoalEvaluation, Weights
from ludorum.evaluate.goals.lasting_features import Excluded, FluentDistance
from ludorum.evaluate.goals.leaf import LeafFeatures
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.players import goal_stages
from ludorum.players.goal_searcher import GoalConfig, GoalSearcher
from ludorum.players.goal_stages import find_more, late_features
from ludorum.rules.kif import parse_term
from ludorum.search.budget import TO_THE_END, Budget, Stopwatch
from tests.library_games import compiled_game

ADMISSIBLE = {"admissible distance"}
GAMES = ("tictactoe", "maze", "eight_puzzle", "blocks")


def made(name: str, version: str) -> GoalEvaluation:
    return cast(GoalEvaluation, VERSIONS[version].make(compiled_game(name)))


@cache
def whole(name: str, version: str) -> GoalEvaluation:
    """With all that is found out late."""
    evaluation = made(name, version)
    if VERSIONS[version].finds_more:
        find_more(compiled_game(name), evaluation, VERSIONS[version], Stopwatch(TO_THE_END))
    return evaluation


def kinds(features: Mapping[Hashable, LeafFeatures]) -> set[str]:
    found = [feature for own in features.values() for feature in (own.when_true, own.when_false) if feature]
    inner = [feature.otherwise for feature in found if isinstance(feature, Excluded) and feature.otherwise]
    return {feature.kind for feature in [*found, *inner]}


class Patience(Stopwatch):
    """A watch that is up when it has been asked so many times."""

    def __init__(self, questions: int) -> None:
        super().__init__(TO_THE_END)
        self.left = questions

    def is_up(self, nodes: int = 0, playouts: int = 0) -> bool:
        self.left -= 1
        return self.left < 0


@pytest.mark.spec("evaluation-functions", 57)
@pytest.mark.long
def test_each_version_has_the_features_that_it_is_made_of() -> None:
    found = {
        version: set().union(*(kinds(whole(name, version).features) for name in GAMES))
        for version in VERSIONS
        if version != "fluxplayer"
    }
    assert found == {
        "v1.0": set(),
        "v1.1": set(),
        "v1.1s": {"solutions"},
        "v1.1p": {"persistence", "exclusion"},
        "v1.1d": {"fixed distance"},
        "v1.1n": {"fixed distance"},
        "v1.1a": {"admissible distance"},
        "final": {"solutions", "persistence", "exclusion", "fixed distance", "admissible distance"},
    }


@pytest.mark.spec("evaluation-functions", 57)
def test_versions_differ_in_their_weights_and_in_what_is_beside_goals() -> None:
    weights = {version: made("tictactoe", version).config.weights for version in ("v1.0", "v1.1", "final")}
    assert weights == {"v1.0": Weights.GLOBAL, "v1.1": Weights.LOCAL, "final": Weights.LOCAL}
    refined = {
        version for version in VERSIONS if version != "fluxplayer" and whole("maze", version).refinement
    }
    assert refined == {"final"}


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 39)
@pytest.mark.parametrize("name", ["tictactoe", "maze"])
def test_an_evaluation_can_be_used_wherever_its_construction_ends(name: str) -> None:
    game = compiled_game(name)
    states = list(game.playout(1))
    known: list[int] = []
    for questions in (0, 1, 2, 5, 1000):
        evaluation = made(name, "final")
        watch = Patience(questions)
        find_more(game, evaluation, VERSIONS["final"], watch)
        for state in states:
            value = evaluation(state, game.roles[0])
            assert value == state.goal(game.roles[0]) if state.is_terminal else 0 < value < 100
        known.append(len(evaluation.features))
    assert watch.left >= 0, "it has come to its end"
    assert known[0] < known[-1]
    assert known == sorted(known)
    assert kinds(evaluation.features) == kinds(whole(name, "final").features)


@pytest.mark.spec("evaluation-functions", 39)
def test_distances_come_before_what_lasts_and_admissible_ones_last() -> None:
    """Maze has all three kinds."""
    game = compiled_game("maze")
    evaluation = made("maze", "final")
    seen: list[set[str]] = []
    told: dict[Hashable, LeafFeatures] = {}
    for fluent, features in late_features(game, evaluation, VERSIONS["final"], Stopwatch(TO_THE_END)):
        before = kinds({fluent: told[fluent]}) if fluent in told else set()
        seen.append(kinds({fluent: features}) - before)
        told[fluent] = features
    order = [kind for new in seen for kind in sorted(new)]
    first = [order.index(kind) for kind in ("fixed distance", "persistence", "admissible distance")]
    assert first == sorted(first)


@pytest.mark.spec("evaluation-functions", 51)
def test_admissible_distances_are_for_fluents_without_another() -> None:
    before, after = made("maze", "final"), whole("maze", "final")
    with_distance = {leaf for leaf, own in before.features.items() if own.when_false is not None}
    admissible = {leaf for leaf, own in after.features.items() if kinds({leaf: own}) & ADMISSIBLE}
    assert with_distance
    assert admissible
    assert not with_distance & admissible
    alone = whole("maze", "v1.1a")
    assert kinds(alone.features) == ADMISSIBLE
    assert admissible < set(alone.features), "that version has them for the others, too"


@pytest.mark.long
def test_distances_go_where_moves_are_told_apart_better_without() -> None:
    """A disc that falls brings many cells nearer, for both; a pawn only brings its side nearer."""
    assert not kinds(whole("connect_four", "final").features) & ADMISSIBLE
    assert kinds(whole("connect_four", "v1.1a").features) >= ADMISSIBLE, "they are there, and not tried"
    assert kinds(whole("breakthrough", "final").features) >= ADMISSIBLE


@pytest.mark.long
def test_a_pawn_is_as_far_from_the_last_row_as_it_has_to_walk() -> None:
    """The goal of breakthrough asks for any cell of a row: it is as far as the nearest of them."""
    game = compiled_game("breakthrough")
    evaluation = whole("breakthrough", "final")
    distances = {
        str(feature.table.target): feature
        for own in evaluation.features.values()
        if isinstance(feature := own.when_false, FluentDistance)
    }
    assert {"(cell ?v1 8 white)", "(cell ?v1 1 black)"} < set(distances)
    white = distances["(cell ?v1 8 white)"].table
    near, far = (
        game.state([*map(parse_term, (f"(cell 3 {row} white)", "(cell 5 7 black)", "(control black)"))])
        for row in (6, 4)
    )
    assert (white.distance(near.facts()), white.distance(far.facts())) == (2, 4)
    assert white.distance(game.initial().facts()) == 6
    assert evaluation(near, game.role("white")) > evaluation(far, game.role("white"))
    lost = distances["(cell ?v1 ?v2 white)"].table
    alone = game.state([parse_term("(cell 5 7 black)"), parse_term("(control black)")])
    assert lost.distance(alone.facts()) == inf, "no pawn ever comes back"


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 51)
def test_the_start_clock_bounds_what_is_found_out_late() -> None:
    """No time is left: play begins with what is known, and nothing is tried again in the first move."""
    game = compiled_game("tictactoe")
    searcher = GoalSearcher(game, GoalConfig(learn_share=0.0))
    evaluation = searcher.evaluation
    assert isinstance(evaluation, GoalEvaluation)
    known = dict(evaluation.features)
    searcher.search(game.initial(), game.roles[0], Budget(seconds=60, nodes=20))
    assert evaluation.features == known
    patient = GoalSearcher(game)
    patient.search(game.initial(), game.roles[0], Budget(nodes=20))
    assert isinstance(patient.evaluation, GoalEvaluation)
    assert kinds(patient.evaluation.features) == kinds(whole("tictactoe", "final").features)


def test_rules_that_cannot_be_ground_keep_their_first_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goal_stages, "MOST_RULES", 10)
    game = compiled_game("tictactoe")
    searcher = GoalSearcher(game)
    decision = searcher.search(game.initial(), game.roles[0], Budget(nodes=20))
    assert decision.move in game.initial().legal(game.roles[0])
    assert searcher.troubles == ["grounding made more than 10 rules"]
