"""One step of packed states, by what one role was told of it: the states from which the step can be made, the
moves of each role there, and the joint moves that show the role just what it perceived."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...engine.compiled import CompiledGame, CompiledState
from ...engine.packed_rows import sees_masks
from ...engine.simulator import Numbers, Packed, Simulator
from ...rules.terms import Term

Flags = NDArray[np.bool_]

FEW_MOVES = 256
"""Moves of a sheet up to which all are looked at: to find those that matter would take longer."""


@dataclass(frozen=True)
class ToldNumbers:
    """What a role was told of a step, in numbers; None for what it was not told."""

    move: int | None
    percepts: Packed | None
    """The own percepts as bits of ``circuit.sees``."""


@dataclass(frozen=True)
class LegalMoves:
    """The moves of one role in many states: a flag by state and column, and what move each column is."""

    flags: Flags
    numbers: Numbers


class PackedStep:
    """The steps of one role's match, for packed states of a game."""

    def __init__(self, game: CompiledGame, role: Term, simulator: Simulator[CompiledState]) -> None:
        self.seat = game.roles.index(role)
        self._circuit = game.circuit
        self._simulator = simulator
        self._percepts = _percepts_of(game, self.seat)
        self._numbers = np.arange(len(game.circuit.moves), dtype=np.int32)
        self._ends = [(own.start, own.stop) for own in game.circuit.role_moves]
        self.masks = sees_masks(game.circuit)
        """By role: the bits of ``circuit.sees`` that belong to it."""

    def told(self, move: Term | None, percepts: Iterable[Term] | None) -> ToldNumbers | None:
        """A step in numbers; None where it has a move or a percept that no play can bring about."""
        number = None if move is None else self._circuit.move_number(self.seat, move)
        if number == -1:
            return None
        if percepts is None:
            return ToldNumbers(number, None)
        bits = np.zeros(len(self._circuit.sees), np.bool_)
        for percept in percepts:
            place = self._percepts.get(percept)
            if place is None:
                return None
            bits[place] = True
        return ToldNumbers(number, np.packbits(bits, bitorder="little"))

    def legal(self, packed: Packed, over: Flags, told: ToldNumbers) -> tuple[Flags, list[LegalMoves]]:
        """Which states the step can be made from, and the moves of each role in these.

        ``packed`` has the legal moves of the states as ``expand`` gives them; those of ``over`` are out.
        Where the role's own move is known, it has no other.
        """
        able = ~over
        if told.move is not None:
            able &= (packed[:, told.move // 8] >> np.uint8(told.move % 8)).astype(np.bool_)
        numbers, places, flags = self._columns(packed)
        for seat, (begin, end) in enumerate(places):
            if seat != self.seat or told.move is None:
                able &= flags[:, begin:end].any(axis=1)
        if not able.all():
            flags = flags[able]
        found = [LegalMoves(flags[:, begin:end], numbers[begin:end]) for begin, end in places]
        if told.move is not None:
            own = np.ones((len(flags), 1), np.bool_)
            found[self.seat] = LegalMoves(own, np.array([told.move], np.int32))
        return able, found

    def _columns(self, packed: Packed) -> tuple[Numbers, list[tuple[int, int]], Flags]:
        """The numbers of moves that may be legal, which of them are each role's, and their flags."""
        if len(self._numbers) <= FEW_MOVES:
            flags = np.unpackbits(packed, axis=1, count=len(self._numbers), bitorder="little").view(np.bool_)
            return self._numbers, self._ends, flags
        numbers, flags = _used_columns(packed, len(self._numbers))
        return numbers, [tuple(np.searchsorted(numbers, ends).tolist()) for ends in self._ends], flags

    def seen(self, rows: Packed, moves: Numbers) -> Packed | None:
        """The percepts of all roles for legal joint moves, as bits; None where the game has none."""
        return self._simulator.kernel.sees(rows, moves, 1, False) if self._circuit.sees else None

    def fits(self, seen: Packed, percepts: Packed) -> Flags:
        """Where the role perceives just this."""
        fits: Flags = ((seen & self.masks[self.seat]) == percepts).all(axis=1)
        return fits

    def after(self, rows: Packed, moves: Numbers) -> Packed:
        """The states after joint moves that are legal."""
        return self._simulator.kernel.step(rows, moves, 1, False)


_KNOWN_PERCEPTS: WeakKeyDictionary[CompiledGame, dict[int, dict[Term, int]]] = WeakKeyDictionary()


def _percepts_of(game: CompiledGame, seat: int) -> dict[Term, int]:
    """The bit of each percept of a role, found once for each game."""
    known = _KNOWN_PERCEPTS.setdefault(game, {})
    if seat not in known:
        known[seat] = {what: at for at, (whose, what, _) in enumerate(game.circuit.sees) if whose == seat}
    return known[seat]


def _used_columns(packed: Packed, moves: int) -> tuple[Numbers, Flags]:
    """The numbers of moves near one that is legal in some state, and their flags.

    Packed bytes that are 0 in all states are left out: of fifty thousand moves most belong to other steps.
    """
    used = np.flatnonzero(np.bitwise_or.reduce(packed, axis=0))
    flags = np.unpackbits(packed[:, used], axis=1, bitorder="little").view(np.bool_)
    numbers = (8 * used[:, None] + np.arange(8)).ravel().astype(np.int32)
    return numbers[numbers < moves], flags[:, numbers < moves]
