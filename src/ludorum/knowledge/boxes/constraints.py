"""What a box cannot say, as atoms: that roles make one legal move each, and that invariants hold.

Each constraint is an atom that is true where it is broken. Questions require its negation, or leave it alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from .ground_sheet import GroundSheet
from .normal_program import Body, Literal, NormalProgram


@dataclass(frozen=True)
class Group:
    """Facts of which one holds in every state, or at most one."""

    atoms: frozenset[int]
    exactly: bool


@dataclass(frozen=True)
class ConstrainedProgram:
    """The program of a sheet with an atom for each kind of constraint."""

    program: NormalProgram
    wrong_moves: int
    """Some role makes no move, or several."""
    illegal_moves: int
    """Some role makes a move that is not legal."""
    wrong_facts: int
    """Some group of facts has no member that holds, or several."""


class ProgramWriter:
    """Adds atoms and rules to a program."""

    def __init__(self, program: NormalProgram) -> None:
        self.count = program.count
        self.rules: list[tuple[int, Body]] = [
            (head, body) for head, bodies in enumerate(program.bodies) for body in bodies
        ]

    def atom(self) -> int:
        self.count += 1
        return self.count - 1

    def rule(self, head: int, positive: Iterable[int] = (), negative: Iterable[int] = ()) -> None:
        self.rules.append((head, (tuple(positive), tuple(negative))))

    def count_members(self, wrong: int, group: Group) -> None:
        """Make ``wrong`` true where several members hold, or none although one must; a chain stays small."""
        some: int | None = None
        for member in sorted(group.atoms):
            if some is None:
                some = member
                continue
            self.rule(wrong, [some, member])
            more = self.atom()
            self.rule(more, [some])
            self.rule(more, [member])
            some = more
        if group.exactly:
            self.rule(wrong, [], [] if some is None else [some])

    def program(self) -> NormalProgram:
        return NormalProgram(self.count, self.rules)


def constrain(sheet: GroundSheet, groups: Collection[Group] = ()) -> ConstrainedProgram:
    """The sheet's program with its constraints; ``groups`` are invariants of its states."""
    writer = ProgramWriter(sheet.program)
    wrong_moves, illegal_moves, wrong_facts = writer.atom(), writer.atom(), writer.atom()
    for role, moves in sheet.does.items():
        writer.count_members(wrong_moves, Group(frozenset(moves.values()), exactly=True))
        legal = sheet.legal[role]
        for move, atom in moves.items():
            writer.rule(illegal_moves, [atom], [legal[move]] if move in legal else [])
    for group in groups:
        writer.count_members(wrong_facts, group)
    return ConstrainedProgram(writer.program(), wrong_moves, illegal_moves, wrong_facts)


def never(atom: int) -> Literal:
    """The literal that says that a constraint is not broken."""
    return 2 * atom + 1
