"""Networks keep truth, tell degrees, and have the weights of the thesis' examples."""

from __future__ import annotations

from itertools import combinations
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.evaluate.goals.global_weights import Least, global_network, least_bound, least_output, weight_for
from ludorum.evaluate.goals.local_weights import (
    CRISP,
    input_limits,
    limits_of,
    local_network,
    sufficient_weight,
)
from ludorum.evaluate.goals.networks import Network, Neuron, squashed
from ludorum.evaluate.goals.theory import Kind, Theory
from tests.evaluate.goals.random_theories import theories, worlds


def conjunction(size: int) -> tuple[Theory, int]:
    theory = Theory()
    root = theory.all_of([theory.leaf(at) for at in range(size)])
    assert not isinstance(root, bool)
    return theory, root


def first(held: int) -> dict[object, float]:
    return {at: 1.0 if at < held else -1.0 for at in range(100)}


@pytest.mark.spec("evaluation-functions", 15)
def test_a_conjunction_of_four_by_one_weight() -> None:
    """T1, as printed: least output 0.9 and weight 4."""
    theory, root = conjunction(4)
    network = Network(theory, {root >> 1: Neuron(4, -1.9 * 3 / 2)})
    outputs = [network.output(root, first(held).__getitem__) for held in range(5)]
    assert outputs == pytest.approx([-1.0, -1.0, -0.999978, -0.935409, 0.980096], abs=1e-6)
    assert [4 * (2 * held - 4 - 2.85) for held in range(5)] == pytest.approx([-27.4, -19.4, -11.4, -3.4, 4.6])
    assert least_bound(4) == 0.6
    assert weight_for(4, 0.9) == pytest.approx(3.93, abs=0.005)


@pytest.mark.spec("evaluation-functions", 15)
@pytest.mark.parametrize(
    ("widest", "bound", "printed", "exchanged", "least"),
    [
        (2, 0.333333, 5.0580, 3.2988, 3.1130),
        (4, 0.6, 8.2911, 3.9726, 3.9223),
        (10, 0.818182, 12.7277, 4.9862, 4.9859),
        (20, 0.904762, 16.1441, 5.8055, 5.7929),
        (84, 0.976471, 23.2817, 7.5622, 7.4492),
    ],
)
def test_the_one_weight_by_each_reading(
    widest: int, bound: float, printed: float, exchanged: float, least: float
) -> None:
    """T2."""
    assert least_bound(widest) == pytest.approx(bound, abs=1e-6)
    found = [weight_for(widest, least_output(widest, reading)) for reading in Least]
    assert found == pytest.approx([printed, exchanged, least], abs=1e-4)


@pytest.mark.spec("evaluation-functions", 17)
def test_a_conjunction_of_four_by_its_own_weight() -> None:
    """T3."""
    theory, root = conjunction(4)
    network = local_network(theory, [root])
    assert network.neurons[root >> 1] == Neuron(1.0, -3.0)
    outputs = [network.output(root, first(held).__getitem__) for held in range(5)]
    assert outputs == pytest.approx([-0.998178, -0.986614, -0.905148, -0.462117, 0.462117], abs=1e-6)


@pytest.mark.spec("evaluation-functions", 17)
@pytest.mark.spec("evaluation-functions", 18)
def test_a_disjunction_of_two_conjunctions() -> None:
    """T4."""
    theory = Theory()
    three = [theory.all_of([theory.leaf((side, at)) for at in range(3)]) for side in "ab"]
    root = theory.any_of(three)
    assert not isinstance(root, bool)
    network = local_network(theory, [root], gap=1.0)
    conjunctions = [network.neurons[edge >> 1] for edge in three if not isinstance(edge, bool)]
    for neuron in conjunctions:
        assert (neuron.weight, neuron.bias) == pytest.approx((1.608667, -2.0), abs=1e-6)
    assert sufficient_weight(2, 1.0, 1.0) == pytest.approx(1.609438, abs=1e-6)
    whole = network.neurons[root >> 1]
    assert (whole.weight, whole.bias) == pytest.approx((1.0, 0.832905), abs=1e-6)
    for (a, b), expected in {
        (0, 0): -0.524774, (0, 1): -0.519220, (0, 2): -0.393938, (1, 1): -0.513622, (1, 2): -0.387469,
        (2, 2): -0.244919, (0, 3): 0.244919, (1, 3): 0.252081, (2, 3): 0.393938, (3, 3): 0.794274,
    }.items():  # fmt: skip
        held = {("a", at): at < a for at in range(3)} | {("b", at): at < b for at in range(3)}
        output = network.output(root, lambda leaf, held=held: 1.0 if held[leaf] else -1.0)  # type: ignore[misc]
        assert output == pytest.approx(expected, abs=1e-6)


