"""Plays a realtime match by a clock that is only counted: the same on every machine, however busy it is.

At each signal of the clock each player that can move is asked once, and all see the same moment. Their moves
are made in an order that is drawn: one that is not legal any more is dropped, as by the clock on the wall.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from ...players.realtime import RealtimePlayer
from ...rules.terms import Term
from ..match.seeds import seed_from
from .followed_match import FollowedMatch
from .realtime_match import RealtimeMatch, Told

Asked = Callable[[Term, bool], None]
"""Called with a role and whether its player is at work."""


class CountedMatch:
    """A match between players of this process."""

    def __init__(
        self,
        match: RealtimeMatch,
        players: Mapping[Term, RealtimePlayer],
        asked: Asked = lambda role, at_work: None,
    ) -> None:
        self.match = match
        self.failed: dict[Term, tuple[int, str]] = {}
        """Players that raised an error, and play no more: after how many events of the record, and why."""
        self._players = players
        self._asked = asked
        self._order = Random(seed_from("order", match.record.seed))
        self._views: dict[Term, FollowedMatch] = {}

    def play(self) -> RealtimeMatch:
        """Play the match to its end. It needs one: its length must have a bound, or its rules an end."""
        for role in self._players:
            self._views[role] = FollowedMatch(self.match.start(role))
            self._ask(role, lambda player, view: player.start(view.master, view.role))
        while not self.match.is_over:
            for told in self.match.tick():
                self._tell(told)
            wanted = [] if self.match.is_over else [(role, self._move(role)) for role in self._players]
            self._order.shuffle(wanted)
            for role, move in wanted:
                if move is not None and not self.match.is_over:
                    self._tell(self.match.act(role, move))
        return self.match

    def _tell(self, told: Told) -> None:
        for role, view in told.items():
            self._views[role].see(view)

    def _move(self, role: Term) -> Term | None:
        if not (legal := self._views[role].legal()):
            return None
        return self._ask(role, lambda player, view: player.think(view.state, legal, 0.0))

    def _ask(
        self, role: Term, question: Callable[[RealtimePlayer, FollowedMatch], Term | None]
    ) -> Term | None:
        if role in self.failed:
            return None
        self._asked(role, True)
        try:
            return question(self._players[role], self._views[role])
        except Exception as error:  # the match goes on without this player
            self.failed[role] = len(self.match.record.events), f"{type(error).__name__}: {error}"
            return None
        finally:
            self._asked(role, False)
