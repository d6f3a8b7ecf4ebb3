"""Supports and countersupports: what an atom needs of the open facts (Thielscher 2013).

A support of a literal is a set of literals over open facts from which it follows; the literal is known where
the empty set is a support, and possible where there is any. The supports of a negated atom are its
countersupports: sets that contradict every support of the atom. Only minimal and consistent sets are kept,
which changes neither of the two answers nor what all supports have in common.

Inside, a set is a number: two bits for each open fact, the lower one for the positive literal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TypeAlias

from ...engine.errors import GameError
from ..knower import ImpossiblePerceptsError
from .normal_program import Body, Component, Literal
from .open_program import OpenProgram, decided

Support: TypeAlias = frozenset[Literal]

BUDGET = 2000
"""The most supports of one atom."""
PAIRS = 100
"""Unions tried for one rule, as a multiple of the budget: most unions are not minimal."""


class SupportOverflowError(GameError):
    """An atom has more supports than the budget allows."""


class Supports:
    """The supports of all atoms of an open program, computed when they are asked for."""

    def __init__(self, program: OpenProgram, budget: int = BUDGET) -> None:
        self.program = program
        self.budget = budget
        self._open = sorted(program.open)
        self._lower = sum(1 << 2 * at for at in range(len(self._open)))
        """The bits of all positive literals."""
        self._sets: dict[int, list[int]] = {}
        self._counters: dict[int, list[int]] = {}
        self._done: set[int] = set()

    def of(self, literal: Literal) -> frozenset[Support]:
        """All minimal supports of a literal."""
        return frozenset(map(self._unpack, self._masks(literal)))

    def known(self, literal: Literal) -> bool:
        """Whether the literal follows from the known facts alone: the empty set is a support."""
        return self._masks(literal) == [0]

    def possible(self, literal: Literal) -> bool:
        """Whether the literal has a support."""
        return bool(self._masks(literal))

    def common(self, literal: Literal) -> Support | None:
        """The literals that are in every support; None where there is no support."""
        masks = self._masks(literal)
        if not masks:
            return None
        found = masks[0]
        for mask in masks:
            found &= mask
        return self._unpack(found)

    def _masks(self, literal: Literal) -> list[int]:
        atom = literal >> 1
        if atom not in self._done:
            for component in self.program.program.components_of([atom]):
                if component.atoms[0] not in self._done:
                    self._complete(component)
                    self._done.update(component.atoms)
        return self._counter(atom) if literal & 1 else self._sets[atom]

    def _complete(self, component: Component) -> None:
        for atom in component.atoms:
            self._sets[atom] = self._given(atom)
        changed = True
        while changed:
            changed = False
            for atom in component.atoms:
                found = self._sets[atom]
                for body in self.program.program.bodies[atom]:
                    found = _minimal([*found, *self._unfold(body)])
                self._refuse_many(found)
                changed |= component.is_loop and found != self._sets[atom]
                self._sets[atom] = found

    def _given(self, atom: int) -> list[int]:
        if atom in self.program.known:
            return [0]
        return [1 << 2 * self._open.index(atom)] if atom in self.program.open else []

    def _unfold(self, body: Body) -> list[int]:
        """The supports of a rule's body: unions of supports of its literals."""
        positive, negative = body
        parts = [self._sets[atom] for atom in positive]
        if not all(parts):
            return []
        parts += [self._counter(atom) for atom in negative]
        parts.sort(key=len)
        found = [0]
        for part in parts:
            if len(found) * len(part) > PAIRS * self.budget:
                raise SupportOverflowError(f"more than {PAIRS * self.budget} unions of supports")
            found = _minimal([both for one in found for other in part if self._agrees(both := one | other)])
            self._refuse_many(found)
        return found

    def _counter(self, atom: int) -> list[int]:
        """The minimal consistent sets that have the complement of some literal of each support."""
        known = self._counters.get(atom)
        if known is None:
            known = [0]
            for support in self._sets[atom]:
                complement = (support & self._lower) << 1 | support >> 1 & self._lower
                bits = _bits(complement)
                hit = [one for one in known if one & complement]
                more = [
                    both
                    for one in known
                    if not one & complement
                    for bit in bits
                    if self._agrees(both := one | bit)
                ]
                known = _minimal([*hit, *more])
                self._refuse_many(known)
            self._counters[atom] = known
        return known

    def _agrees(self, mask: int) -> bool:
        """Whether no fact is in the set both as it is and negated."""
        return not mask & mask >> 1 & self._lower

    def _refuse_many(self, masks: Collection[int]) -> None:
        if len(masks) > self.budget:
            raise SupportOverflowError(f"more than {self.budget} supports of one atom")

    def _unpack(self, mask: int) -> Support:
        bits = (bit.bit_length() - 1 for bit in _bits(mask))
        return frozenset(2 * self._open[bit >> 1] + (bit & 1) for bit in bits)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        lowest = mask & -mask
        found.append(lowest)
        mask ^= lowest
    return found


def _minimal(masks: Iterable[int]) -> list[int]:
    """The sets without those that contain another one, in a fixed order."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=lambda each: (each.bit_count(), each)):
        if not any(small & mask == small for small in kept):
            kept.append(mask)
    return kept


def filter_by_supports(
    program: OpenProgram,
    observable: Iterable[int],
    observed: Iterable[int],
    *,
    nonpercepts: bool = True,
    budget: int = BUDGET,
) -> OpenProgram:
    """The program after observations: what every support of one of them has in common is known from now on.

    Each observable atom that is possible and was not observed is an observation, too, unless ``nonpercepts``
    is false. ImpossiblePerceptsError where an observation has no support or two of them contradict.
    """
    supports = Supports(program, budget)
    seen = set(observed)
    literals = [2 * atom for atom in sorted(seen)]
    if nonpercepts:
        unseen = sorted(set(observable) - seen)
        literals += [2 * atom + 1 for atom in unseen if supports.possible(2 * atom)]
    learned: set[Literal] = set()
    for literal in literals:
        common = supports.common(literal)
        if common is None:
            raise ImpossiblePerceptsError("nothing that may be true agrees with an observation")
        learned |= common
    true, false = decided(learned)
    return replace(program, known=program.known | true, open=program.open - true - false)