@given(theories(), st.sampled_from([0.1, 0.5, 1.0, 1.9]))
@pytest.mark.spec("evaluation-functions", 18)
@pytest.mark.spec("evaluation-functions", 19)
def test_every_neuron_is_representative_and_every_input_has_its_gap(
    made: tuple[Theory, int], gap: float
) -> None:
    theory, root = made
    network = local_network(theory, [root], gap)
    for number, (inputs, outputs) in limits_of(network).items():
        assert inputs.gap >= gap * (1 - 1e-9)
        assert outputs.is_representative
        assert network.neurons[number].weight >= 1


@given(theories(), st.sampled_from(["printed", "exchanged", "best", 0.1, 0.5, 1.5]))
def test_the_sign_of_a_network_is_the_truth_of_its_formula(
    made: tuple[Theory, int], kind: str | float
) -> None:
    theory, root = made
    if isinstance(kind, str):
        network = global_network(theory, [root], Least(kind))
    else:
        network = local_network(theory, [root], kind)
    for world in worlds():
        truth = theory.truth(root, world.__getitem__)
        output = network.output(root, lambda leaf, world=world: 1.0 if world[leaf] else -1.0)  # type: ignore[misc]
        assert output != 0
        assert (output > 0) is truth
        assert -1 <= output <= 1


@given(theories(), st.floats(-0.9, 0.9), st.floats(0.01, 0.1))
def test_neurons_are_monotone_in_their_parts(made: tuple[Theory, int], value: float, more: float) -> None:
    theory, root = made
    network = local_network(theory, [root])
    at = max(network.neurons)
    node = theory.nodes[at]
    part = node.parts[0]
    if part >> 1 in theory.leaves:
        name = theory.leaves[part >> 1]
        outputs = [
            network.outputs(lambda leaf, own=own: own if leaf == name else -1.0)[at]  # type: ignore[misc]
            for own in (value, value + more)
        ]
        others = [other for other in node.parts[1:] if other >> 1 not in theory.leaves]
        if not others:  # else the leaf may stand in them as well, with another sign
            assert outputs[0] < outputs[1] if not part & 1 else outputs[0] > outputs[1]


@pytest.mark.spec("evaluation-functions", 20)
@pytest.mark.parametrize("gap", [0.25, 0.5, 1.0, 1.5])
def test_first_moves_of_connect_four_have_different_values(gap: float) -> None:
    """T5: 84 lines on a board of 8 by 6; one weight for all tells nothing apart, own weights do."""
    theory = Theory()
    columns, rows = 8, 6
    lines = []
    for column in range(columns):
        for row in range(rows):
            for right, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(column + right * at, row + up * at) for at in range(4)]
                if all(0 <= x < columns and 0 <= y < rows for x, y in cells):
                    lines.append(theory.all_of([theory.leaf(cell) for cell in cells]))
    assert len(lines) == 84
    root = theory.any_of(lines)
    assert not isinstance(root, bool)

    def after(network: Network, *held: tuple[int, int]) -> float:
        return network.output(root, lambda leaf: 1.0 if leaf in held else -1.0)

    for reading in Least:
        network = global_network(theory, [root], reading)
        assert len({after(network, (column, 0)) for column in range(columns)}) == 1
    network = local_network(theory, [root], gap)
    first_moves = [after(network, (column, 0)) for column in range(columns)]
    assert first_moves[0] < first_moves[1] < first_moves[2] < first_moves[3]
    assert first_moves == pytest.approx(first_moves[::-1], rel=1e-14)
    assert max(first_moves) < 0 < after(network, (0, 0), (1, 0), (2, 0), (3, 0))
    if gap == 1.0:
        assert first_moves == pytest.approx([-0.631627] * columns, abs=1e-6)
        assert after(network, (0, 0), (1, 0), (2, 0), (3, 0)) == pytest.approx(0.2504, abs=1e-4)


def test_limits_of_a_disjunction_and_a_conjunction_mirror_each_other() -> None:
    for size in (2, 3, 7):
        both, either = (input_limits(kind, [CRISP] * size) for kind in (Kind.ALL, Kind.ANY))
        assert both.negated() == either
        assert both.gap == 2


@pytest.mark.parametrize("gap", [0, 2, -1, 2.5])
def test_a_gap_outside_its_range_is_refused(gap: float) -> None:
    theory, root = conjunction(2)
    with pytest.raises(ValueError, match="between 0 and 2"):
        local_network(theory, [root], gap)


def test_squashing_is_odd_and_never_overflows() -> None:
    assert squashed(0) == 0
    assert squashed(1) == pytest.approx(-squashed(-1))
    assert squashed(log(3)) == pytest.approx(0.5)
    assert [squashed(-1e4), squashed(1e4)] == [-1.0, 1.0]


def test_pairs_that_share_a_part_come_to_rest() -> None:
    """A part that is raised by a later parent moves its earlier ones."""
    theory = Theory()
    conjunctions = [theory.all_of([theory.leaf(a), theory.leaf(b)]) for a, b in combinations("abcd", 2)]
    narrow = theory.any_of(conjunctions[:2])
    root = theory.all_of([narrow, theory.any_of(conjunctions)])
    assert not isinstance(root, bool)
    for _inputs, outputs in limits_of(local_network(theory, [root])).values():
        assert outputs.is_representative
