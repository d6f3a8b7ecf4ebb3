"""Values of states by networks of goals: caches change the cost and not the value."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.game import Game, State
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.evaluation import GoalEvaluation, GoalValueConfig, Weights
from ludorum.evaluate.goals.feature_values import TruthValues
from ludorum.evaluate.goals.goal_theory import GoalTheory, goal_theory
from ludorum.evaluate.goals.lasting_features import StaysFalse, StaysTrue
from ludorum.evaluate.goals.leaf import LeafFeatures, LeafPosition
from ludorum.evaluate.goals.theory import Formula, Theory
from ludorum.rules.terms import Term
from tests.library_games import compiled_game


@cache
def goals_of(name: str) -> tuple[Game, GoalTheory]:
    game = compiled_game(name)
    assert game.rules is not None
    return game, goal_theory(game.rules)


class Always:
    """A feature with one value, between what is true and what is true for ever."""

    kind = "always"

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        return values.of_truth(0.5)


def some_features(goals: GoalTheory) -> dict[Hashable, LeafFeatures]:
    leaves = sorted(goals.theory.leaves.values(), key=str)
    return {leaf: LeafFeatures(when_true=Always()) for leaf in leaves[::2]}


@pytest.mark.spec("evaluation-functions", 43)
@pytest.mark.parametrize("name", ["connect_four", "tictactoe"])
@pytest.mark.parametrize("with_features", [False, True])
def test_changes_alone_are_computed_and_values_are_the_same(name: str, with_features: bool) -> None:
    game, goals = goals_of(name)
    features = some_features(goals) if with_features else {}
    fast, slow = (
        GoalEvaluation(goals, features, GoalValueConfig(delta=delta, keep=False)) for delta in (True, False)
    )
    for seed in range(3):
        for state in list(game.playout(seed))[:30]:
            for role in game.roles:
                assert fast(state, role) == slow(state, role)
    assert 0 < fast.computed < slow.computed


@pytest.mark.spec("evaluation-functions", 43)
def test_where_half_of_the_leaves_have_changed_everything_is_computed() -> None:
    _, goals = goals_of("connect_four")
    evaluation = GoalEvaluation(goals, config=GoalValueConfig(keep=False))
    role = next(iter(goals.goals))
    leaves = [leaf for leaf in evaluation.leaves(role) if isinstance(leaf, Term)]
    evaluation.of_facts(frozenset(), role)
    whole = evaluation.computed
    half = len(evaluation.leaves(role)) // 2
    evaluation.of_facts(frozenset(leaves[:half]), role)
    assert evaluation.computed == 2 * whole
    evaluation.of_facts(frozenset(leaves[: half + 1]), role)
    assert evaluation.computed < 2 * whole + whole / 2


@pytest.mark.spec("evaluation-functions", 44)
def test_a_state_that_is_met_at_two_depths_has_one_value() -> None:
    game, goals = goals_of("tictactoe")
    evaluation = GoalEvaluation(goals)
    role = game.roles[0]
    late = list(game.playout(1))[4]
    first = evaluation(late, role)
    assert evaluation.evaluated == 1
    same = load_game("tictactoe", "lifted").state(late.facts())  # another engine, as if it were the first
    assert evaluation(same, role) == first
    assert evaluation.evaluated == 1, "it was looked up"
    for state in game.playout(1):
        evaluation(state, role)
    assert evaluation(late, role) == first, "what was evaluated between makes no difference"


@pytest.mark.spec("evaluation-functions", 22)
@pytest.mark.parametrize("weights", Weights)
@pytest.mark.parametrize("name", ["connect_four", "rock_paper_scissors", "eight_puzzle"])
def test_values_lie_between_loss_and_win_until_the_end(name: str, weights: Weights) -> None:
    game, goals = goals_of(name)
    evaluation = GoalEvaluation(goals, some_features(goals), GoalValueConfig(weights=weights))
    for state in game.playout(7):
        for role in game.roles:
            value = evaluation(state, role)
            assert value == (state.goal(role) or 0) if state.is_terminal else 0 < value < 100


def test_the_end_is_nearer_when_the_match_is_over() -> None:
    game, goals = goals_of("tictactoe")
    evaluation = GoalEvaluation(goals, some_features(goals), GoalValueConfig())
    begin, *_, end = game.playout(3)
    assert evaluation.terminality(goals.position(begin.facts())) < 0.6
    near = evaluation.terminality(goals.position(end.facts()))
    assert near > evaluation.terminality(goals.position(begin.facts()))


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), at=st.integers(0, 8))
def test_who_is_nearer_to_a_line_has_more(seed: int, at: int) -> None:
    """One more own mark, and all else the same, is never worth less."""
    game, goals = goals_of("tictactoe")
    evaluation = GoalEvaluation(goals)
    states: list[State] = [state for state in game.playout(seed) if not state.is_terminal]
    facts = states[-1].facts()
    cell = Term("cell", (Term(str(at // 3 + 1)), Term(str(at % 3 + 1)), Term("b")))
    if cell not in facts:
        return
    more = frozenset(facts - {cell}) | {Term("cell", (*cell.args[:2], Term("x")))}
    x = game.role("xplayer")
    assert evaluation.of_facts(more, x) >= evaluation.of_facts(frozenset(facts), x)


def test_the_role_that_has_no_goal_of_its_own_is_worth_what_is_expected() -> None:
    _, goals = goals_of("tictactoe")
    assert GoalEvaluation(goals).of_facts(frozenset(), Term("nobody")) == 50


def marks_that_stay(goals: GoalTheory) -> dict[Hashable, LeafFeatures]:
    """Of tic-tac-toe and connect four: marks stay, and blank cells do not come back."""
    return {
        leaf: LeafFeatures(when_false=StaysFalse(leaf))
        if str(leaf.args[-1]) == "b"
        else LeafFeatures(when_true=StaysTrue(leaf))
        for leaf in goals.theory.leaves.values()
        if isinstance(leaf, Term) and leaf.name == "cell"
    }


@pytest.mark.long
@pytest.mark.spec("evaluation-functions", 41)
@pytest.mark.parametrize("name", ["connect_four", "tictactoe"])
def test_what_is_settled_in_a_state_leaves_the_values_after_it_as_they_are(name: str) -> None:
    game, goals = goals_of(name)
    config = GoalValueConfig(settles=True, keep=False)
    evaluation = GoalEvaluation(goals, marks_that_stay(goals), config)
    for seed in range(3):
        states = list(game.playout(seed))[:25]
        for begin in (0, len(states) // 2):
            later = evaluation.after(states[begin])
            values = [[one(state, game.roles[0]) for state in states[begin:]] for one in (evaluation, later)]
            assert values[0] == values[1]
            assert set(later.leaves(game.roles[0])) <= set(evaluation.leaves(game.roles[0]))
    assert 0 < len(later.leaves(game.roles[0])) < len(evaluation.leaves(game.roles[0]))


def test_features_that_are_learned_count_for_states_that_were_evaluated_before() -> None:
    game, goals = goals_of("tictactoe")
    state = list(game.playout(1))[4]
    role = game.roles[0]
    learning, knowing = GoalEvaluation(goals), GoalEvaluation(goals, some_features(goals))
    before = learning(state, role)
    learning.learn(some_features(goals))
    assert learning(state, role) == knowing(state, role) != before


@pytest.mark.parametrize("settles", [False, True])
def test_constants_and_the_first_leaf_are_told_apart(settles: bool) -> None:
    """In Python ``True`` equals 1, which is the first leaf negated."""
    theory = Theory()
    leaf = theory.leaf(Term("lamp"))
    role = Term("you")

    class Lamp:
        terminal: Formula = False

        def __init__(self) -> None:
            self.theory = theory
            self.goals: dict[Term, dict[int, Formula]] = {role: {0: leaf, 20: leaf ^ 1, 80: True, 100: False}}

        def position(self, facts: object) -> LeafPosition:
            return goals_of("tictactoe")[1].position(facts)  # type: ignore[arg-type]

    evaluation = GoalEvaluation(Lamp(), config=GoalValueConfig(settles=settles))
    lit, dark = (evaluation.goals.position(facts) for facts in ({Term("lamp")}, set()))
    assert evaluation.outputs(lit, role) == {0: 1.0, 20: -1.0, 80: 1.0, 100: -1.0}
    assert evaluation.outputs(dark, role) == {0: -1.0, 20: 1.0, 80: 1.0, 100: -1.0}
