"""Groups of facts of which one holds in every state, or at most one: guessed, and proved by induction.

For each name of facts and each set of argument places, the facts that agree in these places are a group:
``(cell 1 1 ?)`` has one content. Random play drops most wrong guesses. Those that are left hold at the start;
clingo looks for a state in which all hold and a step after which one does not. What it breaks is dropped,
until it breaks nothing: then all that are left hold in every state of every match.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from ...rules.terms import Pattern, Signature, Term
from .box_solver import BoxSolver, SolverLimitError
from .constraints import Group, ProgramWriter, constrain, never
from .ground_sheet import GroundSheet
from .lane_playouts import LANES, random_states
from .normal_program import Literal, NormalProgram

MOST_MEMBERS = 20_000
"""Members of all guessed groups together; guesses with few argument places come first."""
STEPS = 100
"""Steps of random play, each in many lanes."""
CONFLICTS = 2_000
"""Conflicts of one question to clingo; a guess that it cannot decide is dropped."""


def find_invariants(sheet: GroundSheet) -> tuple[Group, ...]:
    """Groups that are proved for every state of the game, without those that follow from others."""
    guesses = _played(sheet, _guesses(sheet.true))
    return _without_weaker(_inductive(sheet, guesses))


def _guesses(facts: Mapping[Term, int]) -> list[frozenset[int]]:
    """All groups of facts with the same name and the same arguments in some places."""
    named: dict[Signature, list[tuple[Term, int]]] = {}
    for fact, atom in facts.items():
        named.setdefault(fact.signature, []).append((fact, atom))
    keys = sorted(
        (places, signature)
        for signature in named
        for size in range(signature[1] + 1)
        for places in combinations(range(signature[1]), size)
    )
    keys.sort(key=lambda key: len(key[0]))
    found: dict[frozenset[int], None] = {}
    left = MOST_MEMBERS
    for places, signature in keys:
        left -= len(named[signature])
        if left < 0:
            break
        groups: dict[tuple[Pattern, ...], set[int]] = {}
        for fact, atom in named[signature]:
            groups.setdefault(tuple(fact.args[at] for at in places), set()).add(atom)
        found.update((frozenset(group), None) for group in groups.values())
    return list(found)


def _played(sheet: GroundSheet, guesses: Iterable[frozenset[int]]) -> list[Group]:
    """The groups that are right in all states of random play."""
    full = (1 << LANES) - 1
    groups = dict.fromkeys(guesses, True)
    for state in random_states(sheet, STEPS):
        for atoms in list(groups):
            some = several = 0
            for atom in atoms:
                several |= some & state[atom]
                some |= state[atom]
            if several:
                del groups[atoms]
            elif some != full:
                groups[atoms] = False
    right = [Group(atoms, True) for atoms, exactly in groups.items() if exactly]
    # "At most" is a guess of its own where "exactly" cannot be proved; of a single fact it says nothing.
    return right + [Group(atoms, False) for atoms in groups if len(atoms) > 1]


@dataclass(frozen=True)
class _Induction:
    """A program of one step: which literals say that a group is right before it and wrong after it."""

    program: NormalProgram
    right_before: Mapping[Group, Literal]
    wrong_after: Mapping[Group, Literal]
    required: tuple[Literal, ...]


def _inductive(sheet: GroundSheet, guesses: list[Group]) -> list[Group]:
    """The largest set of these groups that every step keeps."""
    steps = _induction(sheet, guesses)
    solver = BoxSolver(steps.program, sheet.base, CONFLICTS)
    groups = list(guesses)
    checked = 0
    while checked < len(groups):
        group = groups[0]
        given = [*steps.required, *(steps.right_before[each] for each in groups), steps.wrong_after[group]]
        try:
            broken = solver.find(given, [steps.wrong_after[each] for each in groups])
        except SolverLimitError:
            broken = {steps.wrong_after[group]}
        if broken is None:
            groups.append(groups.pop(0))  # kept as long as no other is dropped
            checked += 1
        else:
            groups = [each for each in groups if steps.wrong_after[each] not in broken]
            checked = 0
    return groups


def _induction(sheet: GroundSheet, groups: list[Group]) -> _Induction:
    constrained = constrain(sheet)
    writer = ProgramWriter(constrained.program)
    right_before, wrong_after = {}, {}
    for group in groups:
        before, after = writer.atom(), writer.atom()
        writer.count_members(before, group)
        later = frozenset(sheet.later[atom] for atom in group.atoms if atom in sheet.later)
        writer.count_members(after, Group(later, group.exactly))
        right_before[group], wrong_after[group] = never(before), 2 * after
    required = [never(constrained.wrong_moves), never(constrained.illegal_moves)]
    required += [] if sheet.terminal is None else [never(sheet.terminal)]
    return _Induction(writer.program(), right_before, wrong_after, tuple(required))


def _without_weaker(groups: list[Group]) -> tuple[Group, ...]:
    """The groups that do not follow from a larger one: at most one of a part of it holds, too."""
    kept: list[Group] = []
    for group in sorted(groups, key=lambda each: (-len(each.atoms), not each.exactly, sorted(each.atoms))):
        if group.exactly or not any(group.atoms <= other.atoms for other in kept):
            kept.append(group)
    return tuple(kept)
