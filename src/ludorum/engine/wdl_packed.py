"""WDL with states as rows of numbers: what ``WdlMaster`` answers, several times as fast, for searches.

States are valid for one ``PackedMaster``; they hold the numbers of one lifted program.
"""

from __future__ import annotations

from array import array
from bisect import insort
from random import Random
from typing import NamedTuple

from ..rules.terms import Signature, Term
from ..rules.wdl.draws import events_of, names_in, resolve_move
from ..rules.wdl.views import whole_move
from .lifted import LiftedGame
from .lifted_program import GOAL, LEGAL, TERMINAL, LiftedProgram
from .wdl_master import MasterState, WdlMaster

FULL = 0.5
"""The share of a program's limit on terms from which on another one should be made."""


class PackedState(NamedTuple):
    """Sorted numbers of the facts, without that of the clock, and the clock."""

    facts: tuple[int, ...]
    clock: int


class PackedMaster:
    """The rules of a sheet at work on packed states."""

    def __init__(self, master: WdlMaster) -> None:
        self.master = master
        self._form = master.form
        self._game = LiftedGame(master.form.rules, master.sheet.source.name)
        self._program: LiftedProgram = self._game.program
        self._settings = master.sheet.settings
        self._names = master.sheet.names
        self._driven: dict[int, Signature | None] = {}
        self._forms: dict[int, Signature] = {}
        self._times: dict[int, int] = {}

    @property
    def is_full(self) -> bool:
        """Whether so many terms were seen that another ``PackedMaster`` should be made."""
        return self._program.core.term_count > self._game.limits.terms * FULL

    def pack(self, state: MasterState) -> PackedState:
        """The twin of ``unpack``."""
        return PackedState(tuple(sorted(map(self._program.id_of, state.facts))), state.clock)

    def unpack(self, state: PackedState) -> MasterState:
        """The state with its facts as terms."""
        return MasterState(frozenset(map(self._program.term_of, state.facts)), state.clock)

    def legal(self, state: PackedState, role: Term) -> tuple[Term, ...]:
        """The legal moves of a role."""
        rows = self._game.pairs(self._program, LEGAL, self._bytes(state))
        moves = rows.get(role, ())
        if not self._names:
            return moves
        odds = [row.args for row in rows.get(self._form.odds, ())]
        possible = {name for name in self._names if events_of(name, odds)}  # type: ignore[arg-type]
        return tuple(move for move in moves if possible.issuperset(names_in(move, self._names)))

    def act(self, state: PackedState, role: Term, move: Term, rng: Random) -> PackedState:
        """The state after a legal move of one player, with its chances drawn."""
        facts = self._bytes(state)
        if self._names and names_in(move, self._names):
            rows = self._game.pairs(self._program, LEGAL, facts).get(self._form.odds, ())
            odds = [row.args for row in rows]
            move, _ = resolve_move(move, self._names, odds, rng)  # type: ignore[arg-type]
        does = self._program.pack_moves([(role, whole_move(move))])
        after = self._numbers(self._game.next(self._program, facts, does))
        if self._settings.tick_inertia:
            after = [one for one in after if self._driven_form(one) is None]
        return PackedState(tuple(after), state.clock)

    def tick(self, state: PackedState) -> PackedState:
        """The state after a signal of the clock."""
        later = PackedState(state.facts, state.clock + 1)
        if not self.master.has_ticks:
            return later
        after = self._numbers(self._game.next(self._program, self._bytes(later), b""))
        if self._settings.tick_inertia:
            driven = {form for one in after if (form := self._driven_form(one)) is not None}
            kept = [one for one in state.facts if self._form_of(one) not in driven]
            made = [one for one in after if self._form_of(one) in driven]
            after = sorted({*kept, *made})
        return PackedState(tuple(after), later.clock)

    def is_terminal(self, state: PackedState) -> bool:
        return bool(self._game.ask(self._program, TERMINAL, self._bytes(state)))

    def goal(self, state: PackedState, role: Term) -> int | None:
        """The goal value of a role; None where rules give none, or more than one."""
        values = self._game.pairs(self._program, GOAL, self._bytes(state)).get(role, ())
        if len(values) != 1 or not str(values[0]).isdigit():
            return None
        return int(str(values[0]))

    def _bytes(self, state: PackedState) -> bytes:
        numbers = list(state.facts)
        if self._settings.realtime:
            insort(numbers, self._now(state.clock))
        return array("i", numbers).tobytes()

    def _now(self, clock: int) -> int:
        """The number of the fact that tells the clock."""
        if clock not in self._times:
            self._times[clock] = self._program.id_of(Term(self._form.now, (Term(str(clock)),)))
        return self._times[clock]

    @staticmethod
    def _numbers(packed: bytes) -> list[int]:
        return list(memoryview(packed).cast("i"))

    def _driven_form(self, number: int) -> Signature | None:
        """The form that a mark of the clock is about; None where a fact is no such mark."""
        if number not in self._driven:
            term = self._program.term_of(number)
            marks = term.name == self._form.driven
            self._driven[number] = term.args[0].signature if marks else None  # type: ignore[union-attr]
        return self._driven[number]

    def _form_of(self, number: int) -> Signature:
        if number not in self._forms:
            self._forms[number] = self._program.term_of(number).signature
        return self._forms[number]
