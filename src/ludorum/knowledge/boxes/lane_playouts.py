"""Random play of a ground sheet in many lanes at once: reached states, for a first test of guesses."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .ground_sheet import GroundSheet
from .lanes import Slice

LANES = 256


def random_states(sheet: GroundSheet, steps: int, seed: int = 0) -> Iterator[dict[int, int]]:
    """The lanes in which each fact holds, step after step; every lane is a match of its own.

    A lane begins again where its match is over or a role has no move. Moves are legal,
    but not equally likely.
    """
    full = (1 << LANES) - 1
    chance = random.Random(seed)
    ends = [] if sheet.terminal is None else [sheet.terminal]
    legal = [atom for moves in sheet.legal.values() for atom in moves.values()]
    before = Slice(sheet.program, sheet.base, [*legal, *ends])
    after = Slice(sheet.program, sheet.base, sheet.next.values())
    state = {fact: full * (fact in sheet.initial) for fact in sheet.true.values()}
    for _ in range(steps):
        yield state
        values = dict(
            zip(
                before.roots, before.worlds([state.get(atom, 0) for atom in before.inputs], full), strict=True
            )
        )
        going = full & ~(values[ends[0]] if ends else 0)
        moves: dict[int, int] = {}
        for role, atoms in sheet.legal.items():
            options = [
                (does[move], values[atom])
                for move, atom in atoms.items()
                if move in (does := sheet.does[role])
            ]
            made, idle = _choose(options, full, chance)
            moves.update(made)
            going &= ~idle
        given = [state[atom] if atom in state else moves.get(atom, 0) for atom in after.inputs]
        later = dict(zip(after.roots, after.worlds(given, full), strict=True))
        state = {
            fact: later.get(sheet.later.get(fact, -1), 0) & going
            | (full & ~going if fact in sheet.initial else 0)
            for fact in state
        }


def _choose(options: list[tuple[int, int]], full: int, chance: random.Random) -> tuple[dict[int, int], int]:
    """The lanes in which each move is made, one of its legal ones a lane; and the lanes without a move."""
    chance.shuffle(options)
    left = full
    made: dict[int, int] = {}
    for last in (False, True):
        for atom, legal in options:
            taken = legal & left if last else legal & left & chance.getrandbits(LANES)
            made[atom] = made.get(atom, 0) | taken
            left &= ~taken
    return made, left
