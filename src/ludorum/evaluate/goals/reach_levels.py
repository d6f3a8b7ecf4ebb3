"""The improved admissible distance: all that a way needs counts, and not one fluent of it.

A fluent is as many steps away as the farthest fluent of the nearest way to it, and one more. That is never
less than a path in a fluent graph, and never more than play takes. It is computed for each state anew: as if
nothing ever ceased to hold, what may hold after one step, after two…
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf

from ...rules.terms import Term
from .step_rules import StepRules


class ReachLevels:
    """After how many steps fluents can hold at the earliest."""

    def __init__(self, rules: StepRules, wanted: Iterable[Term]) -> None:
        """For these fluents, and all that they depend on."""
        self._number = {fluent: number for number, fluent in rules.fluents.items()}
        self._needed: list[int] = []
        """How many atoms the body of each rule has."""
        self._heads: list[int] = []
        self._users: dict[int, list[int]] = {}
        """The rules in whose bodies an atom is."""
        self._free: list[int] = []
        """What holds whatever the state is."""
        self._becomes: dict[int, Term] = {}
        """The fluent of each atom that tells what holds next."""
        self._last: tuple[frozenset[Term], dict[Term, int]] | None = None
        seen: set[int] = set()
        waiting = list(wanted)
        done = set(waiting)
        while waiting:
            goal = rules.next_of(waiting.pop())
            if goal is None:
                continue
            fluent = rules.program.atoms[goal]
            assert fluent is not None
            self._becomes[goal] = _argument(fluent)
            below = rules.all_below(goal, seen)
            seen |= below
            for atom in below:
                self._add(rules, atom)
                if atom in rules.fluents and rules.fluents[atom] not in done:
                    done.add(rules.fluents[atom])
                    waiting.append(rules.fluents[atom])

    def _add(self, rules: StepRules, atom: int) -> None:
        if atom in rules.facts:
            self._free.append(atom)
        bodies = rules.bodies.get(atom, ())
        if atom in rules.legal_of:
            self._add_rule(atom, [rules.legal_of[atom]])
        for body in bodies:
            self._add_rule(atom, list(dict.fromkeys(other for other, is_negated in body if not is_negated)))

    def _add_rule(self, head: int, body: list[int]) -> None:
        if not body:
            self._free.append(head)
            return
        for atom in body:
            self._users.setdefault(atom, []).append(len(self._heads))
        self._heads.append(head)
        self._needed.append(len(body))

    def of(self, facts: frozenset[Term]) -> dict[Term, int]:
        """The level of every fluent that can be reached from a state; those of the last state are kept."""
        if self._last is None or (self._last[0] is not facts and self._last[0] != facts):
            self._last = facts, self._levels(facts)
        return self._last[1]

    def distance(self, facts: frozenset[Term], target: Term) -> float:
        """The least number of steps to a fluent, or infinite."""
        return self.of(facts).get(target, inf)

    def _levels(self, facts: Collection[Term]) -> dict[Term, int]:
        levels = dict.fromkeys(facts, 0)
        left = list(self._needed)
        held: set[int] = set()
        new = [self._number[fact] for fact in facts if fact in self._number] + self._free
        level = 0
        while new:
            level += 1
            reached: list[int] = []
            while new:
                atom = new.pop()
                if atom in held:
                    continue
                held.add(atom)
                fluent = self._becomes.get(atom)
                if fluent is not None and fluent not in levels:
                    levels[fluent] = level
                    reached.append(self._number[fluent])
                for rule in self._users.get(atom, ()):
                    left[rule] -= 1
                    if not left[rule]:
                        new.append(self._heads[rule])
            new = reached
        return levels


def _argument(atom: Term) -> Term:
    (argument,) = atom.args
    assert isinstance(argument, Term)
    return argument
