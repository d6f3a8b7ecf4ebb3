"""Training: exact gradients, a loss that falls, and networks that say the same of what is true."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine.game import Game
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.goal_theory import goal_theory
from ludorum.evaluate.goals.local_weights import local_network
from ludorum.evaluate.goals.networks import Network, Neuron
from ludorum.evaluate.goals.state_value import state_value
from ludorum.evaluate.goals.theory import Formula, Theory
from ludorum.evaluate.goals.training import (
    GoalFormulas,
    RoleLessons,
    TrainingConfig,
    lessons_of_play,
    loss_and_gradient,
    train,
    train_on,
)
from ludorum.rules.kif import parse_term
from tests.evaluate.goals.random_theories import LEAVES, theories
from tests.library_games import compiled_game

ROLE = parse_term("r")
FEW = TrainingConfig(games=15, rounds=20)


def evaluation_of(name: str) -> tuple[Game, GoalEvaluation]:
    game = compiled_game(name)
    assert game.rules is not None
    return game, GoalEvaluation(goal_theory(game.rules))


def lessons(theory: Theory, values: list[list[float]], targets: list[float]) -> RoleLessons:
    columns = {number: np.array([row[at] for row in values]) for at, number in enumerate(theory.leaves)}
    return RoleLessons(ROLE, columns, np.array(targets))


Values = list[list[float]]


def loss_by_hand(network: Network, goals: GoalFormulas, values: Values, targets: list[float]) -> float:
    """The mean square of errors, one state after the other, by the plain network."""
    errors = []
    for row, target in zip(values, targets, strict=True):
        counted = dict(zip(network.theory.leaves.values(), row, strict=True))
        outputs = {
            goal: (1.0 if formula else -1.0)
            if isinstance(formula, bool)
            else network.output(formula, counted.__getitem__)
            for goal, formula in goals[ROLE].items()
        }
        errors.append(((state_value(outputs) - target) / 100) ** 2)
    return sum(errors) / len(errors)


@pytest.mark.spec("evaluation-functions", 23)
@settings(max_examples=20)
@given(
    theories(),
    st.lists(st.lists(st.floats(-1, 1), min_size=len(LEAVES), max_size=len(LEAVES)), min_size=2, max_size=2),
    st.booleans(),
)
def test_gradients_are_those_of_finite_differences(
    made: tuple[Theory, int], values: list[list[float]], constant: bool
) -> None:
    theory, root = made
    network = local_network(theory, [root])
    goals: dict[int, Formula] = {0: root ^ 1, 100: root}
    if constant:
        goals[30] = True
    values = [row[: len(theory.leaves)] for row in values]
    targets = [20.0, 90.0]
    own = [lessons(theory, values, targets)]
    loss, gradient = loss_and_gradient(network, {ROLE: goals}, own, 50.0)
    assert loss == pytest.approx(loss_by_hand(network, {ROLE: goals}, values, targets), abs=1e-12)
    step = 1e-6
    for number, neuron in network.neurons.items():
        for name in ("weight", "bias"):
            more, less = (
                Network(theory, {**network.neurons, number: moved(neuron, name, way)})
                for way in (step, -step)
            )
            slope = loss_by_hand(more, {ROLE: goals}, values, targets)
            slope = (slope - loss_by_hand(less, {ROLE: goals}, values, targets)) / (2 * step)
            assert getattr(gradient[number], name) == pytest.approx(slope, rel=1e-4, abs=1e-8)


def moved(neuron: Neuron, name: str, way: float) -> Neuron:
    return replace(neuron, **{name: getattr(neuron, name) + way})


@pytest.mark.spec("evaluation-functions", 23)
def test_the_loss_falls_and_the_shape_and_the_signs_stay() -> None:
    game, evaluation = evaluation_of("tictactoe")
    before = evaluation.network
    trained = train(evaluation, game, FEW)
    assert len(trained.losses) > 3
    assert all(later < earlier for earlier, later in zip(trained.losses, trained.losses[1:], strict=False))
    assert trained.losses[-1] < 0.98 * trained.losses[0]
    assert trained.network.theory is before.theory
    assert trained.network.neurons.keys() == before.neurons.keys()
    assert all(neuron.weight > 0 for neuron in trained.network.neurons.values())
    assert evaluation.network is before, "nothing is used that was not asked for"


@pytest.mark.spec("evaluation-functions", 23)
def test_neurons_that_begin_alike_stay_alike() -> None:
    """The first column and the last are mirror images."""
    game, evaluation = evaluation_of("tictactoe")
    x = game.role("xplayer")
    left, right = (
        game.initial().play([f"(mark 1 {column})", "noop"]).play(["noop", "(mark 2 2)"]) for column in (1, 3)
    )
    for alike in (True, False):
        trained = train(evaluation, game, replace(FEW, alike=alike)).network
        own = GoalEvaluation(evaluation.goals)
        own.use(trained)
        assert (own(left, x) == own(right, x)) == alike
        kinds: dict[tuple[object, ...], set[Neuron]] = {}
        for number, neuron in evaluation.network.neurons.items():
            node = evaluation.goals.theory.nodes[number]
            first = node.kind, len(node.parts), round(neuron.weight, 9), round(neuron.bias, 9)
            kinds.setdefault(first, set()).add(trained.neurons[number])
        assert (max(map(len, kinds.values())) == 1) == alike


@pytest.mark.spec("evaluation-functions", 23)
def test_a_trained_network_gives_the_values_that_it_was_trained_for() -> None:
    game, evaluation = evaluation_of("tictactoe")
    trained = train(evaluation, game, FEW)
    state = list(game.playout(100))[3]
    x = game.role("xplayer")
    first = evaluation(state, x)
    evaluation.use(trained.network)
    assert evaluation(state, x) != first
    errors = []
    for role_lessons in lessons_of_play(evaluation, game, FEW.games):
        names = evaluation.goals.theory.leaves
        for at, target in enumerate(role_lessons.targets):
            facts = frozenset(leaf for number, leaf in names.items() if role_lessons.leaves[number][at] > 0)
            errors.append((evaluation.of_facts(facts, role_lessons.role) - target) / 100)  # type: ignore[arg-type]
    assert float(np.mean(np.square(errors))) == pytest.approx(trained.losses[-1], abs=1e-9)


@pytest.mark.spec("evaluation-functions", 23)
def test_the_seed_decides_everything() -> None:
    game, evaluation = evaluation_of("nim")
    one, again, other = (
        train(evaluation, game, TrainingConfig(games=4, rounds=3, seed=seed)) for seed in (1, 1, 2)
    )
    assert (one.losses, one.network.neurons) == (again.losses, again.network.neurons)
    assert one.losses != other.losses


def test_lessons_are_states_of_games_with_their_ends() -> None:
    game, evaluation = evaluation_of("tictactoe")
    found = lessons_of_play(evaluation, game, games=6, seed=3)
    assert [str(own.role) for own in found] == ["xplayer", "oplayer"]
    x, o = (own.targets for own in found)
    assert ((x + o) == 100).all()
    assert 6 * 6 <= len(x) <= 6 * 10
    leaves = [column for own in found for column in own.leaves.values()]
    assert all(len(column) == len(x) for column in leaves)
    assert {value for column in leaves for value in column.tolist()} == {-1.0, 1.0}


def test_without_lessons_nothing_is_learned() -> None:
    _, evaluation = evaluation_of("tictactoe")
    trained = train_on(evaluation.network, evaluation.goals.goals, [], 50.0, TrainingConfig())
    assert trained.losses == (0.0,)
    assert trained.network is evaluation.network
