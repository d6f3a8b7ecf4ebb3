"""What is settled counts for exactly false or true, and the rest of a network gives the same as before."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cache
from itertools import islice
from math import tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum._core import SplitMix64
from ludorum.engine.game import Game, random_states
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.goal_theory import GoalTheory, goal_theory
from ludorum.evaluate.goals.lasting_features import lasting_truth
from ludorum.evaluate.goals.lazy_features import graph_distances, lazy_features
from ludorum.evaluate.goals.leaf import PLAIN, LeafFeatures, LeafPosition
from ludorum.evaluate.goals.local_weights import local_network
from ludorum.evaluate.goals.networks import Network, Neuron
from ludorum.evaluate.goals.settled import SettlingRun, settled_nodes, specialised
from ludorum.evaluate.goals.step_rules import StepRules
from ludorum.evaluate.goals.theory import Edge, Formula, Kind, Theory
from ludorum.rules.terms import Term
from ludorum.solve.prove.goal_persistence import prove_persistence
from tests.evaluate.goals.random_theories import LEAVES, theories, worlds

Known = dict[Hashable, bool]
lasting_leaves = st.dictionaries(st.sampled_from(LEAVES), st.booleans(), max_size=4)
values_of_leaves = st.fixed_dictionaries({leaf: st.floats(-0.9, 0.9) for leaf in LEAVES})


def network_of(theory: Theory, root: Edge) -> Network:
    """Any weights, different for each neuron."""
    inner = [number for number in theory.below([root]) if theory.nodes[number].kind is not Kind.LEAF]
    return Network(theory, {number: Neuron(1 + number / 7, (number % 5 - 2) / 3) for number in inner})


@given(theories(), lasting_leaves)
def test_what_is_settled_has_one_truth_in_all_worlds(
    made: tuple[Theory, int], lasting: Mapping[Hashable, bool]
) -> None:
    theory, root = made
    settled = settled_nodes(theory, [root], lasting.get)
    possible = [world for world in worlds() if all(world[leaf] is truth for leaf, truth in lasting.items())]
    for number, truth in settled.items():
        assert {theory.truth(2 * number, world.__getitem__) for world in possible} == {truth}


@pytest.mark.spec("evaluation-functions", 41)
@given(theories(), lasting_leaves, values_of_leaves)
def test_settled_nodes_count_for_exactly_false_or_true(
    made: tuple[Theory, int], lasting: Mapping[Hashable, bool], values: Mapping[Hashable, float]
) -> None:
    theory, root = made
    network = network_of(theory, root)
    settled = settled_nodes(theory, [root], lasting.get)
    for number in network.neurons:
        run = SettlingRun(network)
        (output,) = run.outputs([2 * number], values.__getitem__, lasting.get).values()
        if number in settled:
            assert output == (1.0 if settled[number] else -1.0)
        else:
            assert -1 < output < 1
            parts = theory.nodes[number].parts
            below = run.outputs([part & ~1 for part in parts], values.__getitem__, lasting.get)
            total = sum(-below[part & ~1] if part & 1 else below[part & ~1] for part in parts)
            neuron = network.neurons[number]
            assert output == pytest.approx(tanh(neuron.weight * (total + neuron.bias) / 2), abs=1e-12)


@given(theories(), values_of_leaves)
def test_where_nothing_lasts_nothing_changes(
    made: tuple[Theory, int], values: Mapping[Hashable, float]
) -> None:
    theory, root = made
    network = network_of(theory, root)
    run = SettlingRun(network)
    assert run.outputs([root], values.__getitem__, lambda _: None) == {
        root: network.output(root, values.__getitem__)
    }
    assert run.visited == len(theory.below([root]))


@pytest.mark.spec("evaluation-functions", 42)
@given(theories(), lasting_leaves, lasting_leaves, values_of_leaves)
def test_a_specialised_network_gives_the_same(
    made: tuple[Theory, int],
    lasting: Mapping[Hashable, bool],
    later: Mapping[Hashable, bool],
    values: Mapping[Hashable, float],
) -> None:
    theory, root = made
    network = network_of(theory, root)
    small = specialised(network, [root, root ^ 1], lasting.get)
    told = small.roots[root]
    assert small.roots[root ^ 1] == (not told if isinstance(told, bool) else told ^ 1)
    assert set(small.network.theory.leaves.values()).isdisjoint(lasting)
    whole = SettlingRun(network)
    for now, exact in ((lasting, True), ({**later, **lasting}, False)):
        (expected,) = whole.outputs([root], values.__getitem__, now.get).values()
        if isinstance(told, bool):
            assert expected == (1.0 if told else -1.0)
        else:
            run = SettlingRun(small.network)
            (output,) = run.outputs([told], values.__getitem__, now.get).values()
            assert output == expected if exact else output == pytest.approx(expected, abs=1e-12)
            if exact:
                assert output == small.network.output(told, values.__getitem__)
                assert run.visited <= len(small.network.theory)


class Judged:
    """A game with networks of its goals, and features of fluents that last."""

    def __init__(self, name: str) -> None:
        self.game: Game = load_game(name)
        assert self.game.rules is not None
        self.goals: GoalTheory = goal_theory(self.game.rules)
        formulas = [*(one for own in self.goals.goals.values() for one in own.values()), self.goals.terminal]
        self.roots = [one for one in dict.fromkeys(formulas) if not isinstance(one, bool)]
        self.network = local_network(self.goals.theory, self.roots)
        fluents = [leaf for leaf in self.goals.theory.leaves.values() if isinstance(leaf, Term)]
        found = lazy_features(
            fluents,
            lambda _: None,
            [prove_persistence(self.game, self.goals.program, fluents)],
            graph_distances(StepRules(self.goals.program)),
        )
        self.features: dict[Hashable, LeafFeatures] = dict(found)

    def lasting(self, position: LeafPosition) -> Callable[[Hashable], bool | None]:
        return lambda leaf: lasting_truth(self.features.get(leaf, PLAIN), position, leaf)

    @staticmethod
    def crisp(position: LeafPosition) -> Callable[[Hashable], float]:
        return lambda leaf: 1.0 if position.holds(leaf) else -1.0


judged = cache(Judged)


def edges(formulas: Mapping[Edge, Formula]) -> list[Edge]:
    return [one for one in formulas.values() if not isinstance(one, bool)]


@pytest.mark.spec("evaluation-functions", 41)
@pytest.mark.parametrize("name", ["tictactoe", pytest.param("connect_four", marks=pytest.mark.long)])
def test_fewer_nodes_are_visited_and_ends_stay_as_true(name: str) -> None:
    own = judged(name)
    theory = own.goals.theory
    ends, visits, all_nodes = 0, 0, len(theory.below(own.roots))
    for seed in range(6):
        for state in islice(random_states(own.game.initial(), SplitMix64(seed)), 100):
            position = own.goals.position(state.facts())
            run = SettlingRun(own.network)
            outputs = run.outputs(own.roots, own.crisp(position), own.lasting(position))
            assert run.visited <= all_nodes
            if state.is_terminal:
                ends += 1
                visits += run.visited
                for root, output in outputs.items():
                    assert (output > 0) is theory.truth(root, position.holds)
    assert ends == 6
    assert visits < ends * all_nodes * 0.9


@pytest.mark.spec("evaluation-functions", 42)
@pytest.mark.parametrize("name", ["tictactoe", pytest.param("connect_four", marks=pytest.mark.long)])
def test_the_rest_of_a_match_needs_less_and_values_the_same(name: str) -> None:
    own = judged(name)
    states = list(random_states(own.game.initial(), SplitMix64(5)))
    sizes = []
    for at, now in enumerate(states):
        small = specialised(own.network, own.roots, own.lasting(own.goals.position(now.facts())))
        sizes.append(len(small.network.theory))
        for later in states[at:]:
            position = own.goals.position(later.facts())
            whole, rest = SettlingRun(own.network), SettlingRun(small.network)
            arguments = own.crisp(position), own.lasting(position)
            expected = whole.outputs(own.roots, *arguments)
            outputs = rest.outputs(edges(small.roots), *arguments)
            assert rest.visited <= whole.visited
            for root, told in small.roots.items():
                if isinstance(told, bool):
                    assert expected[root] == (1.0 if told else -1.0)
                elif later is now:
                    assert outputs[told] == expected[root]
                else:
                    assert outputs[told] == pytest.approx(expected[root], abs=1e-12)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0] / 2
