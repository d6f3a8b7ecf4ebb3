"""The realtime games that are played now, with what draws their moments."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from ....arena.world import RealtimeGame
from ....players.realtime import realtime_names
from ....rules.library import Sheet, read_header
from ....rules.logic_sheets import read_wdl_sheet
from ....rules.source import Source
from ....rules.terms import Term, format_term
from ....scene.realtime import RealtimeScenes
from ..plan import GameText, Json, MatchPlan, Refused

MOST_KEPT = 32


@dataclass(frozen=True)
class RealtimeWorld:
    """A realtime game, ready to be played and drawn."""

    game: RealtimeGame
    scenes: RealtimeScenes

    @property
    def roles(self) -> dict[str, Term]:
        return {format_term(role): role for role in self.game.roles}

    def about(self) -> Json:
        """What pages say about the game."""
        sheet = self.game.master.sheet
        return {
            "name": self.game.name,
            "roles": list(self.roles),
            "hides": sheet.hides,
            "chance": bool(sheet.names),
        }


class RealtimeWorlds:
    """Realtime games by their rules. Only games of the library: rules are evaluated in this process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, RealtimeWorld] = OrderedDict()

    async def find(self, text: GameText) -> RealtimeWorld | None:
        """The game of some rules; None where it is one of rounds, Refused where it is a stranger's."""
        if not _sheet(text).is_realtime:
            return None
        if not text.is_trusted:
            raise Refused("a realtime game of your own cannot be played here yet")
        found = self._kept.get(text.text)
        if found is None:
            found = self._kept[text.text] = await asyncio.to_thread(_read, text)
        self._kept.move_to_end(text.text)
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found


def check_realtime_players(plan: MatchPlan) -> None:
    """Refused where a player of a plan cannot act in realtime."""
    known = realtime_names()
    for seat in plan.seats.values():
        if seat.kind == "player" and seat.name not in known:
            raise Refused(f"{seat.name} cannot act in realtime: there are {', '.join(known)}")


def _sheet(text: GameText) -> Sheet:
    return Sheet(text.id, text.language, Source(text.id, text.text), read_header(text.text))


def _read(text: GameText) -> RealtimeWorld:
    """In a thread: to find out how a game is drawn takes a second."""
    game = RealtimeGame(read_wdl_sheet(_sheet(text))[0])
    scenes = RealtimeScenes(game)
    scenes.scene(game.master.initial(), None, None, None, False)
    return RealtimeWorld(game, scenes)
