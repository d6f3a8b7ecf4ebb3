"""What all live matches share: the journal, the rules, the pool, the time, and who is told of changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from .events import End
from .journal import Journal
from .live_match import LiveMatch
from .plan import MatchPlan, SeatPlan
from .pool import Pool
from .remote import RemoteDesk
from .rules_shelf import RulesShelf
from .time_source import TimeSource


class MatchWatcher(Protocol):
    """Is told what lists and tables show of matches."""

    async def created(self, plan: MatchPlan) -> None:
        """A match is going to be there; called before its first event is written."""

    async def changed(
        self,
        match_id: str,
        state: Literal["open", "live", "over"],
        step: int,
        seats: dict[str, SeatPlan],
        end: End | None,
    ) -> None:
        """The state or the seats of a match have changed; with its end where it is over."""


@dataclass
class Services:
    """What all matches share."""

    journal: Journal
    watcher: MatchWatcher | None
    shelf: RulesShelf
    pool: Pool
    desk: RemoteDesk
    time: TimeSource
    follow: Callable[[LiveMatch, bool], Awaitable[str]]
    """Makes the match after this one, with seats exchanged or not; returns its name."""
    let_go: Callable[[str], None]
    """Forgets a match that another process plays now."""
    moves_made: int = 0
