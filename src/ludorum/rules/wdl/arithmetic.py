"""Arithmetic that is built in: what its relations between numbers say, of single numbers and of sets.

A set of numbers is an integer with a bit for each number of a ``NumberRange``: sums of sets are shifts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from ..terms import Signature

LOWEST, HIGHEST = -64, 1024
"""The numbers that modules of arithmetic know, unless a sheet has others or says ``(set range low high)``."""
FARTHEST = 100_000
"""No number that is further from 0 can be counted with."""

MOST_SHIFTS = 500
"""Sets with more numbers are not added one by one."""

Row = tuple[int, ...]
Bits = int


class NumberRelation(Enum):
    """What a relation says of numbers; the value is the number of its arguments."""

    SUCCESSOR = "++", 2
    GREATER = "greaterthan", 2
    PLUS = "plus", 3
    MINUS = "minus", 3

    @property
    def arity(self) -> int:
        return self.value[1]


_MODULES = {
    "successor": (NumberRelation.SUCCESSOR,),
    "greater": (NumberRelation.GREATER,),
    "plus": (NumberRelation.PLUS, NumberRelation.MINUS),
}
BUILT_IN: dict[str, dict[Signature, NumberRelation]] = {
    package + module: {(f"{package}{module}:{kind.value[0]}", kind.arity): kind for kind in kinds}
    for package in ("", "arith:")
    for module, kinds in _MODULES.items()
}
"""The relations of each module that is built in, by their full names."""


@dataclass(frozen=True)
class NumberRange:
    """The numbers from ``low`` to ``high``."""

    low: int
    high: int

    @property
    def all(self) -> Bits:
        return (1 << (self.high - self.low + 1)) - 1

    def bit(self, number: int) -> Bits:
        return 1 << (number - self.low) if self.low <= number <= self.high else 0

    def numbers(self, bits: Bits) -> Iterator[int]:
        """The numbers of a set, the least first."""
        if bits:
            least = (bits & -bits).bit_length() - 1
            text = format(bits >> least, "b")[::-1]
            at = 0
            while at >= 0:
                yield self.low + least + at
                at = text.find("1", at + 1)

    def ends(self, bits: Bits) -> tuple[int, int]:
        """The least and the greatest of some numbers."""
        return self.low + (bits & -bits).bit_length() - 1, self.low + bits.bit_length() - 1

    def between(self, low: int, high: int) -> Bits:
        """The numbers from ``low`` to ``high``, both included."""
        low, high = max(low, self.low), min(high, self.high)
        return ((1 << (high - low + 1)) - 1) << (low - self.low) if low <= high else 0

    def moved(self, bits: Bits, by: int) -> Bits:
        """Each of some numbers plus another."""
        return (bits << by if by >= 0 else bits >> -by) & self.all

    def sums(self, left: Bits, right: Bits) -> Bits:
        """Each of some numbers plus each of others; everything between the ends where these are many."""
        few, many = sorted((left, right), key=int.bit_count)
        if few.bit_count() > MOST_SHIFTS:
            low, high = map(sum, zip(self.ends(left), self.ends(right), strict=True))
            return self.between(low, high)
        found = 0
        for number in self.numbers(few):
            found |= self.moved(many, number)
        return found

    def differences(self, left: Bits, right: Bits) -> Bits:
        """Each of some numbers minus each of others; everything between the ends where these are many."""
        if min(left.bit_count(), right.bit_count()) > MOST_SHIFTS:
            (least, most), (low, high) = self.ends(left), self.ends(right)
            return self.between(least - high, most - low)
        found = 0
        if left.bit_count() < right.bit_count():
            mirrored = int(format(right, "b").zfill(self.high - self.low + 1)[::-1], 2)
            for number in self.numbers(left):
                # Mirrored, `r` is `low + high - r`.
                found |= self.moved(mirrored, number - self.low - self.high)
            return found
        for number in self.numbers(right):
            found |= self.moved(left, -number)
        return found


Columns = tuple[Bits, ...]
"""For each argument the numbers that it may be."""


def narrowed(kind: NumberRelation, columns: Columns, among: NumberRange) -> Columns:
    """The numbers of each argument that may be in a row with some of the others, or a few more."""
    if not all(columns):
        return (0,) * len(columns)
    match kind:
        case NumberRelation.SUCCESSOR:
            left, right = columns
            return left & among.moved(right, -1), right & among.moved(left, 1)
        case NumberRelation.GREATER:
            left, right = columns
            least, greatest = among.ends(right)[0], among.ends(left)[1]
            above, below = among.between(least + 1, among.high), among.between(among.low, greatest - 1)
            return left & above, right & below
        case NumberRelation.PLUS:
            left, right, total = columns
        case NumberRelation.MINUS:
            total, right, left = columns
    total &= among.sums(left, right)
    left &= among.differences(total, right)
    right &= among.differences(total, left)
    return (left, right, total) if kind is NumberRelation.PLUS else (total, right, left)


def rows_of(kind: NumberRelation, columns: Columns, among: NumberRange) -> Iterator[Row]:
    """The rows of a relation whose arguments are among the given numbers, one after the other."""
    match kind:
        case NumberRelation.SUCCESSOR:
            left, right = columns
            for number in among.numbers(left & among.moved(right, -1)):
                yield number, number + 1
        case NumberRelation.GREATER:
            left, right = columns
            for number in among.numbers(left):
                for less in among.numbers(right & among.between(among.low, number - 1)):
                    yield number, less
        case NumberRelation.PLUS:
            left, right, total = columns
            yield from _sums(left, right, total, among)
        case NumberRelation.MINUS:
            total, right, left = columns
            for one, other, both in _sums(left, right, total, among):
                yield both, other, one


def _sums(left: Bits, right: Bits, total: Bits, among: NumberRange) -> Iterator[Row]:
    if right.bit_count() < left.bit_count():
        for other, one, both in _sums(right, left, total, among):
            yield one, other, both
        return
    for one in among.numbers(left):
        for other in among.numbers(right & among.moved(total, -one)):
            yield one, other, one + other
