"""The tables of all realtime matches that this process has.

Rules of the library are evaluated here while their matches are played. A match of a stranger's rules has a
process of its own; so has every match that was loaded again, since all of it has to be played once more
before it can be shown.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from weakref import WeakSet

from ..live_match import LiveMatch
from ..plan import GameText, Refused
from ..rules_shelf import ArbiterError, RemoteRules, keep_newest
from .away_table import AwayTable
from .table import HereTable, MatchTable
from .worlds import RealtimeAbout, TrustedWorlds, is_realtime

MOST_PLAYED = 4
"""Matches of strangers' rules that are played at the same time: each may need a processor for itself."""
MOST_SHOWN = 8
"""Processes that are kept for matches that are only looked at."""
IDLE_SECONDS = 300.0
"""After so long without a question such a process is ended."""
MOST_KNOWN = 200
"""Strangers' games of which is known what pages say about them."""


class RealtimeTables:
    """Makes tables, and bounds the processes that they have."""

    def __init__(self) -> None:
        self._worlds = TrustedWorlds()
        self._known: OrderedDict[str, RealtimeAbout] = OrderedDict()
        self._away: WeakSet[AwayTable] = WeakSet()

    async def about(self, text: GameText) -> RealtimeAbout | None:
        """What is known of a game; None where it has rounds, Refused where its rules cannot be played."""
        if not is_realtime(text):
            return None
        if text.is_trusted:
            return (await self._worlds.find(text)).about()
        if text.text not in self._known:
            self._known[text.text] = await self._ask_about(text)
        keep_newest(self._known, text.text, MOST_KNOWN)
        return self._known[text.text]

    async def table_of(self, live: LiveMatch) -> MatchTable | None:
        """The table of a match that nothing goes on in yet; None where it is one of rounds."""
        plan = live.plan
        if (about := await self.about(plan.game)) is None:
            return None
        if plan.game.is_trusted and not live.world:
            return HereTable(await self._worlds.find(plan.game), live.id, plan.seed)
        table = AwayTable(about, plan.game, live.id, plan.seed, lambda: live.world, self)
        self._away.add(table)
        return table

    def check_room(self, text: GameText) -> None:
        """Refused where no more matches of a game can be played now."""
        if not text.is_trusted and sum(one.is_playing for one in self._away) >= MOST_PLAYED:
            raise Refused("too many realtime matches of uploaded games are being played: try again later")

    async def make_room(self) -> None:
        """End processes where one more would be too many, the oldest first."""
        shown = self._shown()
        for one in shown[: max(0, len(shown) - MOST_SHOWN + 1)]:
            await one.rest()

    async def tidy(self) -> None:
        """End processes that have been idle for long."""
        old = time.monotonic() - IDLE_SECONDS
        for one in self._shown():
            if one.last_asked < old:
                await one.rest()

    async def close(self) -> None:
        for one in list(self._away):
            await one.close()

    @property
    def processes(self) -> int:
        return sum(one.has_process for one in self._away)

    def _shown(self) -> list[AwayTable]:
        """Tables with a process whose matches are only looked at, the oldest first."""
        shown = [one for one in self._away if one.has_process and not one.is_playing]
        return sorted(shown, key=lambda one: one.last_asked)

    async def _ask_about(self, text: GameText) -> RealtimeAbout:
        rules = RemoteRules(text, work="table", opening=lambda: ("about", 0, []))
        try:
            about = await rules.ask("about")
        except ArbiterError as error:
            raise Refused(f"{text.title or text.id} cannot be played: {error}") from error
        finally:
            await rules.close()
        return RealtimeAbout(**{**about, "roles": tuple(about["roles"])})
