"""A realtime sheet as a game of states, so that boards and words of it are found as for all others.

Nothing is played here, since no joint moves lead from state to state: `playout` gives a sample of states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from ...engine.errors import GameError
from ...engine.game import Game, JointMove, Moves, Named, State
from ...engine.info import GameInfo, Known, Status
from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.source import RulesError
from ...rules.terms import Term
from ...rules.wdl.sheet import WdlSheet
from ...rules.wdl.to_gdl2 import to_gdl2

MOST_TICKS = 2000
"""Signals of the clock in the sample."""
ACTS = 0.2
"""How likely a player that can act does so before a signal."""


class RealtimeGame(Game):
    """The states of a realtime sheet."""

    def __init__(self, sheet: WdlSheet) -> None:
        self.master = WdlMaster(sheet)
        self.name = sheet.source.name
        self.roles = sheet.roles
        try:
            self.rules = to_gdl2(sheet).rules
        except RulesError:  # weights that need too many copies: only words are lost
            self.rules = None
        is_open = Known[bool | None](not sheet.hides, Status.PROVED)
        realtime = Known[bool | None](True, Status.PROVED)
        self.info = GameInfo(sheet.roles, (), is_open, realtime=realtime)

    def initial(self) -> State:
        return RealtimeState(self, self.master.initial())

    def state(self, facts: Iterable[Term]) -> State:
        return RealtimeState(self, MasterState(frozenset(facts)))

    def playout(self, seed: int = 0) -> Iterator[State]:
        """States of a random match, one for each that differs from the one before."""
        rng = Random(seed)
        state = self.master.initial()
        yield RealtimeState(self, state)
        for _ in range(MOST_TICKS):
            if self.master.is_terminal(state):
                return
            before = state.facts
            if rng.random() < ACTS and (acted := self._acted(state, rng)) is not None:
                state = acted
            else:
                state = self.master.tick(state)
            if state.facts != before:
                yield RealtimeState(self, state)

    def _acted(self, state: MasterState, rng: Random) -> MasterState | None:
        options = [(role, move) for role in self.roles for move in self.master.legal(state, role)]
        if not options:
            return None
        role, move = rng.choice(options)
        made, _ = self.master.resolve(state, move, rng)
        return self.master.after(state, {role: made})


class RealtimeState(State):
    """One moment of a realtime game."""

    __slots__ = ("at", "game")

    def __init__(self, game: RealtimeGame, at: MasterState) -> None:
        self.game: Game = game
        self.at = at

    @property
    def _master(self) -> WdlMaster:
        assert isinstance(self.game, RealtimeGame)
        return self.game.master

    def facts(self) -> frozenset[Term]:
        return self.at.facts

    def legal(self, role: Named) -> tuple[Term, ...]:
        return () if self.is_terminal else self._master.legal(self.at, self.game.role(role))

    def play(self, joint: Moves) -> State:
        raise GameError(f"{self.game.name} has no rounds")

    @property
    def is_terminal(self) -> bool:
        return self._master.is_terminal(self.at)

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        return self._master.goals(self.at)[self.game.role(role)]

    @property
    def joint(self) -> JointMove | None:
        return None

    def percepts(self, role: Named) -> tuple[Term, ...]:
        return ()
