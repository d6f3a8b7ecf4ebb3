"""The goals of all roles and the end of play as one theory, read off the ground rules of a sheet.

Rules are expanded from the goals downwards, level by level, until the theory is as large as it may be. What
lies deeper, and what depends on itself, is one leaf, whose truth follows from the rules (``DerivedLeaves``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...asp.ground import GroundProgram, clock_of, ground_rules
from ...rules.dependencies import strong_components
from ...rules.ruleset import Ruleset
from ...rules.terms import Term, as_integer
from ..ground_bodies import MEGABYTES, Literal, bodies_of, fluents_of
from .leaf import LeafPosition, LeafQuery, Row
from .networks import LeafValue
from .theory import ClauseReader, Formula, Theory

MOST_NODES = 512
"""The most conjunctions and disjunctions of a theory, that of the thesis."""
MOST_RULES = 3_000_000
"""The most ground rules of a sheet: others take too long to read."""
TERMINAL = Term("terminal")


@dataclass(frozen=True)
class DerivedAtom:
    """A leaf that is no fluent: an atom of the ground program that was not expanded."""

    number: int


@dataclass(frozen=True)
class GoalTheory:
    """The formulas of a sheet over one theory. Its leaves are fluents, and derived atoms."""

    theory: Theory
    goals: Mapping[Term, Mapping[int, Formula]]
    """Of each role the formula of each of its goal values."""
    terminal: Formula
    program: GroundProgram

    def crisp(self, facts: Collection[Term]) -> LeafValue:
        """The outputs of leaves where exactly these facts hold: 1 or -1."""
        position = self.position(facts)
        return lambda leaf: 1.0 if position.holds(leaf) else -1.0

    def position(self, facts: Collection[Term]) -> LeafPosition:
        """A state for the leaves of this theory."""
        return _GroundPosition(self, frozenset(facts))

    @cached_property
    def derived(self) -> DerivedLeaves:
        leaves = self.theory.leaves.values()
        return DerivedLeaves(self.program, [leaf.number for leaf in leaves if isinstance(leaf, DerivedAtom)])


class _GroundPosition:
    """A state in which derived atoms follow from the ground rules."""

    def __init__(self, goals: GoalTheory, facts: frozenset[Term]) -> None:
        self._goals = goals
        self.facts = facts

    def holds(self, leaf: Hashable) -> bool:
        return self._truths[leaf.number] if isinstance(leaf, DerivedAtom) else leaf in self.facts

    def rows(self, query: LeafQuery) -> list[Row]:
        raise LookupError(f"a theory of ground rules has no query for {query}")

    def count(self, query: LeafQuery) -> int:
        return len(self.rows(query))

    @cached_property
    def _truths(self) -> Mapping[int, bool]:
        return self._goals.derived.truths(self.facts)


def goal_theory(rules: Ruleset, seconds: float | None = None, most_nodes: int = MOST_NODES) -> GoalTheory:
    """GroundingError where the rules cannot be ground. Without ``seconds`` memory is the only bound."""
    program = ground_rules(rules, clock_of(seconds), MEGABYTES, most_rules=MOST_RULES)
    bodies = bodies_of(program)
    goals: dict[Term, dict[int, int]] = {role: {} for role in program.roles}
    for atom, number in program.numbers.items():
        if atom.signature == ("goal", 2):
            role, value = atom.args
            points = as_integer(value) if isinstance(value, Term) else None
            if isinstance(role, Term) and role in goals and points is not None:
                goals[role][points] = number
    roots = [number for own in goals.values() for number in own.values()]
    terminal = program.numbers.get(TERMINAL)
    if terminal is not None:
        roots.append(terminal)
    expanded = _expanded(bodies, roots, most_nodes)
    theory = Theory()
    reader = ClauseReader(
        theory,
        {number: found for number, found in bodies.items() if number in expanded},
        dict.fromkeys(program.facts.tolist(), True) | _never(program, bodies),
        _leaf_names(program, bodies),
    )
    return GoalTheory(
        theory,
        {
            role: {value: reader.formula(number) for value, number in sorted(own.items())}
            for role, own in goals.items()
        },
        False if terminal is None else reader.formula(terminal),
        program,
    )


def _never(program: GroundProgram, bodies: Mapping[int, object]) -> dict[Hashable, bool]:
    """Atoms without rules that are neither facts nor inputs."""
    inputs = {*program.facts.tolist(), *program.true_atoms.tolist(), *program.does_atoms.tolist()}
    return {
        number: False for number in range(len(program.atoms)) if number not in inputs and number not in bodies
    }


def _leaf_names(program: GroundProgram, bodies: Iterable[int]) -> dict[Hashable, Hashable]:
    names: dict[Hashable, Hashable] = {number: DerivedAtom(number) for number in bodies}
    names.update(fluents_of(program).items())
    return names


def _expanded(
    bodies: Mapping[int, Sequence[Sequence[Literal]]], roots: Iterable[int], most_nodes: int
) -> set[int]:
    """The atoms whose rules become nodes: those nearest to the roots, and none that depends on itself."""
    below_of = _below(bodies)
    groups = strong_components(list(bodies), below_of)
    circular = {
        atom for group in groups if len(group) > 1 or group[0] in below_of(group[0]) for atom in group
    }
    found: set[int] = set()
    nodes = 0
    level = dict.fromkeys(roots)
    while level:
        below: dict[int, None] = {}
        for atom in level:
            own = bodies.get(atom)
            if own is None or atom in found or atom in circular:
                continue
            nodes += (len(own) > 1) + sum(len(body) > 1 for body in own)
            if nodes > most_nodes:
                return found
            found.add(atom)
            below.update(dict.fromkeys(below_of(atom)))
        level = below
    return found


def _below(bodies: Mapping[int, Sequence[Sequence[Literal]]]) -> Callable[[int], Iterable[int]]:
    return lambda atom: dict.fromkeys(other for body in bodies.get(atom, ()) for other, _ in body)


class DerivedLeaves:
    """The truth of some atoms of a ground program, from its rules: the least model, group by group."""

    def __init__(self, program: GroundProgram, wanted: Iterable[int]) -> None:
        self._bodies = bodies_of(program)
        self._groups = list(strong_components(wanted, _below(self._bodies)))
        self._always = frozenset(program.facts.tolist())
        self._inputs = fluents_of(program)

    def truths(self, facts: Collection[Term]) -> dict[int, bool]:
        """Of every atom wanted, and of those they depend on."""
        found: dict[int, bool] = {}
        for group in self._groups:
            found.update(dict.fromkeys(group, False))
            waiting = list(group)
            while now_true := [atom for atom in waiting if self._holds(atom, facts, found)]:
                found.update(dict.fromkeys(now_true, True))
                waiting = [atom for atom in waiting if not found[atom]]
        return found

    def _holds(self, atom: int, facts: Collection[Term], found: Mapping[int, bool]) -> bool:
        if atom in self._inputs:
            return self._inputs[atom] in facts
        return atom in self._always or any(
            all(found[other] is not is_negated for other, is_negated in body)
            for body in self._bodies.get(atom, ())
        )
