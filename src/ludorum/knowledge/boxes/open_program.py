"""Open logic programs: rules, facts that are known, and facts that may hold or not (Bonatti 2001).

An extension adds some of the open facts to the known ones. Here all extensions are made, one after the other:
slow, and obviously right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ..knower import ImpossiblePerceptsError
from .normal_program import Literal, NormalProgram


@dataclass(frozen=True)
class OpenProgram:
    """A program with a box of fact sets: all of ``known``, any of ``open``, nothing else."""

    program: NormalProgram
    known: frozenset[int]
    open: frozenset[int]

    def __post_init__(self) -> None:
        if self.known & self.open:
            raise ValueError("a fact cannot be both known and open")

    def extensions(self) -> Iterator[frozenset[int]]:
        """The facts of all extensions."""
        choices = sorted(self.open)
        for size in range(len(choices) + 1):
            for chosen in combinations(choices, size):
                yield self.known.union(chosen)

    def models(self) -> Iterator[tuple[frozenset[int], set[int]]]:
        """All extensions with what follows from each."""
        for facts in self.extensions():
            yield facts, self.program.model(facts)

    def skeptical(self, literal: Literal) -> bool:
        """Whether the literal holds in every extension."""
        return all(holds(literal, model) for _, model in self.models())

    def credulous(self, literal: Literal) -> bool:
        """Whether the literal holds in some extension."""
        return any(holds(literal, model) for _, model in self.models())

    def entailed(self, literals: Iterable[Literal]) -> frozenset[Literal] | None:
        """The literals over open facts that hold wherever the given ones do; None where these never hold."""
        given = list(literals)
        fitting = [facts for facts, model in self.models() if all(holds(each, model) for each in given)]
        if not fitting:
            return None
        signed = (literal for atom in self.open for literal in (2 * atom, 2 * atom + 1))
        return frozenset(each for each in signed if all(holds(each, facts) for facts in fitting))


def decided(learned: Iterable[Literal]) -> tuple[frozenset[int], frozenset[int]]:
    """The atoms that are now true and those that are false; ImpossiblePerceptsError where one is both."""
    literals = frozenset(learned)
    true = frozenset(literal >> 1 for literal in literals if not literal & 1)
    false = frozenset(literal >> 1 for literal in literals if literal & 1)
    if true & false:
        raise ImpossiblePerceptsError("two observations contradict each other")
    return true, false


def holds(literal: Literal, model: set[int] | frozenset[int]) -> bool:
    """Whether a literal is true in a model."""
    return (literal >> 1 in model) != bool(literal & 1)
