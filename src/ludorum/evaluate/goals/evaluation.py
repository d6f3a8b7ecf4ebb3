"""An evaluation function from goals: networks whose leaves say what holds, and what is likely to.

The end of play is looked at first: the nearer it is, the closer leaves move to what is true for ever and what
is false for ever, and the closer the value comes to the goal.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from ...engine.game import State
from ...rules.terms import Term
from .feature_values import TruthValues
from .formula_outputs import ChangedOutputs, FormulaOutputs, SettledOutputs, edges
from .global_weights import global_network
from .kept_values import KeptValues
from .leaf import PLAIN, LeafFeatures, LeafPosition
from .local_weights import GAP, NoWeightsError, local_network
from .networks import Network
from .refinement import Refinement
from .state_value import EXPECTED, state_value
from .theory import Formula, Theory

CRISP = TruthValues(never=-1.0, false=-1.0, near=-1.0, true=1.0, ever=1.0)
"""Leaves are true or false, and no feature tells degrees."""
TERMINALITY_STEPS = 32
"""Terminality is rounded to so many steps: where it moves less, leaves keep their values."""


class Goals(Protocol):
    """The formulas of a game over one theory, and what tells which leaves hold in a state."""

    @property
    def theory(self) -> Theory: ...
    @property
    def goals(self) -> Mapping[Term, Mapping[int, Formula]]: ...
    @property
    def terminal(self) -> Formula: ...
    def position(self, facts: Collection[Term]) -> LeafPosition: ...


class Weights(Enum):
    """How weights follow from the shape of a network."""

    GLOBAL = "global"
    """One weight for all (C-IL2P)."""
    LOCAL = "local"
    """A weight for each neuron, as small as its place allows."""


@dataclass(frozen=True)
class GoalValueConfig:
    """Settings that may be changed, with their defaults."""

    weights: Weights = Weights.LOCAL
    gap: float = GAP
    expected: float = EXPECTED
    """The goal value that is expected where nothing is known."""
    values: TruthValues = field(default_factory=TruthValues)
    """What leaves count for far from the end of play, where there are features."""
    delta: bool = True
    """Whether only what has changed since the last state is computed."""
    keep: bool = True
    """Whether values of states are kept."""
    settles: bool = False
    """Whether what is settled for the rest of a match decides what is above it."""


class GoalEvaluation:
    """The value of a state for a role, 0..100, by networks of its goals."""

    def __init__(
        self,
        goals: Goals,
        features: Mapping[Hashable, LeafFeatures] | None = None,
        config: GoalValueConfig | None = None,
    ) -> None:
        self.goals = goals
        self.config = config or GoalValueConfig()
        self.features = dict(features or {})
        self.network = make_network(goals, self.config)
        self.refinement: Refinement | None = None
        """What is known of a state beside its goals."""
        self._known = KeptValues()
        self._refined = KeptValues()
        self._make_outputs()

    def learn(self, features: Mapping[Hashable, LeafFeatures], refinement: Refinement | None = None) -> None:
        """Use these features of leaves from now on: what was evaluated before is forgotten.

        ``PLAIN`` takes away those that a leaf had.
        """
        self.features = {leaf: own for leaf, own in {**self.features, **features}.items() if own != PLAIN}
        self.refinement = refinement or self.refinement
        self._begin_anew()

    def use(self, network: Network) -> None:
        """Use a trained network of the same shape from now on."""
        self.network = network
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._known.clear()
        self._refined.clear()
        self._make_outputs()

    def after(self, state: State) -> GoalEvaluation:
        """The same evaluation for a state and all that can come after it; what it keeps is shared."""
        position = self.goals.position(frozenset(state.facts()))
        found = copy(self)
        found._end = self._end.after(position)
        found._of_role = {role: outputs.after(position) for role, outputs in self._of_role.items()}
        return found

    def _make_outputs(self) -> None:
        self._end = self._outputs([self.goals.terminal])
        self._of_role = {role: self._outputs(own.values()) for role, own in self.goals.goals.items()}

    def _outputs(self, formulas: Collection[Formula]) -> FormulaOutputs:
        if self.config.settles:
            return SettledOutputs(self.network, formulas, self.features)
        return ChangedOutputs(self.network, formulas, self.features, delta=self.config.delta)

    def __call__(self, state: State, role: Term) -> float:
        """The goal where the match is over, else a value strictly between 0 and 100."""
        if state.is_terminal:
            return float(state.goal(role) or 0)
        facts = frozenset(state.facts())
        if self.refinement is None:
            return self.of_facts(facts, role)
        known = self._refined.find(facts, role) if self.config.keep else None
        if known is None:
            known = self.refinement(state, role, self.of_facts(facts, role))
            self._refined.keep(facts, role, known)
        return known

    def of_facts(self, facts: frozenset[Term], role: Term) -> float:
        """The value by goals alone of a state in which the match is not over."""
        known = self._known.find(facts, role) if self.config.keep else None
        if known is None:
            outputs = self.outputs(self.goals.position(facts), role)
            known = state_value(outputs, self.config.expected)
            self._known.keep(facts, role, known)
        return known

    @property
    def evaluated(self) -> int:
        """The different states that were evaluated, for any role."""
        return self._known.made

    @property
    def computed(self) -> int:
        """Neurons computed so far."""
        return self._end.computed + sum(outputs.computed for outputs in self._of_role.values())

    def leaves(self, role: Term) -> Sequence[Hashable]:
        """The leaves that the value of a role depends on."""
        return self._of_role[role].leaves

    def goal_values(self, role: Term) -> tuple[int, ...]:
        """Those that a match may end with for a role."""
        return tuple(self.goals.goals.get(role, ()))

    def outputs(self, position: LeafPosition, role: Term) -> dict[int, float]:
        """The output of the network of each goal value of a role but the expected one."""
        if role not in self._of_role:
            return {}
        found = self._of_role[role].of(position, self.values_in(position))
        outputs = dict(zip(self.goals.goals[role], found, strict=True))
        return {goal: output for goal, output in outputs.items() if goal != self.config.expected}

    def terminality(self, position: LeafPosition) -> float:
        """How near the end of play is, 0 to 1."""
        (output,) = self._end.of(position, self.config.values)
        return round((output + 1) / 2 * TERMINALITY_STEPS) / TERMINALITY_STEPS

    def leaf_values(self, position: LeafPosition) -> dict[Hashable, float]:
        """What each leaf of the goals counts for in a state."""
        values = self.values_in(position)
        return {
            leaf: self.features.get(leaf, PLAIN).value(position, leaf, values)
            for leaf in self.goals.theory.leaves.values()
        }

    def values_in(self, position: LeafPosition) -> TruthValues:
        """What leaves of goals count for in a state."""
        return self.config.values.at(self.terminality(position)) if self.features else CRISP


def make_network(goals: Goals, config: GoalValueConfig) -> Network:
    """One network for all goals and the end; where no local weights tell truth from falsity, global ones."""
    roots = edges([*(formula for own in goals.goals.values() for formula in own.values()), goals.terminal])
    if config.weights is Weights.LOCAL:
        try:
            return local_network(goals.theory, roots, config.gap)
        except NoWeightsError:
            pass
    return global_network(goals.theory, roots)
