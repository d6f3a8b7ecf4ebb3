"""Random play of a WDL sheet as it is written, for those who look at states to see what the game is like."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .wdl_master import MasterState, WdlMaster

TICKS = 10
"""Signals of the clock between two moves."""


class SampledMaster:
    """A realtime game of which random matches can be played."""

    def __init__(self, master: WdlMaster) -> None:
        self._master = master

    @property
    def roles(self) -> tuple[Term, ...]:
        return self._master.roles

    @property
    def rules(self) -> Ruleset | None:
        return self._master.sheet.master

    def playout(self, seed: int = 0) -> Iterator[SampledMasterState]:
        """States of a random match, one for each move."""
        master, choose = self._master, Random(seed)
        state = master.initial()
        while not master.is_terminal(state):
            yield SampledMasterState(master, state)
            for _ in range(TICKS):
                state = master.tick(state)
            role = choose.choice(master.roles)
            if not master.is_terminal(state) and (legal := master.legal(state, role)):
                made, _ = master.resolve(state, choose.choice(legal), choose)
                state = master.after(state, {role: made})


class SampledMasterState:
    """A state of such a match."""

    def __init__(self, master: WdlMaster, state: MasterState) -> None:
        self._master = master
        self._state = state

    def facts(self) -> frozenset[Term]:
        return self._state.facts

    def legal(self, role: Term) -> tuple[Term, ...]:
        return self._master.legal(self._state, role)
