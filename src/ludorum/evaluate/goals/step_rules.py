"""The ground rules of one step: what the next state needs of this one, moves included.

Below a move stand the rules that make it legal, since nothing else is ever done. So every atom of a step goes
back to fluents of the state before it.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ...asp.ground import GroundProgram
from ...rules.dependencies import strong_components
from ...rules.terms import Term
from ..ground_bodies import Literal, bodies_of, fluents_of


@dataclass(frozen=True)
class AtomGroup:
    """Atoms that depend on each other; mostly one that does not depend on itself."""

    atoms: tuple[int, ...]
    circular: bool


class StepRules:
    """A ground program, read from the next state down."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.facts = frozenset(program.facts.tolist())
        self.fluents = fluents_of(program)
        self.legal_of = dict(_legal_of(program))
        """Of each move that may be made the atom that says that it is legal."""
        inputs = {*self.fluents, *self.legal_of}
        self.bodies = {head: bodies for head, bodies in bodies_of(program).items() if head not in inputs}
        self._below: dict[int, tuple[int, ...]] = {}

    def next_of(self, fluent: Term) -> int | None:
        """The atom that says that a fluent holds next; None where no rule makes it hold."""
        number = self.program.numbers.get(Term("next", (fluent,)))
        return number if number in self.bodies or number in self.facts else None

    @cached_property
    def moves(self) -> dict[Term, list[int]]:
        """The moves of each role."""
        found: dict[Term, list[int]] = {role: [] for role in self.program.roles}
        for move in self.legal_of:
            found[self.role_of[move]].append(move)
        return found

    @cached_property
    def role_of(self) -> dict[int, Term]:
        """The role of each move."""
        return {move: _role_of(self.program, move) for move in self.legal_of}

    def below(self, atom: int) -> Collection[int]:
        """The atoms that one depends on."""
        found = self._below.get(atom)
        if found is None:
            if atom in self.legal_of:
                found = (self.legal_of[atom],)
            else:
                found = tuple({other: None for body in self.bodies.get(atom, ()) for other, _ in body})
            self._below[atom] = found
        return found

    def all_below(self, root: int, known: Collection[int] = ()) -> set[int]:
        """The atoms that one depends on, directly or not, and itself; none below what is known."""
        found = {root}
        waiting = [root]
        while waiting:
            new = [at for at in self.below(waiting.pop()) if at not in found and at not in known]
            found.update(new)
            waiting += new
        return found

    def groups(self, roots: Iterable[int], known: Container[int] = ()) -> Iterator[AtomGroup]:
        """All atoms that some depend on, each after those it depends on; none below what is known."""
        for group in strong_components(
            roots, lambda atom: [other for other in self.below(atom) if other not in known]
        ):
            yield AtomGroup(tuple(group), len(group) > 1 or group[0] in self.below(group[0]))

    def negates_itself(self, group: AtomGroup) -> bool:
        """Whether negation runs in a circle."""
        own = set(group.atoms)
        return any(self._is_negated(own, body) for atom in own for body in self.bodies.get(atom, ()))

    @staticmethod
    def _is_negated(own: set[int], body: list[Literal]) -> bool:
        return any(is_negated and atom in own for atom, is_negated in body)


def _legal_of(program: GroundProgram) -> Iterator[tuple[int, int]]:
    for move in program.does_atoms.tolist():
        atom = program.atoms[move]
        assert atom is not None
        yield move, program.numbers[Term("legal", atom.args)]


def _role_of(program: GroundProgram, move: int) -> Term:
    atom = program.atoms[move]
    assert atom is not None
    role = atom.args[0]
    assert isinstance(role, Term)
    return role
