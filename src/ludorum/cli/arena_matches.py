"""The matches that the report of a tournament shows: the first of each meeting, as many as a page holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from ..arena.tournament.play import load_planned
from ..arena.tournament.records import published_match
from ..arena.tournament.report import ShownMatch
from ..arena.tournament.run import Played
from ..arena.tournament.schedule import Fixture
from ..engine.errors import GameError
from .replay_data import match_data
from .replay_frames import Reel, open_reel

MOST_STEPS = 600
"""Positions of all matches together: about half a megabyte."""


def shown_matches(played: Played) -> list[ShownMatch]:
    """Matches for the report, first one of each game. The log has them all."""
    found: list[ShownMatch] = []
    if played.plan.is_realtime:
        return found  # it has no steps to draw: `ludorum replay` shows its records
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
