"""An evaluation function from goals: networks whose leaves say what holds, and what is likely to.

The end of play is looked at first: the nearer it is, the closer leaves move to what is true for ever and what
is false for ever, and the closer the value comes to the goal.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from ...engine.game import State
from ...rules.terms import Term
from .feature_values import TruthValues
from .global_weights import global_network
from .kept_values import KeptValues
from .leaf import PLAIN, LeafFeatures, LeafPosition
from .local_weights import GAP, NoWeightsError, local_network
from .network_run import NetworkRun
from .networks import Network
from .state_value import EXPECTED, state_value
from .theory import Edge, Formula, Theory

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
        self._end = NetworkRun(self.network, edges([goals.terminal]))
        self._runs = {
            role: NetworkRun(self.network, edges(own.values())) for role, own in goals.goals.items()
        }
        # Places of leaves that are more than a fluent, in each run: all others are looked up in one sweep.
        self._asked = {
            id(run): [
                at
                for at, leaf in enumerate(run.leaves)
                if leaf in self.features or not isinstance(leaf, Term)
            ]
            for run in (self._end, *self._runs.values())
        }
        self._known = KeptValues()

    def __call__(self, state: State, role: Term) -> float:
        """The goal where the match is over, else a value strictly between 0 and 100."""
        if state.is_terminal:
            return float(state.goal(role) or 0)
        return self.of_facts(frozenset(state.facts()), role)

    def of_facts(self, facts: frozenset[Term], role: Term) -> float:
        """The value of a state in which the match is not over."""
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
        return self._end.computed + sum(run.computed for run in self._runs.values())

    def leaves(self, role: Term) -> Sequence[Hashable]:
        """The leaves that the value of a role depends on."""
        return self._runs[role].leaves

    def goal_values(self, role: Term) -> tuple[int, ...]:
        """Those that a match may end with for a role."""
        return tuple(self.goals.goals.get(role, ()))

    def outputs(self, position: LeafPosition, role: Term) -> dict[int, float]:
        """The output of the network of each goal value of a role but the expected one."""
        own = {
            goal: formula
            for goal, formula in self.goals.goals.get(role, {}).items()
            if goal != self.config.expected
        }
        if role not in self._runs:
            return {}
        run = self._runs[role]
        self._set(run, position, self.values_in(position))
        return {goal: output_of(run, formula) for goal, formula in own.items()}

    def terminality(self, position: LeafPosition) -> float:
        """How near the end of play is, 0 to 1."""
        self._set(self._end, position, self.config.values)
        nearness = (output_of(self._end, self.goals.terminal) + 1) / 2
        return round(nearness * TERMINALITY_STEPS) / TERMINALITY_STEPS

    def values_in(self, position: LeafPosition) -> TruthValues:
        """What leaves of goals count for in a state."""
        return self.config.values.at(self.terminality(position)) if self.features else CRISP

    def _set(self, run: NetworkRun, position: LeafPosition, values: TruthValues) -> None:
        found = [
            values.true if holds else values.false for holds in map(position.facts.__contains__, run.leaves)
        ]
        for at in self._asked[id(run)]:
            leaf = run.leaves[at]
            found[at] = self.features.get(leaf, PLAIN).value(position, leaf, values)
        run.set_leaves(found, delta=self.config.delta)


def make_network(goals: Goals, config: GoalValueConfig) -> Network:
    """One network for all goals and the end; where no local weights tell truth from falsity, global ones."""
    roots = edges([*(formula for own in goals.goals.values() for formula in own.values()), goals.terminal])
    if config.weights is Weights.LOCAL:
        try:
            return local_network(goals.theory, roots, config.gap)
        except NoWeightsError:
            pass
    return global_network(goals.theory, roots)


def edges(formulas: Iterable[Formula]) -> list[Edge]:
    """Those that are no constants."""
    return [formula for formula in formulas if not isinstance(formula, bool)]


def output_of(run: NetworkRun, formula: Formula) -> float:
    if isinstance(formula, bool):
        return 1.0 if formula else -1.0
    return run.output(formula)
