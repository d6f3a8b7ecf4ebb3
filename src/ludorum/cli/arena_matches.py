"""The matches that the report of a tournament shows: the first of each meeting, as many as a page holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from ..arena.tournament.by_clock import moves_made, ticks_made, world_record
from ..arena.tournament.play import load_planned
from ..arena.tournament.records import published_match
from ..arena.tournament.report import ShownMatch
from ..arena.tournament.result import MatchResult
from ..arena.tournament.run import Played
from ..arena.tournament.schedule import Fixture
from ..arena.world.as_game import RealtimeGame
from ..arena.world.record import WorldRecord, WorldRecordError
from ..engine.errors import GameError
from ..rules.logic_sheets import read_wdl_sheet
from .realtime_data import realtime_data
from .replay_data import match_data
from .replay_frames import Reel, open_reel

MOST_STEPS = 600
"""Positions of all matches together: about half a megabyte."""
MOST_TICKS = 10_000
"""Signals of the clock of all realtime matches together: each is played again."""


def shown_matches(played: Played) -> list[ShownMatch]:
    """Matches for the report, first one of each game. The log has them all."""
    return _realtime_matches(played) if played.plan.is_realtime else _matches_of_rounds(played)


def _matches_of_rounds(played: Played) -> list[ShownMatch]:
    found: list[ShownMatch] = []
    left = MOST_STEPS
    for fixture in _by_turns(played):
        steps = len(played.results[fixture.match_id].moves)
        if not 0 < steps < left:
            continue
        try:
            reel = _reel(played, fixture)
        except GameError:
            continue  # the rules do not allow what is logged: verifying the record says where
        left -= steps + 1
        data = match_data(reel, only_first=True)
        found.append(ShownMatch(data["caption"], data["result"], reel.picture(-1), data))
    return found


def _realtime_matches(played: Played) -> list[ShownMatch]:
    found: list[ShownMatch] = []
    left, ticks_left = MOST_STEPS, MOST_TICKS
    games: dict[str, RealtimeGame] = {}
    for fixture in _by_turns(played):
        result = played.results[fixture.match_id]
        if not result.moves:
            continue
        # The start, and the last position, are drawn as well.
        steps, ticks = moves_made(result) + 2, ticks_made(result)
        if steps > left or ticks > ticks_left:
            continue
        if fixture.game not in games:
            games[fixture.game] = RealtimeGame(read_wdl_sheet(played.plan.game(fixture.game).sheet)[0])
        try:
            record = world_record(played.plan, fixture, result)
            data = realtime_data(record, games[fixture.game], fixture.players, _faults(record, result))
        except WorldRecordError:
            continue  # as above
        left, ticks_left = left - steps, ticks_left - ticks
        last = data["views"][0]["steps"][-1]["scene"]["spoken"]
        found.append(ShownMatch(data["caption"], data["result"], last, data))
    return found


def _faults(record: WorldRecord, result: MatchResult) -> list[tuple[int, str, str]]:
    return [
        (fault.step, record.roles[fault.seat], f"{fault.code} {fault.text}")
        for fault in result.faults
        if fault.seat is not None
    ]


def _by_turns(played: Played) -> Iterator[Fixture]:
    """The first match of each meeting: one of each game, then the next of each."""
    meetings: dict[str, dict[frozenset[str], Fixture]] = {}
    for fixture in played.fixtures:
        meetings.setdefault(fixture.game, {}).setdefault(frozenset(fixture.players), fixture)
    for row in zip_longest(*(firsts.values() for firsts in meetings.values())):
        yield from (fixture for fixture in row if fixture is not None)


def _reel(played: Played, fixture: Fixture) -> Reel:
    # The engine that is ready at once: one match is shown, not thousands played.
    plan = replace(played.plan, engine="lifted")
    game = load_planned(plan.game(fixture.game), plan.engine, plan.lenient)
    return open_reel(published_match(plan, fixture, played.results[fixture.match_id]), game)
