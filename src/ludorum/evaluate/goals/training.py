"""Training of networks by backpropagation, from the weights that follow from the goals; only if asked for.

The shape of a network stays. Weights stay above 0, so that more truth is never worth less, and neurons that
begin alike stay alike, so that mirror images of a state keep one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from ..._core import SplitMix64
from ...engine.game import Game, State
from ...rules.terms import Term
from .evaluation import GoalEvaluation
from .formula_outputs import edges
from .networks import Network, Neuron
from .state_value import EDGE, share_of
from .theory import Formula, Kind

DIGITS = 9
"""Decimal places to which weights and biases of neurons that are alike are the same."""
LONGEST = 500
"""Steps of a game that is learned from."""

Column = npt.NDArray[np.float64]
"""One number for each lesson."""
GoalFormulas = Mapping[Term, Mapping[int, Formula]]
"""Of each role the formula of each of its goal values."""


@dataclass(frozen=True)
class TrainingConfig:
    """Settings of training."""

    games: int = 100
    """Random games whose ends are learned."""
    rounds: int = 50
    """Steps along the gradient of all lessons together."""
    rate: float = 1.0
    """The length of the first step, by the gradient."""
    growth: float = 1.3
    """By how much the next step is longer than one that helped."""
    shrinkage: float = 0.5
    """By how much a step is shorter than one that did not help."""
    least_rate: float = 1e-9
    """Shorter steps are not tried: the training is over."""
    alike: bool = True
    """Whether neurons stay alike that begin with the same weight, bias and number of parts."""
    seed: int = 0


@dataclass(frozen=True)
class RoleLessons:
    """States, by what the leaves of a network count for in them, and what they came to for a role."""

    role: Term
    leaves: Mapping[int, Column]
    """By the number of the leaf in the theory."""
    targets: Column
    """0 to 100."""


@dataclass(frozen=True)
class NeuronGradient:
    """By how much the loss rises with the weight and with the bias of a neuron."""

    weight: float
    bias: float


@dataclass(frozen=True)
class Training:
    """A trained network, and the loss before the first step and after each."""

    network: Network
    losses: Sequence[float]


def train(evaluation: GoalEvaluation, game: Game, config: TrainingConfig | None = None) -> Training:
    """The network of an evaluation, trained on the ends of random games."""
    config = config or TrainingConfig()
    lessons = lessons_of_play(evaluation, game, config.games, config.seed)
    return train_on(evaluation.network, evaluation.goals.goals, lessons, evaluation.config.expected, config)


def train_on(
    network: Network,
    goals: GoalFormulas,
    lessons: Sequence[RoleLessons],
    expected: float,
    config: TrainingConfig,
) -> Training:
    """A network trained on these lessons. The loss never rises."""
    rate = config.rate
    groups = _groups(network) if config.alike else [[number] for number in network.neurons]
    loss, gradient = loss_and_gradient(network, goals, lessons, expected)
    losses = [loss]
    for _ in range(config.rounds):
        while rate >= config.least_rate:
            moved = _moved(network, gradient, groups, rate)
            if moved is not None:
                loss, after = loss_and_gradient(moved, goals, lessons, expected)
                if loss < losses[-1]:
                    break
            rate *= config.shrinkage
        else:
            break
        network, gradient, rate = moved, after, rate * config.growth
        losses.append(loss)
    return Training(network, tuple(losses))


def loss_and_gradient(
    network: Network, goals: GoalFormulas, lessons: Sequence[RoleLessons], expected: float
) -> tuple[float, dict[int, NeuronGradient]]:
    """The mean square of errors, in shares of 100 points, and its derivatives by backpropagation."""
    count = max(1, sum(len(own.targets) for own in lessons))
    loss = 0.0
    sums = {number: [0.0, 0.0] for number in network.neurons}
    for own in lessons:
        formulas = {goal: formula for goal, formula in goals[own.role].items() if goal != expected}
        inputs, outputs = _forward(network, formulas.values(), own.leaves)
        value, slope = _values(formulas, outputs, np.full_like(own.targets, expected), expected)
        error = (value - own.targets) / 100
        loss += float((error**2).sum()) / count
        by_output = 2 * error / 100 / count * slope
        back: dict[int, Column] = {number: np.zeros(len(own.targets)) for number in outputs}
        for goal, formula in formulas.items():
            if not isinstance(formula, bool):
                back[formula >> 1] += by_output * (goal - expected) / 2 * (-1 if formula & 1 else 1)
        for number in reversed(inputs):
            neuron = network.neurons[number]
            rise = back[number] * (1 - outputs[number] ** 2) / 2  # the derivative of 2 / (1 + e^-x) - 1
            sums[number][0] += float((rise * inputs[number]).sum())
            sums[number][1] += float(rise.sum()) * neuron.weight
            for part in network.theory.nodes[number].parts:
                back[part >> 1] += rise * neuron.weight * (-1 if part & 1 else 1)
    return loss, {number: NeuronGradient(*found) for number, found in sums.items()}


def _forward(
    network: Network, roots: Iterable[Formula], leaves: Mapping[int, Column]
) -> tuple[dict[int, Column], dict[int, Column]]:
    """The sums that go into the neurons below some roots, biases included, parts first; and all outputs."""
    inputs: dict[int, Column] = {}
    outputs: dict[int, Column] = {}
    theory = network.theory
    for number in theory.below(edges(roots)):
        node = theory.nodes[number]
        if node.kind is Kind.LEAF:
            outputs[number] = leaves[number]
            continue
        neuron = network.neurons[number]
        total = np.full_like(outputs[node.parts[0] >> 1], neuron.bias)
        for part in node.parts:
            total += -outputs[part >> 1] if part & 1 else outputs[part >> 1]
        inputs[number] = total
        outputs[number] = np.tanh(neuron.weight * total / 2)
    return inputs, outputs


def _values(
    formulas: Mapping[int, Formula], outputs: Mapping[int, Column], raw: Column, expected: float
) -> tuple[Column, Column]:
    """What ``state_value`` is in each lesson, and by how much it rises with what it is made from."""
    for goal, formula in formulas.items():
        if isinstance(formula, bool):
            raw += (goal - expected) * formula
        else:
            raw += (goal - expected) * ((-1 if formula & 1 else 1) * outputs[formula >> 1] + 1) / 2
    share = share_of(len(formulas))
    inside = np.clip(raw, EDGE, 100 - EDGE)
    return inside + (raw - inside) / share, np.where(raw == inside, 1.0, 1 / share)


def _groups(network: Network) -> list[list[int]]:
    """The neurons that are alike."""
    found: dict[object, list[int]] = {}
    for number, neuron in network.neurons.items():
        node = network.theory.nodes[number]
        kind = node.kind, len(node.parts), round(neuron.weight, DIGITS), round(neuron.bias, DIGITS)
        found.setdefault(kind, []).append(number)
    return list(found.values())


def _moved(
    network: Network, gradient: Mapping[int, NeuronGradient], groups: Iterable[Sequence[int]], rate: float
) -> Network | None:
    """The network a step against the gradient, one for each group; None where a weight is not above 0."""
    neurons = dict(network.neurons)
    for group in groups:
        weight = rate * sum(gradient[number].weight for number in group)
        bias = rate * sum(gradient[number].bias for number in group)
        for number in group:
            neuron = neurons[number]
            neurons[number] = Neuron(neuron.weight - weight, neuron.bias - bias)
    is_monotone = all(neuron.weight > 0 for neuron in neurons.values())
    return Network(network.theory, neurons) if is_monotone else None


# -- lessons ----------------------------------------------------------------------------------------------


def lessons_of_play(evaluation: GoalEvaluation, game: Game, games: int, seed: int = 0) -> list[RoleLessons]:
    """The states of random games that end, each with the goal that a role had in the end."""
    chance = SplitMix64(seed)
    found: list[tuple[dict[int, float], dict[Term, float]]] = []
    for _ in range(games):
        states = list(islice(game.playout(chance.below(1 << 62)), LONGEST))
        ends = {role: states[-1].goal(role) for role in evaluation.goals.goals}
        targets = {role: float(goal) for role, goal in ends.items() if goal is not None}
        if states[-1].is_terminal:
            found += [(_leaf_values(evaluation, state), targets) for state in states]
    return [_role_lessons(role, found) for role in evaluation.goals.goals]


def _leaf_values(evaluation: GoalEvaluation, state: State) -> dict[int, float]:
    values = evaluation.leaf_values(evaluation.goals.position(frozenset(state.facts())))
    return {number: values[leaf] for number, leaf in evaluation.goals.theory.leaves.items()}


def _role_lessons(
    role: Term, found: Sequence[tuple[Mapping[int, float], Mapping[Term, float]]]
) -> RoleLessons:
    own = [(leaves, targets[role]) for leaves, targets in found if role in targets]
    numbers = own[0][0] if own else {}
    return RoleLessons(
        role,
        {number: np.array([leaves[number] for leaves, _ in own]) for number in numbers},
        np.array([target for _, target in own]),
    )
