"""The matches of a round that wait to be played: in order, except for players that are busy elsewhere."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

from .plan import TournamentPlan
from .schedule import Fixture


class Waiting:
    """Hands out fixtures to the threads and processes that play them.

    A player that listens at an address is one program, busy while it plays: its matches are handed out one
    after the other, and others take their turn meanwhile.
    """

    def __init__(self, plan: TournamentPlan, fixtures: Sequence[Fixture]) -> None:
        self._left = deque(fixtures)
        self._outside = {invitation.name for invitation in plan.invitations}
        self._playing: set[str] = set()
        self._changed = threading.Condition()

    def __len__(self) -> int:
        return len(self._left)

    def take_now(self) -> Fixture | None:
        """The next match whose players are free, if there is one."""
        with self._changed:
            for at, fixture in enumerate(self._left):
                asked = self._outside.intersection(fixture.players)
                if not asked & self._playing:
                    self._playing |= asked
                    del self._left[at]
                    return fixture
        return None

    def take(self) -> Fixture | None:
        """The next match, as soon as its players are free; None when there is no more."""
        with self._changed:
            while self._left:
                fixture = self.take_now()
                if fixture is not None:
                    return fixture
                self._changed.wait()
        return None

    def over(self, fixture: Fixture) -> None:
        """A match has ended: its players are free."""
        with self._changed:
            self._playing.difference_update(fixture.players)
            self._changed.notify_all()

    def give_up(self) -> None:
        """Drop the matches that still wait."""
        with self._changed:
            self._left.clear()
            self._changed.notify_all()
