"""The ground rules of a sheet by their heads, and which fluent an input of them is."""

from __future__ import annotations

from ..asp.ground import GroundProgram
from ..rules.terms import Term

MEGABYTES = 2000.0
"""The memory limit of grounding; sheets that need more have no formulas of their goals."""

Literal = tuple[int, bool]
"""An atom of a ground program by its number, and whether it is negated."""


def bodies_of(program: GroundProgram) -> dict[int, list[list[Literal]]]:
    """The bodies of every atom that has rules."""
    body, offsets = program.body.tolist(), program.body_offsets.tolist()
    found: dict[int, list[list[Literal]]] = {}
    for at, head in enumerate(program.heads.tolist()):
        literals = body[offsets[at] : offsets[at + 1]]
        found.setdefault(head, []).append([(literal >> 1, bool(literal & 1)) for literal in literals])
    return found


def fluents_of(program: GroundProgram) -> dict[int, Term]:
    """The fluent of every atom that asks whether one holds."""
    found: dict[int, Term] = {}
    for number in program.true_atoms.tolist():
        atom = program.atoms[number]
        assert atom is not None
        (fluent,) = atom.args
        assert isinstance(fluent, Term)
        found[number] = fluent
    return found
