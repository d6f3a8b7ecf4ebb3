"""A guard with the patience of people: a player that is late is asked for a move at once."""

from __future__ import annotations

import time
from concurrent.futures import Future, wait
from typing import Any

from ...engine.sight import Position
from ...players import Guard
from ...rules.terms import Term

PATIENCE = 5.0
"""How much later than its time a player may answer; it is told to hurry meanwhile."""
LEAST_SECONDS = 0.01
"""Time to think that is left to a player that was busy with earlier steps, or waited for the processor."""


class PatientGuard(Guard):
    """Keeps moves legal, as every guard does, but counts only players as late that do not heed ``hurry``."""

    def _is_in_time(self, asked: Future[Any], seconds: float) -> bool:
        if super()._is_in_time(asked, seconds):
            return True
        self.hurry()
        return bool(wait([asked], PATIENCE).done)

    def _ask(self, position: Position, deadline: float) -> Term:
        self._tell_missed(position)
        return self.player.choose(position, max(LEAST_SECONDS, deadline - time.monotonic()))
