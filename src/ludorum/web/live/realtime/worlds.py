"""The realtime games that are played now, with what draws their moments."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass

from ....arena.world import RealtimeGame
from ....players.realtime import realtime_names
from ....rules.library import Sheet, read_header
from ....rules.logic_sheets import faults_of, read_wdl_sheet
from ....rules.source import RulesError, Severity, Source
from ....rules.terms import Term, format_term
from ....scene.realtime import RealtimeScenes
from ..plan import GameText, MatchPlan, Refused
from ..rules_shelf import keep_newest

MOST_KEPT = 32


@dataclass(frozen=True)
class RealtimeAbout:
    """What is known of a realtime game without its rules."""

    name: str
    roles: tuple[str, ...]
    hides: bool
    chance: bool
    tick_seconds: float


@dataclass(frozen=True)
class RealtimeWorld:
    """A realtime game, ready to be played and drawn."""

    game: RealtimeGame
    scenes: RealtimeScenes

    @property
    def roles(self) -> dict[str, Term]:
        return {format_term(role): role for role in self.game.roles}

    def about(self) -> RealtimeAbout:
        sheet = self.game.master.sheet
        return RealtimeAbout(
            self.game.name, tuple(self.roles), sheet.hides, bool(sheet.names), self.scenes.tick_seconds
        )


class TrustedWorlds:
    """Games of the library, whose rules are evaluated in this process."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, RealtimeWorld] = OrderedDict()

    async def find(self, text: GameText) -> RealtimeWorld:
        found = self._kept.get(text.text)
        if found is None:
            found = self._kept[text.text] = await asyncio.to_thread(read_world, text)
        keep_newest(self._kept, text.text, MOST_KEPT)
        return found


def check_realtime_players(plan: MatchPlan) -> None:
    """Refused where a player of a plan cannot act in realtime."""
    known = realtime_names()
    for seat in plan.seats.values():
        if seat.kind == "player" and not seat.remote and seat.name not in known:
            raise Refused(f"{seat.name} cannot act in realtime: there are {', '.join(known)}")


def is_realtime(text: GameText) -> bool:
    """Whether the rules are those of a realtime game."""
    return _sheet(text).is_realtime


def read_world(text: GameText) -> RealtimeWorld:
    """The game of a text. To find out how it is drawn takes a second."""
    game = RealtimeGame(read_wdl_sheet(_sheet(text))[0])
    scenes = RealtimeScenes(game)
    scenes.scene(game.master.initial(), None, None, None, False)
    return RealtimeWorld(game, scenes)


def check_world(text: GameText) -> None:
    """RulesError with all errors of the rules, if there are any."""
    errors = [fault for fault in faults_of(_sheet(text)) if fault.severity is Severity.ERROR]
    if errors:
        raise RulesError(errors)


def _sheet(text: GameText) -> Sheet:
    return Sheet(text.id, text.language, Source(text.id, text.text), read_header(text.text))
