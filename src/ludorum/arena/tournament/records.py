"""Records of matches, made from the log of a tournament: they can be replayed and checked like any other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ...rules.kif import parse_term
from ...rules.terms import Term
from ..match.clocks import Clocks
from ..match.match import Match
from ..match.opening import open_match
from ..match.record import MatchRecord
from ..records.publisher import Publisher, write_record, write_whole
from ..records.spectator import PublishedMatch
from ..world.record import WorldRecord
from .by_clock import world_record
from .plan import TournamentPlan
from .play import load_planned
from .result import MatchResult
from .run import Played
from .schedule import Fixture

TOURNAMENT = "ludorum arena"
"""The name of a tournament in records."""


def match_of(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> Match:
    """The match as it was played; IllegalMoveError where its rules do not allow what is logged.

    The log knows when a match began, not when each move was made: all states bear that time.
    """
    game = load_planned(plan.game(fixture.game), plan.engine, plan.lenient)
    seats = game.info.players
    opened = open_match(game, fixture.seed, plan.opening if len(seats) > 1 else 0)
    record = MatchRecord(
        game=game.name,
        roles=game.roles,
        moves=tuple(map(_joint, result.moves)),
        states=(None,) * (len(result.moves) + 1),
        match_id=fixture.match_id,
        seed=opened.seed,
        times=(result.began,) * (len(result.moves) + 1),
    )
    match = Match.resumed(game, record)
    for fault in result.faults:
        if fault.seat is not None:
            match.note(seats[fault.seat], fault.code, fault.text, fault.step)
    return match


def _joint(text: str) -> tuple[Term, ...]:
    return tuple(move for move in parse_term(f"(joint {text[1:]}").args if isinstance(move, Term))


def publish_matches(played: Played) -> Iterator[PublishedMatch]:
    """A record of each match that was played at least in part, in the order of the schedule."""
    for fixture in played.fixtures:
        result = played.results[fixture.match_id]
        if result.moves and not played.plan.is_realtime:
            found = published_match(played.plan, fixture, result)
            yield replace(found, tournament=f"{TOURNAMENT}, seed {played.plan.seed}")


def published_match(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> PublishedMatch:
    """The record of one match."""
    clocks = Clocks(plan.start_seconds, plan.play_seconds)
    match = match_of(plan, fixture, result)
    seats = dict(zip(match.game.info.players, fixture.players, strict=True))
    names = tuple(seats.get(role, "random") for role in match.game.roles)
    found = Publisher(clocks, names).version(match, aborted=not match.is_over)
    return replace(found, tournament=TOURNAMENT)


def write_records(played: Played, folder: Path) -> int:
    """Write every record into a folder; how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for count, match in enumerate(publish_matches(played), 1):
        write_record(match, _file(folder, count, match.record.match_id))
    if played.plan.is_realtime:
        for count, record in enumerate(_world_records(played), 1):
            lines = "".join(f"{line}\n" for line in record.lines())
            write_whole(lines, _file(folder, count, record.match_id))
    return count


def _world_records(played: Played) -> Iterator[WorldRecord]:
    for fixture in played.fixtures:
        if (result := played.results[fixture.match_id]).moves:
            yield world_record(played.plan, fixture, result)


def _file(folder: Path, count: int, match_id: str) -> Path:
    name = re.sub(r"[^\w.=+-]+", "_", match_id)[:120]
    return folder / f"{count:05}-{name}.json"
