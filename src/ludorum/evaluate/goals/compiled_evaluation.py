"""An evaluation of goals in compiled code: the same values, at the speed of compiled searches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..._core import StateValues
from ...engine.compiled import CompiledGame
from ...engine.game import State
from ...rules.terms import Term
from .atom_circuit import AtomCircuit
from .evaluation import CRISP, TERMINALITY_STEPS, GoalEvaluation
from .expansion import asked_by
from .feature_values import TruthValues
from .formula_outputs import edges
from .goal_theory import DerivedAtom, GoalTheory
from .ground_atoms import NoCompiledFormError, derived_atoms, solutions_of
from .leaf import PLAIN, LeafQuery
from .positions import Avoided
from .refinement import QUANTUM, SHARE_OF_GOAL
from .refinement_rows import asked_beside, refinement_rows
from .theory import Formula, Kind
from .value_tables import ValueTables

ALWAYS, NEVER = -1, -2
"""Roots that are no nodes."""


class CompiledEvaluation:
    """The values of an evaluation as it was when this was made."""

    def __init__(self, evaluation: GoalEvaluation, game: CompiledGame, seconds: float | None = None) -> None:
        """NoCompiledFormError where something has no compiled form, or needs more seconds to be ground."""
        self.game = game
        try:
            self.kernel = _compiled(evaluation, game, seconds)
        except ValueError as error:  # numbers out of the bounds of the kernel
            raise NoCompiledFormError(str(error)) from error
        self._goal_values = {role: evaluation.goal_values(role) for role in game.roles}

    def __call__(self, state: State, role: Term) -> float:
        """The goal where the match is over, else a value strictly between 0 and 100."""
        if state.is_terminal:
            return float(state.goal(role) or 0)
        return self.kernel.value(self.game.packed(state), self.game.seat(role))

    def goal_values(self, role: Term) -> tuple[int, ...]:
        return self._goal_values[role]

    @property
    def evaluated(self) -> int:
        """The states that were evaluated, for any role; those that come again are counted again."""
        return self.kernel.evaluated


def _compiled(evaluation: GoalEvaluation, game: CompiledGame, seconds: float | None) -> StateValues:
    goals, network, config = evaluation.goals, evaluation.network, evaluation.config
    theory = network.theory
    formulas = [formula for own in goals.goals.values() for formula in own.values()]
    below = theory.below(edges([*formulas, goals.terminal]))
    leaf_numbers = [number for number in below if number not in network.neurons]
    tables = _tables(evaluation, game, seconds)
    for number in leaf_numbers:
        leaf = theory.leaves[number]
        tables.add_leaf(leaf, evaluation.features.get(leaf, PLAIN))
    inner = [number for number in below if number in network.neurons]
    places = {number: at for at, number in enumerate([*leaf_numbers, *inner])}

    def root(formula: Formula) -> int:
        if isinstance(formula, bool):
            return ALWAYS if formula else NEVER
        return 2 * places[formula >> 1] + (formula & 1)

    values = config.values if evaluation.features else CRISP
    own = [
        [
            (value, root(formula))
            for value, formula in goals.goals.get(role, {}).items()
            if value != config.expected
        ]
        for role in game.roles
    ]
    parts = [[2 * places[part >> 1] + (part & 1) for part in theory.nodes[number].parts] for number in inner]
    beside = refinement_rows(evaluation.refinement, game, tables)
    features = tables.features
    return StateValues(
        tables.circuit.network(tables.atoms),
        sum_offsets=_offsets(tables.sums),
        sum_atoms=_ints(atom for terms in tables.sums for atom, _ in terms),
        sum_weights=_floats(weight for terms in tables.sums for _, weight in terms),
        kinds=_ints(feature.kind for feature in features),
        lasts=_ints(feature.lasts for feature in features),
        otherwise=_ints(feature.otherwise for feature in features),
        place_offsets=_offsets([feature.places for feature in features]),
        places=_ints(place for feature in features for place in feature.places),
        number_offsets=_offsets([feature.numbers for feature in features]),
        numbers=_floats(number for feature in features for number in feature.numbers),
        leaf_atoms=_ints(leaf.atom for leaf in tables.leaves),
        when_true=_ints(leaf.when_true for leaf in tables.leaves),
        when_false=_ints(leaf.when_false for leaf in tables.leaves),
        weights=_floats(network.neurons[number].weight for number in inner),
        biases=_floats(network.neurons[number].bias for number in inner),
        any=_ints(theory.nodes[number].kind is Kind.ANY for number in inner),
        part_offsets=_offsets(parts),
        parts=_ints(part for each in parts for part in each),
        goal_offsets=_offsets(own),
        goal_values=_floats(value for each in own for value, _ in each),
        goal_roots=_ints(place for each in own for _, place in each),
        end=root(goals.terminal),
        expected=config.expected,
        truth_values=_floats(_in_order(values)),
        crisp=not evaluation.features,
        settles=config.settles,
        terminality_steps=TERMINALITY_STEPS,
        quantum=QUANTUM if evaluation.refinement is not None else 0.0,
        goal_share=SHARE_OF_GOAL,
        usual_moves=beside.usual_moves,
        usual_worth=beside.usual_worth,
        held_offsets=_offsets(beside.goals),
        held_atoms=_ints(atom for each in beside.goals for atom, _ in each),
        held_values=_floats(value for each in beside.goals for _, value in each),
        moves=_ints(beside.moves),
        pieces=_ints(beside.pieces),
    )


def _tables(evaluation: GoalEvaluation, game: CompiledGame, seconds: float | None) -> ValueTables:
    """Empty tables, and the atoms that leaves and features ask for."""
    circuit = AtomCircuit(game.circuit.fluents)
    leaves = list(evaluation.goals.theory.leaves.values())
    derived = {}
    if isinstance(evaluation.goals, GoalTheory):
        wanted = [leaf for leaf in leaves if isinstance(leaf, DerivedAtom)]
        derived = derived_atoms(evaluation.goals, wanted, circuit)
    queries = list(_queries(evaluation, game))
    assert game.rules is not None
    solutions = solutions_of(queries, game.rules, game.circuit.fluents, circuit, seconds)
    return ValueTables(circuit, game.circuit.fluents, solutions, derived)


def _queries(evaluation: GoalEvaluation, game: CompiledGame) -> Iterator[LeafQuery]:
    for leaf in evaluation.goals.theory.leaves.values():
        leaf = leaf.leaf if isinstance(leaf, Avoided) else leaf
        if isinstance(leaf, LeafQuery):
            yield leaf
    for features in evaluation.features.values():
        yield from asked_by(features.when_true)
        yield from asked_by(features.when_false)
    if evaluation.refinement is not None:
        yield from asked_beside(evaluation.refinement, game.roles)


def _in_order(values: TruthValues) -> tuple[float, ...]:
    return values.never, values.false, values.near, values.true, values.ever


def _ints(values: Iterable[int]) -> NDArray[np.int32]:
    return np.fromiter(values, np.int32)


def _floats(values: Iterable[float]) -> NDArray[np.float64]:
    return np.fromiter(values, np.float64)


def _offsets(groups: Sequence[Sequence[object]]) -> NDArray[np.int32]:
    return np.cumsum([0, *map(len, groups)], dtype=np.int32)
