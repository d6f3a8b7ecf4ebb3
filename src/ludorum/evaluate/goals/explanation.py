"""What an evaluation from goals says of a state: each part of the goals in words, and what it is worth.

A part is a leaf of the network: a fact, or a question about the state. It counts for a number from -1, false
for ever, to 1, true for ever. What it is *worth* are the points by which the value of a role would be higher
if it counted for 1 instead of -1, and all else were the same. What cannot matter any more is worth nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from ...engine.game import State
from ...rules.dependencies import Dependencies
from ...rules.ruleset import Ruleset, format_formula, signed_atoms
from ...rules.syntax import Node
from ...rules.terms import Term, format_term, match
from .conjunctions import line_of
from .evaluation import GoalEvaluation, Goals
from .formula_outputs import edges
from .goal_theory import TERMINAL, DerivedAtom, GoalTheory
from .lasting_features import lasting_truth
from .leaf import PLAIN, LeafFeatures, LeafPosition, LeafQuery
from .network_run import NetworkRun
from .networks import Network
from .positions import Avoided
from .settled import SettlingRun, Specialised, specialised, truth_output
from .state_value import state_value
from .theory import Formula

FACT = "fact"
"""The kind of leaves without a feature: they count for what holds now."""


@dataclass(frozen=True)
class ExplainedPart:
    """One leaf in a state."""

    leaf: Hashable
    words: str
    """What it looks at."""
    kind: str
    """``fact``, or the kind of the feature that speaks in this state."""
    line: int
    """Where the sheet asks for it; 0 where no line does."""
    holds: bool
    value: float
    """What it counts for, -1 to 1."""
    worth: Mapping[Term, float]
    """By role, in points; roles whose goals do not depend on it are left out."""
    weight: Mapping[Term, Mapping[int, float]]
    """By role and goal value: the products of all weights on its ways up to the goal, summed up."""

    @property
    def most(self) -> float:
        """What it is worth to the role to which it is worth most."""
        return max(map(abs, self.worth.values()), default=0.0)

    def as_json(self) -> dict[str, object]:
        return {
            "text": self.words,
            "kind": self.kind,
            "line": self.line,
            "holds": self.holds,
            "value": self.value,
            "worth": {format_term(role): worth for role, worth in self.worth.items()},
            "weight": {
                format_term(role): {str(goal): weight for goal, weight in own.items()}
                for role, own in self.weight.items()
            },
        }


@dataclass(frozen=True)
class ExplainedValue:
    """What an evaluation says of one state."""

    parts: Sequence[ExplainedPart]
    """Those that are worth most first."""
    values: Mapping[Term, float]
    """By role, 0 to 100."""
    outputs: Mapping[Term, Mapping[int, float]]
    """By role and goal value how near the goal is, -1 to 1; the expected goal value is left out."""
    terminality: float
    """How near the end of play is, 0 to 1."""
    nodes: Mapping[int, float]
    """The output of each node of the network in this state."""
    evaluation: GoalEvaluation


def explain_value(evaluation: GoalEvaluation, rules: Ruleset, state: State) -> ExplainedValue:
    """All that the values of a state come from."""
    position = evaluation.goals.position(frozenset(state.facts()))
    here = _StateOutputs(evaluation, position)
    roles = {role: _RoleParts(here, role) for role in evaluation.goals.goals}
    lines = _LeafLines(rules, evaluation.goals)
    parts = [
        _part(leaf, position.holds(leaf), value, evaluation.features.get(leaf, PLAIN), lines, roles)
        for leaf, value in here.counted.items()
    ]
    return ExplainedValue(
        sorted(parts, key=lambda part: -part.most),
        {role: evaluation(state, role) for role in roles},
        {role: evaluation.outputs(position, role) for role in roles},
        evaluation.terminality(position),
        here.nodes(),
        evaluation,
    )


class _StateOutputs:
    """Outputs of an evaluation's networks in one state, as they are and as they would be."""

    def __init__(self, evaluation: GoalEvaluation, position: LeafPosition) -> None:
        self.evaluation = evaluation
        self.counted = evaluation.leaf_values(position)
        """What each leaf counts for."""
        self._position = position

    def lasting(self, leaf: Hashable) -> bool | None:
        """The truth of a leaf for the rest of the match, where that is settled."""
        if not self.evaluation.config.settles:
            return None
        return lasting_truth(self.evaluation.features.get(leaf, PLAIN), self._position, leaf)

    def nodes(self) -> dict[int, float]:
        """The output of every node."""
        network = self.evaluation.network
        numbers = [*network.neurons, *network.theory.leaves]
        run = SettlingRun(network)
        found = run.outputs([2 * number for number in numbers], self.counted.__getitem__, self.lasting)
        return {edge >> 1: output for edge, output in found.items()}


