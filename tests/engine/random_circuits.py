"""Random ground programs, evaluated naively: what circuits and passes are compared with."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import strategies as st

from ludorum.asp.ground import GroundProgram
from ludorum.engine.circuit import Circuit, Values, evaluate
from ludorum.rules.terms import Term

ROLES = (Term("x"), Term("y"))
LEVELS = 3


@st.composite
def ground_programs(draw: st.DrawFn) -> GroundProgram:
    """Stratified rules over a few fluents and moves, with recursion: an atom may need its own level."""
    roles = ROLES[: draw(st.integers(1, 2))]
    fluents = [Term(f"f{at}") for at in range(draw(st.integers(1, 4)))]
    moves = [(role, Term(f"m{at}")) for role in roles for at in range(draw(st.integers(1, 4)))]
    # Level 0 holds the fluents; moves may be used from the last level on, where next and sees are.
    atoms: list[Term | None] = [Term("true", (fluent,)) for fluent in fluents]
    level = [0] * len(atoms)
    atoms += [Term("does", move) for move in moves]
    level += [LEVELS] * len(moves)
    for at in range(1, LEVELS + 2):
        count = draw(st.integers(0, 4))
        atoms += [None] * count
        level += [at] * count
    for move in moves:
        atoms.append(Term("legal", move))
    atoms += [Term("terminal"), *(Term("goal", (role, Term("100"))) for role in roles)]
    level += [LEVELS - 1] * (len(atoms) - len(level))
    atoms += [Term("next", (fluent,)) for fluent in fluents]
    atoms += [Term("sees", (role, Term("p"))) for role in roles]
    level += [LEVELS + 1] * (len(atoms) - len(level))
    inputs = len(fluents) + len(moves)
    facts = draw(st.lists(st.integers(inputs, len(atoms) - 1), max_size=2, unique=True))
    rules: list[tuple[int, list[int]]] = []
    for head in range(inputs, len(atoms)):
        if head in facts:
            continue
        positive = [2 * atom for atom in range(len(atoms)) if level[atom] <= level[head]]
        negative = [2 * atom + 1 for atom in range(len(atoms)) if level[atom] < level[head]]
        literal = st.sampled_from(positive + negative)
        bodies = draw(st.lists(st.lists(literal, min_size=1, max_size=4), max_size=4))
        rules += [(head, body) for body in bodies]
    return GroundProgram(
        atoms=atoms,
        heads=np.array([head for head, _ in rules], np.int32),
        body_offsets=np.cumsum([0, *(len(body) for _, body in rules)]).astype(np.int32),
        body=np.array([literal for _, body in rules for literal in body], np.int32),
        facts=np.array(facts, np.int32),
        true_atoms=np.arange(len(fluents), dtype=np.int32),
        does_atoms=np.arange(len(fluents), inputs, dtype=np.int32),
        initial=frozenset(fluents[:1]),
        roles=roles,
    )


def holding(program: GroundProgram, inputs: set[int]) -> set[Term]:
    """The named atoms that hold: rules fired until nothing is new, negation decided level by level."""
    rules = [
        (head, program.body[first:end].tolist())
        for head, first, end in zip(
            program.heads.tolist(),
            program.body_offsets.tolist(),
            program.body_offsets[1:].tolist(),
            strict=False,
        )
    ]
    known = inputs | set(program.facts.tolist())
    # The alternating fixpoint settles after as many rounds as there are levels.
    for _ in range(LEVELS + 3):
        assumed = known
        known = inputs | set(program.facts.tolist())
        size = -1
        while size != len(known):
            size = len(known)
            for head, body in rules:
                if all(
                    ((literal >> 1) in (assumed if literal & 1 else known)) != bool(literal & 1)
                    for literal in body
                ):
                    known.add(head)
    return {term for atom in known if (term := program.atoms[atom]) is not None}


MOST = 40
"""States and joint moves tried with one circuit."""


def some_inputs(circuit: Circuit) -> list[tuple[set[int], set[int]]]:
    """States under joint moves, all of them where they are few and evenly chosen otherwise."""
    states = product((False, True), repeat=len(circuit.fluents))
    found = [
        ({at for at, holds in enumerate(state) if holds}, set(joint))
        for state in states
        for joint in product(*circuit.role_moves)
    ]
    # A prime number of steps between two chosen ones meets every fluent and move in both values.
    stride = next(step for step in (1, 2, 3, 5, 7, 11, 13) if len(found) <= MOST * step)
    return found[::stride]


def assert_same_answers(one: Circuit, other: Circuit, only_legal: bool = False) -> None:
    """Two circuits agree in many states under joint moves (under legal ones)."""
    for fluents, moves in some_inputs(one):
        expected, got = evaluate(one, fluents, moves), evaluate(other, fluents, moves)
        if only_legal and not moves <= expected.legal:
            expected, got = _of_state(expected), _of_state(got)
        assert got == expected, (fluents, moves)


def _of_state(values: Values) -> Values:
    return Values(values.legal, values.terminal, values.goals, frozenset(), ())
