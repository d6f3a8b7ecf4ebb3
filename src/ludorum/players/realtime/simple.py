"""Players of realtime games that do not think."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ...engine.wdl_master import MasterState, WdlMaster
from ...rules.terms import Term
from .actor import RealtimePlayer

MEAN_PAUSE = 25
"""Hundredths of a second between two moves of a random player, on average."""


class RandomActor(RealtimePlayer):
    """Makes a random legal move now and then, four in a second; the same seed plays the same."""

    name = "random"
    thinks = False

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)

    def start(self, master: WdlMaster, role: Term) -> None:
        self._tick = master.sheet.settings.tick
        self._next = self._pause()

    def think(self, state: MasterState, legal: Sequence[Term], seconds: float) -> Term | None:
        if state.clock < self._next:
            return None
        self._next = state.clock + self._pause()
        return legal[self._random.randrange(len(legal))]

    def _pause(self) -> int:
        return 1 + int(self._random.expovariate(self._tick / MEAN_PAUSE))


class ReadyActor(RealtimePlayer):
    """Makes the first legal move, once in each state of the clock."""

    name = "legal"
    thinks = False

    def __init__(self, seed: int = 0) -> None:
        self._last = -1

    def think(self, state: MasterState, legal: Sequence[Term], seconds: float) -> Term | None:
        if state.clock == self._last:
            return None
        self._last = state.clock
        return legal[0]