def _part(
    leaf: Hashable,
    holds: bool,
    value: float,
    features: LeafFeatures,
    lines: _LeafLines,
    roles: Mapping[Term, _RoleParts],
) -> ExplainedPart:
    feature = features.when_true if holds else features.when_false
    return ExplainedPart(
        leaf,
        leaf_text(leaf, lines.goals) if feature is None else str(getattr(feature, "text", feature.kind)),
        FACT if feature is None else feature.kind,
        getattr(feature, "line", 0) or lines.of(leaf),
        holds,
        value,
        {role: own.worth[leaf] for role, own in roles.items() if leaf in own.worth},
        {role: own.weights.get(leaf, {}) for role, own in roles.items() if leaf in own.worth},
    )


class _RoleParts:
    """What each leaf means for the value of one role."""

    def __init__(self, here: _StateOutputs, role: Term) -> None:
        goals, network = here.evaluation.goals, here.evaluation.network
        self._expected = here.evaluation.config.expected
        self._goals = {goal: formula for goal, formula in goals.goals[role].items() if goal != self._expected}
        roots = edges(self._goals.values())
        below = goals.theory.below(roots)
        self.worth: dict[Hashable, float] = dict.fromkeys(
            (goals.theory.leaves[number] for number in below if number in goals.theory.leaves), 0.0
        )
        left = specialised(network, roots, here.lasting)
        run = NetworkRun(left.network, edges(left.roots.values()))
        counted = [here.counted[leaf] for leaf in run.leaves]
        for at, leaf in enumerate(run.leaves):
            most, least = (
                self._value(run, left, [*counted[:at], value, *counted[at + 1 :]]) for value in (1.0, -1.0)
            )
            self.worth[leaf] = most - least
        self.weights = self._weights(network)

    def _value(self, run: NetworkRun, left: Specialised, counted: list[float]) -> float:
        run.set_leaves(counted)
        outputs = {}
        for goal, formula in self._goals.items():
            rest = formula if isinstance(formula, bool) else left.roots[formula]
            outputs[goal] = truth_output(rest) if isinstance(rest, bool) else run.output(rest)
        return state_value(outputs, self._expected)

    def _weights(self, network: Network) -> dict[Hashable, dict[int, float]]:
        found: dict[Hashable, dict[int, float]] = {}
        for goal, formula in self._goals.items():
            for leaf, weight in leaf_weights(network, formula).items():
                found.setdefault(leaf, {})[goal] = weight
        return found


def leaf_weights(network: Network, root: Formula) -> dict[Hashable, float]:
    """Of each leaf the product of all weights on its way up to a root, with signs; ways are summed up."""
    if isinstance(root, bool):
        return {}
    theory = network.theory
    found = dict.fromkeys(theory.below([root]), 0.0)
    found[root >> 1] = -1.0 if root & 1 else 1.0
    for number in reversed(found):
        for part in theory.nodes[number].parts:
            weight = found[number] * network.neurons[number].weight
            found[part >> 1] += -weight if part & 1 else weight
    return {theory.leaves[number]: weight for number, weight in found.items() if number in theory.leaves}


def leaf_text(leaf: Hashable, goals: Goals) -> str:
    """A leaf in words."""
    if isinstance(leaf, Avoided):
        return f"{leaf_text(leaf.leaf, goals)}, which {leaf.role} keeps away from"
    if isinstance(leaf, LeafQuery):
        values = " ".join(map(str, leaf.variables))
        asked = " ".join(map(format_formula, leaf.body))
        return f"{asked} for some {values}" if values else asked
    if isinstance(leaf, DerivedAtom) and isinstance(goals, GoalTheory):
        return str(goals.program.atoms[leaf.number])
    return str(leaf)


class _LeafLines:
    """The line of a sheet on which goals, or the end of play, ask for a leaf: where they first come to it."""

    def __init__(self, rules: Ruleset, goals: Goals) -> None:
        self.goals = goals
        self._source = rules.source
        uses = Dependencies(rules).uses
        asked = [("goal", 2), TERMINAL.signature]
        for relation in asked:  # grows as it goes, the nearest to the goals first
            asked += sorted(uses.get(relation, frozenset()) - set(asked))
        self._rules = [rule for relation in asked for rule in rules.by_signature.get(relation, ())]

    def of(self, leaf: Hashable) -> int:
        if isinstance(leaf, Avoided):
            return self.of(leaf.leaf)
        if isinstance(leaf, LeafQuery):
            return line_of(leaf.body, self._source)  # type: ignore[arg-type]
        if isinstance(leaf, DerivedAtom) and isinstance(self.goals, GoalTheory):
            atom = self.goals.program.atoms[leaf.number]
            found = (rule.node for rule in self._rules if atom is not None and _fits(rule.head, atom))
        else:
            found = (
                atom.node
                for rule in self._rules
                for atom, _ in signed_atoms(rule.body)
                if isinstance(leaf, Term) and _fits(atom.term, Term("true", (leaf,)))
            )
        return next((self._line(node) for node in found if node.span.end), 0)

    def _line(self, node: Node) -> int:
        return self._source.position(node.span.start)[0]


def _fits(pattern: Term, atom: Term) -> bool:
    return match(pattern, atom, {}) is not None
