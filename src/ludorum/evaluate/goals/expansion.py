"""Goals as one theory without grounding the sheet: rules are unfolded from the goals down, level by level.

Parts that share no variable are expanded by themselves. A conjunction whose parts share variables is
instantiated by relations that never change first; where that is too much, and where a relation depends on
itself, it is a leaf that is asked of the rules as a whole. Fluents with variables stay leaves as long as
features are wanted that count them. What leaves look like while they hold or do not is found on the way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...rules.dependencies import strong_components
from ...rules.normalise.substitute_rules import rename_apart
from ...rules.ruleset import Atom, Not, Ruleset
from ...rules.terms import Term, Variable
from ...rules.unify import unify
from .conjunctions import (
    Conjunction,
    canonical,
    components,
    every_atom,
    fluent_of,
    variables_in,
    with_values,
)
from .count_chains import is_chained
from .detection import Detect, Detector
from .distance_features import FixedDistance, Mobility
from .goal_theory import MOST_NODES, TERMINAL
from .instances import MOST_INSTANCES, NONE, Instantiator, TooManyInstancesError, simplified
from .leaf import PLAIN, LeafFeature, LeafFeatures, LeafQuery
from .positions import AskedPosition, Avoided, Positions
from .relations import TRUE, Relations
from .solution_features import SolutionCount, query_of
from .theory import Formula, Kind, Theory, negated


@dataclass(frozen=True)
class Expansion:
    """The formulas of a sheet over one theory. Its leaves are fluents, queries, and both ``Avoided``."""

    theory: Theory
    goals: Mapping[Term, Mapping[int, Formula]]
    """Of each role the formula of each of its goal values."""
    terminal: Formula
    features: Mapping[Hashable, LeafFeatures]
    """Of the leaves that have features."""
    positions: Positions

    def position(self, facts: Collection[Term]) -> AskedPosition:
        return self.positions.at(facts)

    @property
    def fluents(self) -> list[Term]:
        """The leaves that are single fluents, of which more can be found out (``lazy_features``)."""
        return [leaf for leaf in self.theory.leaves.values() if isinstance(leaf, Term)]

    def distance(self, fluent: Term) -> LeafFeature | None:
        """What speaks while a fluent does not hold, if something does."""
        return self.features.get(fluent, PLAIN).when_false


def expand_goals(
    rules: Ruleset,
    detect: Detect = Detect.ALL,
    most_nodes: int = MOST_NODES,
    most_instances: int = MOST_INSTANCES,
) -> Expansion:
    """The goals of all roles and the end of play, and the features of these kinds."""
    relations = Relations(rules)
    detector = Detector(rules, relations, detect)
    planner = _Planner(relations, detector, detect.keeps_queries, most_nodes, most_instances)
    values = relations.goal_values
    ends = {
        (role, value): planner.ref((Atom(Term("goal", (role, Term(str(value))))),))
        for role in relations.roles
        for value in values
    }
    end = planner.ref((Atom(TERMINAL),))
    planner.expand()
    found = {leaf: key for key, leaf in planner.leaves.items()}
    roots = [*ends.values(), end]
    features = {**planner.features, **detector.of_fluents(found, [planner.below(root) for root in roots])}
    builder = _Builder(planner, _avoided(relations.roles, detector, features))
    goals = {
        role: _possible({value: builder.goal(ends[role, value], role, value, values) for value in values})
        for role in relations.roles
    }
    terminal = builder.formula(end)
    features.update(builder.avoided())
    kept = {leaf: features[leaf] for leaf in builder.theory.leaves.values() if leaf in features}
    positions = Positions(rules, _queries(builder.theory.leaves.values(), kept.values()))
    return Expansion(builder.theory, goals, terminal, _measured(kept, positions.initial()), positions)


def _possible(goals: Mapping[int, Formula]) -> dict[int, Formula]:
    return {value: formula for value, formula in goals.items() if formula is not False}


Ref = tuple[Conjunction | bool, bool]
"""A conjunction or a constant, and whether it is negated."""


@dataclass(frozen=True)
class GoalPart:
    """What a conjunction is made of; a leaf has no parts."""

    kind: Kind
    parts: tuple[Ref, ...] = ()


class _Planner:
    """Decides from the goals down what becomes a node and what a leaf."""

    def __init__(
        self,
        relations: Relations,
        detector: Detector,
        keeps_queries: bool,
        most_nodes: int,
        most_instances: int,
    ) -> None:
        self.plans: dict[Conjunction, GoalPart] = {}
        self.leaves: dict[Conjunction, Hashable] = {}
        self.features: dict[Hashable, LeafFeatures] = {}
        self._relations = relations
        self._detector = detector
        self._keeps_queries = keeps_queries
        self._instantiator = Instantiator(relations, most_instances)
        self._left = most_nodes
        self._paid: set[Conjunction] = set()
        """Instances, which are counted as nodes together with the disjunction of them."""
        self._waiting: deque[Conjunction] = deque()
        self._seen: set[Conjunction] = set()

    def ref(self, literals: Conjunction) -> Ref:
        """What stands for a conjunction; it is expanded in its turn."""
        found = self._named(literals)
        if not isinstance(found[0], bool) and found[0] not in self._seen:
            self._seen.add(found[0])
            self._waiting.append(found[0])
        return found

    def _named(self, literals: Conjunction) -> Ref:
        simple = simplified(literals, self._relations)
        if isinstance(simple, bool):
            return simple, False
        only = simple[0]
        if len(simple) == 1 and isinstance(only, Not):
            assert isinstance(only.body, Atom)  # comparisons are decided, or bound by something
            return canonical((only.body,)), True
        return canonical(simple), False

    def expand(self) -> None:
        while self._waiting:
            key = self._waiting.popleft()
            self.plans[key] = self._plan(key)

    def below(self, ref: Ref) -> set[Hashable]:
        """The leaves that a part is made of."""
        waiting = [] if isinstance(ref[0], bool) else [ref[0]]
        seen = set(waiting)
        while waiting:
            parts = {key for key, _ in self.plans[waiting.pop()].parts if not isinstance(key, bool)}
            waiting += parts - seen
            seen |= parts
        return {self.leaves[key] for key in seen if key in self.leaves}

    def _plan(self, key: Conjunction) -> GoalPart:
        parts = components(key)
        if len(parts) > 1:
            return self._node(key, Kind.ALL, parts)
        return self._plan_literal(key) if len(key) == 1 else self._plan_shared(key)

    def _plan_literal(self, key: Conjunction) -> GoalPart:
        (literal,) = key
        if not isinstance(literal, Atom):
            return self._leaf(key, PLAIN)
        signature, fluent = literal.term.signature, fluent_of(literal)
        if self._relations.is_recursive(signature):
            return self._leaf(key, self._detector.of_recursive(key))
        if signature == TRUE:
            if fluent is not None and not fluent.is_ground and not self._keeps_queries:
                return self._instances(key, frozenset(variables_in(key)))
            return self._leaf(key, PLAIN)
        bodies = []
        for rule in self._relations.by_signature.get(signature, ()):
            rule = rename_apart(rule, variables_in(key))
            values = unify(rule.head, literal.term)
            if values is not None:
                bodies.append(with_values(rule.body, values))  # type: ignore[arg-type]
        return self._node(key, Kind.ANY, bodies)

    def _plan_shared(self, key: Conjunction) -> GoalPart:
        """Of a conjunction whose literals share variables."""
        found = self._detector.before_instances(key)
        if found is not None:
            return self._leaf(key, found)
        recursive = any(self._relations.is_recursive(atom.signature) for atom in every_atom(key))
        if recursive or is_chained(key, self._relations):
            return self._leaf(key, self._detector.instead_of_instances(key))
        return self._instances(key)

    def _instances(self, key: Conjunction, also: frozenset[Variable] = NONE) -> GoalPart:
        try:
            found = self._instantiator.instances(key, also)
        except TooManyInstancesError:
            return self._leaf(key, self._detector.instead_of_instances(key))
        new = {one for one in found if len(one) > 1 and one not in self._seen}
        if len(found) > 1 and len(new) + 1 > self._left:
            return self._leaf(key, self._detector.instead_of_instances(key))
        self._left -= len(new)
        self._paid |= new
        return self._node(key, Kind.ANY, found)

    def _node(self, key: Conjunction, kind: Kind, bodies: Sequence[Conjunction]) -> GoalPart:
        """The node of some parts, or a leaf where no more nodes may be made."""
        parts = {part for part in map(self._named, bodies) if not isinstance(part[0], bool)}
        cost = int(len(parts) > 1 and key not in self._paid)
        if cost > self._left:
            return self._leaf(key, self._detector.instead_of_instances(key))
        self._left -= cost
        return GoalPart(kind, tuple(self.ref(body) for body in bodies))

    def _leaf(self, key: Conjunction, features: LeafFeatures) -> GoalPart:
        fluent = fluent_of(key[0]) if len(key) == 1 else None
        asked = fluent is None or not fluent.is_ground or self._relations.derives_facts
        leaf: Hashable = query_of(key) if asked else fluent
        self.leaves[key] = leaf
        if features != PLAIN:
            self.features[leaf] = features
        return GoalPart(Kind.LEAF)


Avoidance = Mapping[Term, Mapping[Hashable, LeafFeature]]
"""Of each role the leaves that it can change itself, with what stands for their distance to be kept."""


def _avoided(
    roles: Iterable[Term], detector: Detector, features: Mapping[Hashable, LeafFeatures]
) -> Avoidance:
    found: dict[Term, dict[Hashable, LeafFeature]] = {}
    for role in roles:
        for leaf, own in features.items():
            if isinstance(own.when_false, FixedDistance):
                feature = detector.avoided_by(role, own.when_false)
                if feature is not None:
                    found.setdefault(role, {})[leaf] = feature
    return found


Part = tuple[Conjunction, Term | None, bool]
"""A conjunction in a goal of a role that avoids something, and whether the role wants it to hold."""


class _Builder:
    """Makes the theory from plans."""

    def __init__(self, planner: _Planner, avoidance: Avoidance) -> None:
        self.theory = Theory(flat=True)
        self._planner = planner
        self._avoidance = avoidance
        self._made: dict[Part, Formula] = {}

    def goal(self, ref: Ref, role: Term, value: int, values: Sequence[int]) -> Formula:
        """The formula of a goal. In the best and the worst what is to be kept away from is told apart."""
        if role in self._avoidance and len(values) > 1 and value in (values[0], values[-1]):
            return self.formula(ref, role, value == values[-1])
        return self.formula(ref)

    def formula(self, ref: Ref, role: Term | None = None, is_wanted: bool = True) -> Formula:
        key, is_negated = ref
        if isinstance(key, bool):
            return key != is_negated
        root = self._part(key, is_negated, role, is_wanted)
        for (part,) in strong_components([root], self._below):
            if part not in self._made:
                self._made[part] = self._make(part)
        return negated(self._made[root]) if is_negated else self._made[root]

    @staticmethod
    def _part(key: Conjunction, is_negated: bool, role: Term | None, is_wanted: bool) -> Part:
        return key, role, is_wanted != is_negated if role is not None else True

    def _below(self, part: Part) -> list[Part]:
        key, role, is_wanted = part
        if part in self._made:
            return []
        return [
            self._part(inner, is_negated, role, is_wanted)
            for inner, is_negated in self._planner.plans[key].parts
            if not isinstance(inner, bool)
        ]

    def _make(self, part: Part) -> Formula:
        key, role, is_wanted = part
        plan = self._planner.plans[key]
        if plan.kind is Kind.LEAF:
            leaf = self._planner.leaves[key]
            avoids = role is not None and not is_wanted and leaf in self._avoidance[role]
            return self.theory.leaf(Avoided(leaf, role) if role is not None and avoids else leaf)
        formulas: list[Formula] = []
        for inner, is_negated in plan.parts:
            if isinstance(inner, bool):
                formulas.append(inner != is_negated)
            else:
                made = self._made[self._part(inner, is_negated, role, is_wanted)]
                formulas.append(negated(made) if is_negated else made)
        return self.theory.all_of(formulas) if plan.kind is Kind.ALL else self.theory.any_of(formulas)

    def avoided(self) -> dict[Hashable, LeafFeatures]:
        """The features of leaves that are avoided."""
        return {
            leaf: LeafFeatures(when_false=self._avoidance[leaf.role][leaf.leaf])
            for leaf in self.theory.leaves.values()
            if isinstance(leaf, Avoided)
        }


def _queries(leaves: Iterable[Hashable], features: Iterable[LeafFeatures]) -> Iterator[LeafQuery]:
    """What is asked of a state."""
    for leaf in leaves:
        leaf = leaf.leaf if isinstance(leaf, Avoided) else leaf
        if isinstance(leaf, LeafQuery):
            yield leaf
    for found in features:
        yield from asked_by(found.when_true)
        yield from asked_by(found.when_false)


def asked_by(feature: LeafFeature | None) -> tuple[LeafQuery, ...]:
    """The queries of a feature; those that ask nothing need not say so."""
    found: tuple[LeafQuery, ...] = getattr(feature, "asks", ())
    return found


def _measured(
    features: Mapping[Hashable, LeafFeatures], initial: AskedPosition
) -> dict[Hashable, LeafFeatures]:
    """The features with the counts of the first state, but those that cost too much there."""

    def measured(feature: LeafFeature | None) -> LeafFeature | None:
        if not all(map(initial.is_cheap, asked_by(feature))):
            return None
        if isinstance(feature, (SolutionCount, Mobility)):
            return replace(feature, at_start=sum(map(initial.count, feature.asks)))
        return feature

    found = {
        leaf: LeafFeatures(measured(own.when_true), measured(own.when_false))
        for leaf, own in features.items()
    }
    return {leaf: own for leaf, own in found.items() if own != PLAIN}
