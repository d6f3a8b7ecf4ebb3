"""Players thinking about one step of a match, so that a program can watch, hurry or abandon them."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from ...engine.game import State
from ...engine.sight import position_of
from ...rules.terms import Term
from .table_player import TablePlayer, Wishes


class Thinking:
    """The moves that some players choose in one state. ``run`` blocks; the rest may be called meanwhile."""

    def __init__(self, states: Sequence[State], players: Mapping[Term, TablePlayer], seconds: float) -> None:
        """``states`` are those of the match so far; the players think about the last one."""
        self.states = tuple(states)
        self.state = self.states[-1]
        self.players = dict(players)
        self.seconds = seconds
        self.moves: dict[Term, Term] = {}
        self.faults: list[str] = []
        """Faults of players, in words; a legal move was taken instead."""
        self.who: Term | None = None
        """The role whose player thinks at this moment."""
        self.limit = seconds
        """Seconds the present player has, with its start clock if that is still to run."""
        self._begun = time.monotonic()
        self._wishes = Wishes()

    @property
    def elapsed(self) -> float:
        """Seconds since the present player began."""
        return time.monotonic() - self._begun

    @property
    def is_abandoned(self) -> bool:
        return self._wishes.is_abandoned

    def hurry(self) -> None:
        """Ask for moves now."""
        self._wishes.hurry()

    def abandon(self) -> None:
        """Say that the moves are not wanted any more; ``run`` returns soon."""
        self._wishes.abandon()

    def run(self) -> dict[Term, Term]:
        """Every player's move, one after the other. GameError where a role has none."""
        for role, player in self.players.items():
            self.who, self._begun = role, time.monotonic()
            self.limit = player.limit(position_of(self.state, role), self.seconds)
            self.moves[role], faults = player.answer(self.states, self.seconds, self._wishes)
            self.faults += faults
            if self.is_abandoned:
                break
        self.who = None
        return self.moves
