"""Sums of terms: ``score(player(0))-10-10`` is one term and a number."""

from __future__ import annotations

from dataclasses import dataclass

from ...rules.terms import Pattern
from ..language.terms import Term, as_integer, number, operation


@dataclass(frozen=True)
class Sum:
    """A number and terms with factors, none of them 0."""

    constant: int
    parts: tuple[tuple[Term, int], ...] = ()

    @property
    def is_constant(self) -> bool:
        return not self.parts

    def plus(self, other: Sum, factor: int = 1) -> Sum:
        parts = dict(self.parts)
        for term, count in other.parts:
            parts[term] = parts.get(term, 0) + factor * count
        kept = tuple((term, count) for term, count in parts.items() if count)
        return Sum(self.constant + factor * other.constant, kept)

    def times(self, factor: int) -> Sum:
        return Sum(0).plus(self, factor)


def as_sum(term: Pattern) -> Sum:
    """A term as a sum; a term that is no sum is a single part."""
    assert isinstance(term, Term)
    value = as_integer(term)
    if value is not None:
        return Sum(value)
    if term.name == "operation" and len(term.args) == 3:
        name, left, right = term.args
        if str(name) in ("add", "subtract"):
            return as_sum(left).plus(as_sum(right), 1 if str(name) == "add" else -1)
        if str(name) == "multiply":
            one, other = as_sum(left), as_sum(right)
            if one.is_constant:
                return other.times(one.constant)
            if other.is_constant:
                return one.times(other.constant)
    return Sum(0, ((term, 1),))


def as_term(total: Sum) -> Term:
    """A sum as charts write it: positive parts first, then negative ones, the number last."""
    found: Term | None = None
    for term, count in sorted(total.parts, key=lambda part: part[1] < 0):
        part = term if abs(count) == 1 else operation("multiply", number(abs(count)), term)
        if found is None:
            found = part if count > 0 else operation("subtract", number(0), part)
        else:
            found = operation("add" if count > 0 else "subtract", found, part)
    if found is None:
        return number(total.constant)
    if total.constant == 0:
        return found
    return operation("add" if total.constant > 0 else "subtract", found, number(abs(total.constant)))
