"""Which features the leaves of goals have: found in the rules, without playing.

What is looked for can be chosen, so that versions of an evaluation function can be compared.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from enum import Flag, auto
from functools import cached_property
from itertools import product

from ...rules.ruleset import Atom, Ruleset
from ...rules.terms import Pattern, Signature, Term, Variable, substitute, variables_of
from ...rules.unify import resolve, unify
from .argument_graphs import ArgumentGraphs, StepGraph
from .conjunctions import Conjunction, canonical, every_atom, fluent_of, line_of, written
from .count_chains import CountChain, chain_of
from .distance_features import (
    FixedDistance,
    Meeting,
    Mobility,
    TwinValues,
    counting_graph,
    is_confirmed,
    meeting_places,
    moves_of,
    opened_at,
    twin_places,
)
from .leaf import PLAIN, LeafFeature, LeafFeatures
from .order_feature import OrderMargin, Side, compared, parts_without
from .relations import Relations
from .solution_features import PartialSolutions, SolutionCount, prefixes_of, query_of
from .step_clauses import step_clauses

MOST_EVOLVED = 4096
"""The most fluents that are looked at to tell whether all that one can become are part of the goals."""


class Detect(Flag):
    """Kinds of features that are looked for."""

    NOTHING = 0
    SOLUTIONS = auto()
    PARTIAL_SOLUTIONS = auto()
    ORDER = auto()
    VARIABLE_DISTANCE = auto()
    FIXED_DISTANCE = auto()
    """Of fluents without variables."""
    FIXED_DISTANCE_OF_QUERIES = auto()
    """Of fluents with variables."""
    MOBILITY = auto()
    """Instead of distances that are to stay large."""
    CHAINS = auto()
    """Counts that pass over conditions that fail."""
    COUNTS = SOLUTIONS | PARTIAL_SOLUTIONS
    DISTANCES = ORDER | VARIABLE_DISTANCE | FIXED_DISTANCE | FIXED_DISTANCE_OF_QUERIES | MOBILITY
    ALL = COUNTS | DISTANCES | CHAINS

    @property
    def keeps_queries(self) -> bool:
        """Whether fluents with variables stay what they are, since some feature is of them."""
        return bool(self & (Detect.SOLUTIONS | Detect.FIXED_DISTANCE_OF_QUERIES))


DETECTED: Mapping[str, Detect] = {
    "v1.0": Detect.NOTHING,
    "v1.1": Detect.NOTHING,
    "v1.1s": Detect.COUNTS,
    "v1.1p": Detect.NOTHING,
    "v1.1d": Detect.DISTANCES,
    "v1.1n": Detect.FIXED_DISTANCE,
    "v1.1a": Detect.NOTHING,
    "final": Detect.ALL,
}
"""What each version looks for here. What lasts and admissible distances are found out later."""


class Detector:
    """Finds the features of leaves of one sheet."""

    def __init__(self, rules: Ruleset, relations: Relations, detect: Detect) -> None:
        self._source = rules.source
        self._relations = relations
        self._steps = step_clauses(relations)
        self._graphs = ArgumentGraphs(self._steps)
        self._detect = detect

    def wants(self, kind: Detect) -> bool:
        return bool(self._detect & kind)

    def before_instances(self, literals: Conjunction) -> LeafFeatures | None:
        """The features for which a conjunction with shared variables is kept whole."""
        found = self._order(literals)
        if found is None:
            found = self._meeting(literals)
        return found

    def of_recursive(self, atom: Conjunction) -> LeafFeatures:
        """The features of a single literal of a relation that depends on itself."""
        return LeafFeatures(when_false=self._twins(atom))

    def instead_of_instances(self, literals: Conjunction) -> LeafFeatures:
        """The features of a conjunction that was not instantiated."""
        partial = None
        if self.wants(Detect.PARTIAL_SOLUTIONS) and len(literals) > 1:
            text = f"how many of these hold together, from left to right: {written(literals)}"
            partial = PartialSolutions(prefixes_of(literals), text, self._line(literals))
        return LeafFeatures(self._solutions(literals), partial)

    def _solutions(self, literals: Conjunction) -> LeafFeature | None:
        query = query_of(literals)
        recursive = any(self._relations.is_recursive(atom.signature) for atom in every_atom(literals))
        if not self.wants(Detect.SOLUTIONS) or recursive or not query.variables:
            return None
        text = f"in how many ways this holds: {written(literals)}"
        return SolutionCount(query, text, self._line(literals))

    def _line(self, literals: Conjunction) -> int:
        return line_of(literals, self._source)

    def _order(self, literals: Conjunction) -> LeafFeatures | None:
        found = compared(literals, self._relations) if self.wants(Detect.ORDER) else None
        if found is None:
            return None
        comparison, order = found
        one, other = comparison.term.args
        assert isinstance(one, Variable)
        assert isinstance(other, Variable)
        sides = [Side(query_of(part), self._chain(part)) for part in parts_without(literals, comparison)]
        text = f"by how much {written((comparison,))} is true or false, where {written(literals)}"
        feature = OrderMargin(
            query_of(literals), tuple(sides), one, other, order, text, self._line((comparison,))
        )
        return LeafFeatures(feature, feature)

    def _chain(self, literals: Conjunction) -> CountChain | None:
        return chain_of(literals, self._relations) if self.wants(Detect.CHAINS) else None

    def _meeting(self, literals: Conjunction) -> LeafFeatures | None:
        found = meeting_places(literals, self._graphs) if self.wants(Detect.VARIABLE_DISTANCE) else None
        if found is None:
            return None
        left, right, places = found
        text = f"how far {left} and {right} are from each other"
        meeting = Meeting(left, right, places, self._graphs, text, self._line(literals))
        return LeafFeatures(self._solutions(literals), meeting)

    def _twins(self, literals: Conjunction) -> LeafFeature | None:
        (literal,) = literals
        if not self.wants(Detect.VARIABLE_DISTANCE) or not isinstance(literal, Atom):
            return None
        places = twin_places(literal.term)
        if places is None:
            return None
        graph = counting_graph(literal.term.signature, places, self._relations)
        if graph is None:
            return None
        opened = (Atom(opened_at(literal.term, places), literal.node),)
        text = f"how far the two numbers of {literal.term} are from each other"
        return TwinValues(query_of(opened), self._chain(opened), graph, text, self._line(literals))

    def of_fluents(
        self, leaves: Mapping[Hashable, Conjunction], goals: Sequence[Collection[Hashable]]
    ) -> dict[Hashable, LeafFeatures]:
        """The features of single fluents, with variables or without. ``goals`` has the leaves of each."""
        ends = {leaf: end for leaf, key in leaves.items() if (end := end_of(key)) is not None}
        groups = [frozenset(ends[leaf] for leaf in goal if leaf in ends) for goal in goals]
        found: dict[Hashable, LeafFeatures] = {}
        for leaf, end in ends.items():
            made = LeafFeatures(self._solutions(leaves[leaf]), self._distance(end, leaves[leaf], groups))
            if made != PLAIN:
                found[leaf] = made
        return found

    def _distance(
        self, end: Term, literals: Conjunction, groups: Sequence[frozenset[Term]]
    ) -> LeafFeature | None:
        kind = Detect.FIXED_DISTANCE if end.is_ground else Detect.FIXED_DISTANCE_OF_QUERIES
        if not self.wants(kind) or not is_confirmed(end, self._graphs):
            return None
        instances = evolved(end, self._graphs)
        # A disc that falls through all cells of a column, each of which may be part of a line, goes nowhere.
        if instances is not None and all(instances <= group for group in groups if end in group):
            return None
        text = f"how many steps it is to {end}"
        return FixedDistance(end, self._graphs, text, self._line(literals))

    @cached_property
    def _changes(self) -> dict[Signature, list[Term]]:
        return changes_of(self._steps)

    def avoided_by(self, role: Term, distance: FixedDistance) -> LeafFeature | None:
        """The mobility of a role, where it can change a fluent that has a distance into a like one."""
        changes = self._changes.get(distance.end.signature, ())
        if not self.wants(Detect.MOBILITY) or not _can_change(role, distance.end, changes):
            return None
        text = f"how many moves {role} has, so that nothing forces it to {distance.end}"
        return Mobility(distance, moves_of(role), text, distance.line)


def end_of(literals: Conjunction) -> Term | None:
    """The fluent that is asked for, if it is a single one."""
    return fluent_of(literals[0]) if len(literals) == 1 else None


def _named(end: Term) -> Term:
    """The pattern with its variables named by their order."""
    (literal,) = canonical((Atom(Term("true", (end,))),))
    assert isinstance(literal, Atom)
    (inner,) = literal.term.args
    assert isinstance(inner, Term)
    return inner


def evolved(end: Term, graphs: ArgumentGraphs) -> set[Term] | None:
    """All that fluents can become from which steps lead to this one; None where that is too much."""
    columns: list[list[Pattern]] = []
    size = 1
    for at, arg in enumerate(end.args):
        graph = graphs.graphs.get((end.signature, at))
        plain = graph is None or not isinstance(arg, Term)
        columns.append([arg] if plain else [*_evolved(arg, graph)])  # type: ignore[arg-type]
        size *= len(columns[-1])
        if size > MOST_EVOLVED:
            return None
    return {_named(Term(end.name, args)) for args in product(*columns)}


def _evolved(end: Term, graph: StepGraph) -> set[Term]:
    """What symbols from which one comes to this one can become in one step or more."""
    before: dict[Term, set[Term]] = {}
    after: dict[Term, set[Term]] = {}
    for one, other in graph.steps:
        before.setdefault(other, set()).add(one)
        after.setdefault(one, set()).add(other)
    sources = _reached({end}, before) - {end}
    return _reached({new for one in sources for new in after[one]}, after) or {end}


def _reached(start: Iterable[Term], steps: Mapping[Term, Iterable[Term]]) -> set[Term]:
    found = set(start)
    waiting = list(found)
    while waiting:
        new = set(steps.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def changes_of(steps: Ruleset) -> dict[Signature, list[Term]]:
    """Of each kind of fluent what moves make of it: the fluent after, that before, and the role that moves.

    Rules that differ in nothing else count once: there may be thousands of them.
    """
    found: dict[Signature, dict[Term, None]] = {}
    for rule in steps.by_signature.get(("next", 1), ()):
        (after,) = rule.head.args
        atoms = [literal.term for literal in rule.body if isinstance(literal, Atom)]
        movers = [atom.args[0] for atom in atoms if atom.signature == ("does", 2)]
        for atom in atoms if isinstance(after, Term) else ():
            before = atom.args[0] if atom.signature == ("true", 1) else None
            if isinstance(after, Term) and isinstance(before, Term) and before.signature == after.signature:
                changes = (_own_variables(Term("change", (after, before, mover))) for mover in movers)
                found.setdefault(after.signature, {}).update(dict.fromkeys(changes))
    return {signature: list(changes) for signature, changes in found.items()}


def _own_variables(pattern: Term) -> Term:
    """The pattern with variables that are in no goal: no sheet can write a name with a space."""
    variables = dict.fromkeys(variables_of(pattern))
    found = substitute(pattern, {one: Variable(f"own {at}") for at, one in enumerate(variables)})
    assert isinstance(found, Term)
    return found


def _can_change(role: Term, end: Term, changes: Iterable[Term]) -> bool:
    """Whether a move of the role makes a like fluent of this one."""
    for change in changes:
        after, before, mover = change.args
        values = unify(before, end)
        if values is None or resolve(after, values) is resolve(end, values):
            continue
        if unify(mover, role, values) is not None:
            return True
    return False
