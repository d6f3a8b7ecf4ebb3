"""From a ground program to a circuit: a rule is an AND gate, an atom the OR of its rules.

Atoms are met in the order of their dependencies (Tarjan's strongly connected components). Atoms that need
each other form a loop; of those, the ones referred to before their own rules are written get a gate of their
own that says "derived so far", so that a round from all-false can only add.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ..rules.kif import format_term
from ..rules.terms import Term, as_integer, sort_key
from .circuit import Circuit, CircuitError, Literal, find_loops, pack_gates

if TYPE_CHECKING:
    from typing import Any as GroundProgram


def build(program: GroundProgram) -> Circuit:
    """The circuit as the rules say it, not yet simplified."""
    fluents = sorted(_inputs(program, program.true_atoms.tolist(), 0), key=lambda pair: sort_key(pair[0]))
    role_index = {role: at for at, role in enumerate(program.roles)}
    moves = sorted(
        ((role_index[_argument(program, atom, 0)], _argument(program, atom, 1), atom))
        for atom in program.does_atoms.tolist()
    )
    true = 2 * (len(fluents) + len(moves))
    literals = np.full(len(program.atoms), true ^ 1, np.int64)
    literals[program.facts] = true
    for node, (_, atom) in enumerate(fluents):
        literals[atom] = 2 * node
    for node, (_, _, atom) in enumerate(moves, len(fluents)):
        literals[atom] = 2 * node
    network = _Network(program, literals.tolist(), (true >> 1) + 1)
    network.build()
    offsets, gate_literals = pack_gates(network.gates)
    asked = _asked(program)

    def literal_of(name: str, *args: Term) -> Literal:
        atom = asked.get(Term(name, args))
        return true ^ 1 if atom is None else network.literals[atom]

    return Circuit(
        roles=program.roles,
        fluents=tuple(fluent for fluent, _ in fluents),
        moves=tuple((role, move) for role, move, _ in moves),
        gate_offsets=offsets,
        gate_literals=gate_literals,
        legal=np.array([literal_of("legal", program.roles[role], move) for role, move, _ in moves], np.int32),
        terminal=literal_of("terminal"),
        goals=tuple(
            (role_index[role], _number(value), network.literals[atom])
            for role, value, atom in _pairs(asked, "goal")
            if role in role_index
        ),
        next=np.array([literal_of("next", fluent) for fluent, _ in fluents], np.int32),
        sees=tuple(
            (role_index[role], percept, network.literals[atom])
            for role, percept, atom in _pairs(asked, "sees")
            if role in role_index
        ),
        initial=np.array([fluent in program.initial for fluent, _ in fluents], np.bool_),
        loops=find_loops(offsets, gate_literals, network.first_gate),
    )


def _argument(program: GroundProgram, atom: int, at: int) -> Term:
    term = program.atoms[atom]
    assert term is not None
    argument = term.args[at]
    assert isinstance(argument, Term)
    return argument


def _inputs(program: GroundProgram, atoms: list[int], at: int) -> Iterator[tuple[Term, int]]:
    for atom in atoms:
        yield _argument(program, atom, at), atom


def _asked(program: GroundProgram) -> dict[Term, int]:
    """The atoms somebody outside asks for."""
    names = {"legal", "terminal", "goal", "next", "sees"}
    return {term: atom for atom, term in enumerate(program.atoms) if term is not None and term.name in names}


def _pairs(asked: dict[Term, int], name: str) -> list[tuple[Term, Term, int]]:
    """The rows of a relation with two arguments, sorted."""
    found = [(*term.args, atom) for term, atom in asked.items() if term.name == name and len(term.args) == 2]
    return sorted(found, key=lambda row: (sort_key(row[0]), sort_key(row[1])))  # type: ignore[arg-type]


def _number(value: Term) -> int | Term:
    number = as_integer(value)
    return value if number is None else number


class _Network:
    """Grows gates until every atom has its literal."""

    def __init__(self, program: GroundProgram, literals: list[Literal], first_gate: int) -> None:
        self.program = program
        self.literals = literals
        """The literal of each atom; FALSE until its rules are written."""
        self.first_gate = first_gate
        self.gates: list[list[Literal]] = []
        self.offsets = program.body_offsets.tolist()
        self.body = program.body.tolist()
        self.rules: dict[int, list[int]] = {}
        known = {*program.facts.tolist(), *program.true_atoms.tolist(), *program.does_atoms.tolist()}
        for rule, head in enumerate(program.heads.tolist()):
            if head not in known:
                self.rules.setdefault(head, []).append(rule)

    def build(self) -> None:
        for component in self._components():
            if len(component) == 1 and not self._refers_to_itself(component[0]):
                self.literals[component[0]] = self._or_of_rules(component[0])
            else:
                self._loop(component)

    def _bodies(self, atom: int) -> Iterator[list[int]]:
        for rule in self.rules[atom]:
            yield self.body[self.offsets[rule] : self.offsets[rule + 1]]

    def _refers_to_itself(self, atom: int) -> bool:
        return any(literal >> 1 == atom for body in self._bodies(atom) for literal in body)

    def _gate(self, literals: list[Literal]) -> Literal:
        self.gates.append(literals)
        return 2 * (self.first_gate + len(self.gates) - 1)

    def _or_of_rules(self, atom: int) -> Literal:
        ways = []
        for body in self._bodies(atom):
            literals = [self.literals[literal >> 1] ^ (literal & 1) for literal in body]
            ways.append(literals[0] if len(literals) == 1 else self._gate(literals))
        return ways[0] if len(ways) == 1 else self._gate([way ^ 1 for way in ways]) ^ 1

    def _loop(self, component: list[int]) -> None:
        """Atoms that need each other, written dependencies first as far as that goes."""
        self._refuse_negation(set(component))
        later = self._referred_before_written(component)
        # A stand-in outside the range of literals until the gate's place is known.
        stand_in = {-2 * number: atom for number, atom in enumerate(later, 1)}
        for literal, atom in stand_in.items():
            self.literals[atom] = literal
        start = len(self.gates)
        place: dict[int, Literal] = {}
        for atom in component:
            value = self._or_of_rules(atom)
            if atom in later:
                # "Derived so far" must begin false, and an OR is kept as its negation, which begins true.
                place[self.literals[atom]] = self.literals[atom] = self._gate([value])
            else:
                self.literals[atom] = value
        for gate in self.gates[start:]:
            gate[:] = [literal if literal >= 0 else place[literal & ~1] ^ (literal & 1) for literal in gate]

    def _referred_before_written(self, component: list[int]) -> list[int]:
        place = {atom: at for at, atom in enumerate(component)}
        found: dict[int, None] = {}
        for at, atom in enumerate(component):
            for body in self._bodies(atom):
                found.update((literal >> 1, None) for literal in body if place.get(literal >> 1, -1) >= at)
        return list(found)

    def _refuse_negation(self, members: set[int]) -> None:
        for atom in members:
            for body in self._bodies(atom):
                for literal in body:
                    if literal & 1 and literal >> 1 in members:
                        names = " and ".join(self._names_above(members))
                        raise CircuitError(f"negation runs in a circle in the rules of {names}")

    def _names_above(self, atoms: set[int], most: int = 3) -> list[str]:
        """The first named atoms that some atoms are needed for, themselves included."""
        users: dict[int, list[int]] = {}
        for head in self.rules:
            for body in self._bodies(head):
                for literal in body:
                    users.setdefault(literal >> 1, []).append(head)
        reached = dict.fromkeys(sorted(atoms))
        todo = list(reached)
        for atom in todo:
            for user in users.get(atom, ()):
                if user not in reached:
                    reached[user] = None
                    todo.append(user)
        terms = [term for atom in todo if (term := self.program.atoms[atom]) is not None]
        return [format_term(term) for term in terms[:most]]

    def _components(self) -> Iterator[list[int]]:
        """Tarjan's components of the defined atoms, dependencies first, without recursion."""
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        stack: list[int] = []
        on_stack: set[int] = set()
        for root in self.rules:
            if root in index:
                continue
            work = [(root, self._defined_below(root))]
            index[root] = low[root] = len(index)
            stack.append(root)
            on_stack.add(root)
            finished: list[int] = []
            while work:
                atom, below = work[-1]
                for other in below:
                    if other not in index:
                        index[other] = low[other] = len(index)
                        stack.append(other)
                        on_stack.add(other)
                        work.append((other, self._defined_below(other)))
                        break
                    if other in on_stack:
                        low[atom] = min(low[atom], index[other])
                else:
                    work.pop()
                    finished.append(atom)
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[atom])
                    if low[atom] == index[atom]:
                        at = stack.index(atom) if stack[-1] != atom else len(stack) - 1
                        members = set(stack[at:])
                        del stack[at:]
                        on_stack -= members
                        # In the order they were finished: dependencies first as far as that goes.
                        component = [one for one in finished if one in members]
                        finished = [one for one in finished if one not in members]
                        yield component

    def _defined_below(self, atom: int) -> Iterator[int]:
        return (literal >> 1 for body in self._bodies(atom) for literal in body if literal >> 1 in self.rules)
