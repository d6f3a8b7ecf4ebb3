"""What an end with a goal asks of single facts, as a formula that numbers can be put into.

A number for each literal of a fluent (0: it holds) makes a number for the whole: of several conditions the
sum, of alternatives the least.
"""

from __future__ import annotations

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from ..engine.circuit import Circuit, Literal

NEVER = 30_000
"""What counts as out of reach."""
MOST_PARTS = 3_000
"""Gates that are read; what lies deeper counts nothing, and neither do gates of loops."""

Packed = NDArray[np.uint8]
Numbers = NDArray[np.int32]


class GoalFormula:
    """The condition that the game is over and has a goal value, over literals of fluents."""

    def __init__(self, circuit: Circuit, goal: int) -> None:
        self._circuit = circuit
        self._in_loop = {gate for first, last in circuit.loops for gate in range(first, last + 1)}
        self._leaves: dict[Literal, int] = {}
        self._parts: list[tuple[bool, list[Literal]]] = []
        """Whether all or one of some literals is wanted; parts stand after those that they are made of."""
        self._part_of: dict[Literal, int] = {}
        goals = [literal for _, _, literal in circuit.goals]
        for literal in (circuit.terminal, *goals, *(each ^ 1 for each in goals)):
            self._read(literal)
        # An end with several values has none.
        self._ends = [
            self._conditions([circuit.terminal, one, *(each ^ 1 for each in goals if each != one)])
            for _, value, one in circuit.goals
            if value == goal
        ]
        """What each end wants, each condition once."""
        self.literals = np.array(list(self._leaves), np.int32)
        """The literals of fluents that count."""
        self._bytes, self._masks = self.literals >> 4, (1 << (self.literals >> 1 & 7)).astype(np.uint8)
        self._negated = (self.literals & 1).astype(np.bool_)

    def _read(self, root: Literal) -> None:
        first_gate, fluents = self._circuit.first_gate, len(self._circuit.fluents)
        waiting = [root]
        opened: set[Literal] = set()
        while waiting:
            literal = waiting[-1]
            node = literal >> 1
            if node < fluents:
                self._leaves.setdefault(literal, len(self._leaves))
            if node < first_gate or literal in self._part_of or self._is_opaque(literal, opened):
                waiting.pop()
                continue
            inside = [each ^ (literal & 1) for each in self._circuit.gate(node - first_gate)]
            if literal in opened:
                waiting.pop()
                self._part_of[literal] = len(self._parts)
                self._parts.append((not literal & 1, inside))
            else:
                opened.add(literal)
                waiting += inside

    def _conditions(self, wanted: list[Literal]) -> list[Literal]:
        """The conditions of which all must hold, without those that follow from another one."""
        found: dict[Literal, None] = {}
        waiting = wanted
        while waiting:
            literal = waiting.pop()
            wants_all, inside = (
                self._parts[self._part_of[literal]] if literal in self._part_of else (False, [])
            )
            if wants_all:
                waiting += inside
            else:
                found[literal] = None
        return [each for each in found if not self._follows(each, found)]

    def _follows(self, literal: Literal, others: Container[Literal]) -> bool:
        """Whether one of the alternatives of a condition is among others."""
        return literal in self._part_of and any(
            each in others for each in self._parts[self._part_of[literal]][1]
        )

    def _is_opaque(self, literal: Literal, opened: set[Literal]) -> bool:
        in_loop = (literal >> 1) - self._circuit.first_gate in self._in_loop
        return in_loop or (literal not in opened and len(opened) + len(self._parts) >= MOST_PARTS)

    def holding(self, possible: Packed, certain: Packed) -> NDArray[np.bool_]:
        """Which literals may hold, where packed rows tell what may hold and what does in any case."""
        found: NDArray[np.bool_] = (possible[:, self._bytes] & self._masks) != 0
        if self._negated.any():
            some = self._negated
            found[:, some] = (certain[:, self._bytes[some]] & self._masks[some]) == 0
        return found

    def value(self, numbers: NDArray[np.int16]) -> Numbers:
        """What the numbers of the literals, a row for each state, come to."""
        columns = np.ascontiguousarray(numbers.T).astype(np.int32)
        count = len(numbers)
        parts: list[Numbers] = []

        def of(literal: Literal) -> Numbers | int:
            if literal in self._part_of:
                return parts[self._part_of[literal]]
            if literal in self._leaves:
                column: Numbers = columns[self._leaves[literal]]
                return column
            return NEVER if literal == self._circuit.true ^ 1 else 0

        def joined(wants_all: bool, literals: list[Literal]) -> Numbers:
            found = np.full(count, 0 if wants_all else NEVER, np.int32)
            for each in literals:
                if wants_all:
                    found += of(each)
                else:
                    np.minimum(found, of(each), out=found)
            return np.minimum(found, NEVER, out=found)

        for wants_all, literals in self._parts:
            parts.append(joined(wants_all, literals))
        value = np.full(count, NEVER, np.int32)
        for end in self._ends:
            np.minimum(value, joined(True, end), out=value)
        return value
