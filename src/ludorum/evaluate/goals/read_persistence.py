"""Persistence read off the ground rules of a step, without a search.

A fluent is followed through one step, in every state and for every move at once: it is true (or false), a
role makes a certain legal move, and all else is open. Each atom then holds for certain, or may hold, or
neither. There is a column for every move, and the atoms have bits in it, so one pass over the rules answers
for all moves. Where the fluent must hold next whatever a role does, it stays true; where it cannot, it stays
false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...rules.terms import Term
from ..ground_bodies import Literal
from .persistence import Candidate, LastingFluents
from .step_rules import AtomGroup, StepRules

Bits = int
"""A bit for each column."""

MOST_BITS = 1 << 30
"""Bits of all atoms in one pass. Where there would be more, all moves share one column."""
ANY_MOVES = 1
"""The column in which nothing is known of the moves."""


def read_persistence(
    rules: StepRules, candidates: Iterable[Candidate], is_up: Callable[[], bool] = lambda: False
) -> LastingFluents:
    """Which of some fluents stay true or false; what is not listed may stay so, too.

    ``is_up`` ends the work early.
    """
    values: dict[Term, list[bool]] = {}
    for fluent, value in candidates:
        values.setdefault(fluent, []).append(value)
    goals = {fluent: rules.next_of(fluent) for fluent in values}
    groups = list(rules.groups(goal for goal in goals.values() if goal is not None))
    needs = _Needs(rules)
    found: dict[bool, set[Term]] = {True: set(), False: set()}
    for fluent, goal in goals.items():
        if goal is None or goal in rules.facts:
            found[goal is not None].add(fluent)
            continue
        if is_up():
            continue
        below = rules.all_below(goal)
        step = _Step(rules, needs, goal, [group for group in groups if group.atoms[0] in below])
        for value in values[fluent]:
            if step.stays(fluent, value):
                found[value].add(fluent)
    wanted = {value: {fluent for fluent, own in values.items() if value in own} for value in found}
    return LastingFluents(frozenset(found[True] & wanted[True]), frozenset(found[False] & wanted[False]))


class _Step:
    """The rules of one atom of the next state, and the columns of the moves that it depends on."""

    def __init__(self, rules: StepRules, needs: _Needs, goal: int, groups: Sequence[AtomGroup]) -> None:
        self.rules = rules
        self.goal = goal
        self.groups = groups
        """Of the atoms below the goal, in order."""
        self.column: dict[int, Bits] = {}
        """Of each move its column."""
        self.of_role: dict[Term, Bits] = {}
        """All columns of a role; one of them stands for the moves that nothing depends on."""
        self.known: dict[int, Bits] = {}
        """The columns in which a fluent holds, because the move would not be legal without it."""
        moves = [atom for group in self.groups for atom in group.atoms if atom in rules.legal_of]
        count = 1
        if (len(moves) + len(rules.moves)) * len(self.groups) <= MOST_BITS:
            for role in dict.fromkeys(rules.role_of[move] for move in moves):
                own = [move for move in moves if rules.role_of[move] == role]
                self.column.update((move, 1 << (count + at)) for at, move in enumerate(own))
                width = len(own) + (len(rules.moves[role]) > len(own))
                self.of_role[role] = ((1 << width) - 1) << count
                count += width
        self.every: Bits = (1 << count) - 1
        for move, column in self.column.items():
            for fluent in needs.of(rules.legal_of[move]):
                self.known[fluent] = self.known.get(fluent, 0) | column

    def stays(self, fluent: Term, value: bool) -> bool:
        """Whether the fluent of the goal keeps a value."""
        must, may = self._values(self.rules.program.numbers.get(Term("true", (fluent,))), value)
        changing = self.every & ~must[self.goal] if value else may[self.goal]
        if not changing & ANY_MOVES:
            return True
        for move, column in self.column.items():
            if not may[self.rules.legal_of[move]] & column:
                changing &= ~column  # the move is not legal then
        return any(not changing & columns for columns in self.of_role.values())

    def _values(self, own: int | None, value: bool) -> tuple[dict[int, Bits], dict[int, Bits]]:
        """Of every atom the columns in which it must hold, and in which it may."""
        rules, every = self.rules, self.every
        must: dict[int, Bits] = {}
        may: dict[int, Bits] = {}
        for group in self.groups:
            first = group.atoms[0]
            if first == own:
                must[first] = may[first] = every if value else 0
            elif first in rules.fluents:
                must[first], may[first] = self.known.get(first, 0), every
            elif first in rules.facts:
                must[first] = may[first] = every
            elif not group.circular and first in rules.legal_of:
                column = self.column.get(first, 0)
                others = every & ~self.of_role.get(rules.role_of[first], 0)
                must[first], may[first] = column, (column | others) & may[rules.legal_of[first]]
            elif not group.circular:
                must[first], may[first] = _any_body(rules.bodies.get(first, ()), must, may, every)
            else:
                self._circle(group, must, may)
        return must, may

    def _circle(self, group: AtomGroup, must: dict[int, Bits], may: dict[int, Bits]) -> None:
        """The least values of atoms that depend on each other."""
        must.update(dict.fromkeys(group.atoms, 0))
        if self.rules.negates_itself(group) or any(atom in self.rules.legal_of for atom in group.atoms):
            may.update(dict.fromkeys(group.atoms, self.every))
            return
        may.update(dict.fromkeys(group.atoms, 0))
        changed = True
        while changed:
            changed = False
            for atom in group.atoms:
                found = _any_body(self.rules.bodies.get(atom, ()), must, may, self.every)
                if found != (must[atom], may[atom]):
                    must[atom], may[atom] = found
                    changed = True


def _any_body(
    bodies: Iterable[Sequence[Literal]], must: Mapping[int, Bits], may: Mapping[int, Bits], every: Bits
) -> tuple[Bits, Bits]:
    """The columns in which one of the bodies must hold, and in which one may."""
    must_hold = may_hold = 0
    for body in bodies:
        here, maybe = every, every
        for atom, is_negated in body:
            if is_negated:
                here &= ~may[atom]
                maybe &= ~must[atom]
            else:
                here &= must[atom]
                maybe &= may[atom]
        must_hold |= here
        may_hold |= maybe
    return must_hold, may_hold


class _Needs:
    """The fluents without which an atom cannot hold, as far as its rules tell at once."""

    def __init__(self, rules: StepRules) -> None:
        self._rules = rules
        self._known: dict[int, frozenset[int]] = {}

    def of(self, atom: int) -> frozenset[int]:
        if atom not in self._known:
            for group in self._rules.groups([atom], self._known):
                for each in group.atoms:
                    self._known[each] = frozenset() if group.circular else self._of_rules(each)
        return self._known[atom]

    def _of_rules(self, atom: int) -> frozenset[int]:
        rules = self._rules
        if atom in rules.fluents:
            return frozenset([atom])
        if atom in rules.legal_of:
            return self._known[rules.legal_of[atom]]
        bodies = [
            frozenset().union(*(self._known[other] for other, is_negated in body if not is_negated))
            for body in rules.bodies.get(atom, ())
        ]
        return frozenset.intersection(*bodies) if bodies else frozenset()
