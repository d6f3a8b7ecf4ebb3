"""Weighted sums of fluents that no move changes, as they are or modulo 2.

In peg solitaire a jump takes one peg away and counts one move, so pegs and moves have a constant sum; and it
changes three holes in a row, which keeps some sums of holes even or odd. In a sliding puzzle the colour of
the gap's square changes with the parity of the step. That one fluent of a family holds is such a sum as well.

Candidates are the sums that were the same in all states seen. They are assumed together, and induction is
asked for a move that changes one of them; what it changes is learned, until there is no such move (Karr,
*Affine relationships among variables of a program*, 1976, with counterexamples).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..horizon import OutOfTime
from .families import find_families
from .proof import Seen
from .transitions import Literal, Transitions

PRIME = 2**31 - 1
"""Fractions are calculated modulo this; products of two numbers below it fit into 63 bits."""
MOST_DENOMINATOR = 60
FEW_SUMS, FEW_TERMS = 12, 40
"""Where there are more sums beside families, those with more terms are not assumed: that is too much for the
solver, and most of them are wrong."""
CONFLICTS, MORE_CONFLICTS = 2_000, 50_000
"""Conflicts of the solver in a question, and in one that is asked again when nothing else is left to ask."""
MOST_WEIGHT = 10_000
"""Sums with larger weights are not asked about."""
MOST_FLUENTS = 2_000
MOST_QUESTIONS = 3_000
"""Questions to the solver, for each kind of sums."""

Weights = NDArray[np.int64]


@dataclass(frozen=True)
class SteadySum:
    """A weighted sum of fluents that is the same in all reachable states."""

    weights: tuple[tuple[int, int], ...]
    """Numbers of fluents, and their weights."""
    value: int
    parity: bool
    """Whether only its parity stays the same; then all weights are 1, and the value is 0 or 1."""

    @property
    def is_family(self) -> bool:
        """Whether it says that just one of some fluents holds."""
        return not self.parity and self.value == 1 and all(weight == 1 for _, weight in self.weights)

    def vector(self, count: int) -> Weights:
        """The weight of every fluent."""
        vector = np.zeros(count, np.int64)
        for at, weight in self.weights:
            vector[at] = weight
        return vector

    def bad(self, transitions: Transitions, step: int) -> Literal:
        """The literal that holds where a state has another sum."""

        def make() -> Literal:
            terms = [(transitions.true(at, step), weight) for at, weight in self.weights]
            if self.parity:
                odd = transitions.odd([literal for literal, _ in terms])
                return -odd if self.value else odd
            more = transitions.sum_at_least(self.value + 1, terms)
            return transitions.any_of((more, -transitions.sum_at_least(self.value, terms)))

        return transitions.once(self, step, make)

    def changed(self, transitions: Transitions) -> Literal:
        """The literal that holds where states 0 and 1 have different sums."""

        def make() -> Literal:
            steps = [(_becomes(transitions, at), weight) for at, weight in self.weights]
            if self.parity:
                return transitions.odd([transitions.any_of(both) for both, _ in steps])
            more = [
                (literal, sign * weight)
                for both, weight in steps
                for literal, sign in zip(both, (1, -1), strict=True)
            ]
            less = [(literal, -weight) for literal, weight in more]
            return transitions.any_of([transitions.sum_at_least(1, each) for each in (more, less)])

        return transitions.once((self, "changed"), 0, make)


def _becomes(transitions: Transitions, fluent: int) -> tuple[Literal, Literal]:
    """The literals that hold where a fluent becomes true and where it becomes false from state 0 to state 1.

    In a sum of these the fluents that a move leaves alone count nothing, which the solver sees one by one. In
    a sum of both states it would have to try all their values.
    """
    before, after = transitions.true(fluent, 0), transitions.true(fluent, 1)
    begins = transitions.once(("begins", fluent), 0, lambda: transitions.all_of((-before, after)))
    ends = transitions.once(("ends", fluent), 0, lambda: transitions.all_of((before, -after)))
    return begins, ends


def prove_steady_sums(transitions: Transitions, seen: Seen) -> list[SteadySum]:
    """Sums that are the same in all reachable states, added to the transitions as invariants.

    The first state that was seen must be the initial one. There may be more sums than are found, where that
    takes too many questions.
    """
    count = len(transitions.fluents)
    if not 0 < count <= MOST_FLUENTS:
        return []
    initial = seen.states[0].astype(np.int64)
    different = dict.fromkeys((after - before, before - after) for before, after in seen.followers)
    changes = [_vector(begun, count) - _vector(ended, count) for begun, ended in different]
    families = [family for family in find_families(transitions.fluents, seen.states) if family.exactly]
    start = [_vector(family.members, count) for family in families]
    found = _Search(transitions, initial, changes, start, PRIME).run()
    known = [each.vector(count) for each in found]
    return found + _Search(transitions, initial, changes, known, 2).run()


class _Search:
    """A search for sums of one kind, which learns from moves that refute some of them."""

    def __init__(
        self,
        transitions: Transitions,
        initial: Weights,
        changes: Iterable[Weights],
        start: Sequence[Weights],
        modulus: int,
    ) -> None:
        """``start`` has simple sums, beside which others are looked for. Modulo 2 they are known already."""
        self.transitions = transitions
        self.initial = initial
        self.start = [each % modulus for each in start if (each % modulus).any()]
        self.modulus = modulus
        self.questions = 0
        self.together = True
        """Whether large sums, too, are assumed in questions about others: there may be too many of them."""
        self.given_up: set[SteadySum] = set()
        self.space = Echelon(len(self.initial), modulus)
        """What moves change. Sums are orthogonal to that."""
        for change in changes:
            self.space.add(change)

    def run(self) -> list[SteadySum]:
        """The sums that are proved, now assumed as invariants."""
        self.transitions.extend(1)
        candidates = self._candidates([])
        while (last := self._refute(candidates)) is not None:
            candidates = self._candidates([*candidates[last:], *candidates[:last]])
        for each in candidates:
            self.transitions.assume_invariant(each.bad)
        return candidates

    def _refute(self, candidates: Sequence[SteadySum]) -> int | None:
        """Gives up a sum that some move changes, or that takes too long: its number; None without one."""
        hard: list[int] = []
        for number, each in enumerate(candidates):
            try:
                if self._learn_from_change(each, candidates, CONFLICTS):
                    return number
            except OutOfTime:
                hard.append(number)
        for number in hard:
            if self._give_up_hard(candidates[number], candidates):
                return number
        return None

    def _give_up_hard(self, candidate: SteadySum, given: Sequence[SteadySum]) -> bool:
        while True:
            try:
                return self._learn_from_change(candidate, given, MORE_CONFLICTS)
            except OutOfTime:
                if not self.together or self.transitions.watch.is_up() or self.questions >= MOST_QUESTIONS:
                    self.given_up.add(candidate)
                    return True
                self.together = False

    def _learn_from_change(self, candidate: SteadySum, given: Sequence[SteadySum], conflicts: int) -> bool:
        """Whether some move changes a sum; then what it changes is learned."""
        if self.questions >= MOST_QUESTIONS:
            raise OutOfTime
        self.questions += 1
        learned: list[Weights] = []

        def read(holds: Callable[[Literal], bool]) -> None:
            for step in (0, 1):
                own = (at for at in range(len(self.initial)) if holds(self.transitions.true(at, step)))
                learned.append(_vector(own, len(self.initial)))

        families = [each for each in given if each.is_family]
        others = [each for each in given if not each.is_family]
        few = [each for each in others if each is candidate or len(each.weights) <= FEW_TERMS]
        held = [*families, *(others if self.together and len(others) <= FEW_SUMS else few)]
        self.transitions.most_conflicts = conflicts
        question = [self.transitions.moves_from(0), candidate.changed(self.transitions)]
        if not self.transitions.ask([*question, *(-each.bad(self.transitions, 0) for each in held)], read):
            return False
        # Not how the state after it differs from the initial one: the state before it may be out of reach,
        # and have other sums than those that are left.
        self.space.add(learned[1] - learned[0])
        return True

    def _candidates(self, before: Sequence[SteadySum]) -> list[SteadySum]:
        """The sums that are left, in an order in which those come first that may be refuted."""
        start = [each for each in self.start if self.space.is_orthogonal(each)]
        others = self.space.copy()
        for pivot in self.space.pivots_of(start):
            others.add(_vector([pivot], len(self.initial)))
        vectors = [_simplified(others.orthogonal(free), start, self.modulus) for free in others.free()]
        if self.modulus != 2:
            vectors = [*start, *vectors]
        order = {each: at for at, each in enumerate(before)}
        found = [each for each in map(self._sum, vectors) if each is not None and each not in self.given_up]
        return sorted(found, key=lambda each: order.get(each, -1))

    def _sum(self, vector: Weights) -> SteadySum | None:
        weights = vector if self.modulus == 2 else _small(vector)
        if weights is None:
            return None
        value = int(weights @ self.initial)
        terms = tuple((at, int(weights[at])) for at in np.flatnonzero(weights).tolist())
        return SteadySum(terms, value % self.modulus if self.modulus == 2 else value, self.modulus == 2)


def _simplified(vector: Weights, known: Sequence[Weights], modulus: int) -> Weights:
    """The vector less multiples of known ones, as long as that makes more of its numbers 0."""
    better = True
    while better:
        better = False
        for each in known:
            own = np.flatnonzero(each)
            inverse = np.array([pow(one, -1, modulus) for one in each[own].tolist()])
            factors, counts = np.unique(vector[own] * inverse % modulus, return_counts=True)
            less = (vector - each * factors[counts.argmax()]) % modulus
            if np.count_nonzero(less) < np.count_nonzero(vector):
                vector, better = less, True
    return vector


def _vector(numbers: Iterable[int], count: int) -> Weights:
    vector = np.zeros(count, np.int64)
    vector[list(numbers)] = 1
    return vector


def _small(weights: Weights) -> Weights | None:
    """The weights as small integers, times a factor; None where there are none."""
    for factor in range(1, MOST_DENOMINATOR + 1):
        scaled = weights * factor % PRIME
        scaled = np.where(scaled > PRIME // 2, scaled - PRIME, scaled)
        if abs(scaled).max() <= MOST_WEIGHT:
            return scaled
    return None


class Echelon:
    """Vectors modulo a prime in reduced echelon form."""

    def __init__(self, count: int, modulus: int) -> None:
        self.modulus = modulus
        self.pivots: list[int] = []
        self._rows = np.zeros((0, count), np.int64)

    def add(self, vector: Weights) -> None:
        """Adds a vector to the span."""
        modulus = self.modulus
        vector = vector % modulus
        factors = vector[self.pivots]
        own = np.flatnonzero(factors)  # few where vectors have few numbers
        vector = (vector - (factors[own, None] * self._rows[own] % modulus).sum(axis=0)) % modulus
        if not vector.any():
            return
        pivot = int(np.flatnonzero(vector)[0])
        vector = vector * pow(int(vector[pivot]), -1, modulus) % modulus
        rows = np.concatenate([self._rows, vector[None]])
        above = np.flatnonzero(self._rows[:, pivot])
        rows[above] = (rows[above] - rows[above, pivot, None] * vector % modulus) % modulus
        self._rows = rows
        self.pivots.append(pivot)

    def is_orthogonal(self, vector: Weights) -> bool:
        """Whether a vector is orthogonal to all rows."""
        own = np.flatnonzero(vector)
        products = self._rows[:, own] * (vector[own] % self.modulus) % self.modulus
        return not (products.sum(axis=1) % self.modulus).any()

    def pivots_of(self, vectors: Iterable[Weights]) -> list[int]:
        """The pivots of other vectors."""
        known = Echelon(self._rows.shape[1], self.modulus)
        for vector in vectors:
            known.add(vector)
        return known.pivots

    def copy(self) -> Echelon:
        twin = Echelon(self._rows.shape[1], self.modulus)
        twin.pivots, twin._rows = list(self.pivots), self._rows
        return twin

    def free(self) -> list[int]:
        """The columns that no row begins in; each has a vector that is orthogonal to all rows."""
        taken = set(self.pivots)
        return [at for at in range(self._rows.shape[1]) if at not in taken]

    def orthogonal(self, free: int) -> Weights:
        """The vector that is orthogonal to all rows, with 1 in a free column and 0 in the others."""
        vector = np.zeros(self._rows.shape[1], np.int64)
        vector[free] = 1
        vector[self.pivots] = -self._rows[:, free] % self.modulus
        return vector
