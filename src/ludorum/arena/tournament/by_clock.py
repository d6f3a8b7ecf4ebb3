"""Matches of realtime games in tournaments: by a clock that is counted, with players whose work is counted.

So results are the same on every machine, and matches that are played at once take no time from each other. A
result has the events of the record in place of joint moves.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from functools import lru_cache

from ...engine.load import load_realtime
from ...engine.wdl_master import WdlMaster
from ...players.realtime import make_realtime_player
from ...rules.terms import Term, as_integer
from ..match.match import ErrorCode
from ..world.counted_match import CountedMatch
from ..world.realtime_match import RealtimeMatch
from ..world.record import WorldRecord, event_value, goals_of, read_record, replay
from .plan import PlannedGame, TournamentPlan
from .result import Ending, MatchResult, SeatFault, forfeit
from .schedule import Fixture
from .trace import Busy

PLAYOUTS = 2
"""Continuations of a player at each signal of the clock where its name does not say how many."""
MOVES = '{"moves"'
"""How the lines of events with moves begin."""
TICKS = '{"ticks"'
"""How those of signals of the clock begin."""


def play_by_clock(plan: TournamentPlan, fixture: Fixture, busy: Busy, seeds: Sequence[int]) -> MatchResult:
    """Play a match; ``seeds`` are those of its players.

    An error of a player is noted, and it moves no more.
    """
    began = time.time_ns() // 1_000_000
    match = _begin(plan, fixture)
    roles = match.roles
    players = {
        role: make_realtime_player(name, seed, PLAYOUTS)
        for role, name, seed in zip(roles, fixture.players, seeds, strict=True)
    }
    counted = CountedMatch(match, players, lambda role, at_work: busy(roles.index(role), at_work))
    try:
        counted.play()
    except Exception as error:
        # Errors of players are noted: the rules have failed, which gives no points.
        return forfeit(fixture.match_id, len(roles), [], f"{type(error).__name__}: {error}")
    return MatchResult(
        fixture.match_id,
        tuple(_goal(match, role) for role in roles),
        Ending.FINISHED if match.master.is_terminal(match.state) else Ending.UNFINISHED,
        tuple(json.dumps(event_value(event)) for event in match.record.events),
        tuple(
            SeatFault(step, roles.index(role), ErrorCode.LOST, why)
            for role, (step, why) in counted.failed.items()
        ),
        time.time() - began / 1000,
        began,
    )


def world_record(plan: TournamentPlan, fixture: Fixture, result: MatchResult) -> WorldRecord:
    """The record of a match that was logged; WorldRecordError where its rules do not allow it."""
    match = _begin(plan, fixture)
    head, *_ = match.record.lines()
    found = read_record([f"{line}\n" for line in (head, *result.moves)])
    *_, last = replay(found, match.master)
    found.goals = goals_of(match.master, last)
    return found


def moves_made(result: MatchResult) -> int:
    """How many moves a match had."""
    return sum(line.startswith(MOVES) for line in result.moves)


def ticks_made(result: MatchResult) -> int:
    """How many signals of the clock a match had."""
    return sum(json.loads(line)["ticks"]["count"] for line in result.moves if line.startswith(TICKS))


def _begin(plan: TournamentPlan, fixture: Fixture) -> RealtimeMatch:
    master = _master(plan.game(fixture.game))
    return RealtimeMatch(master, fixture.match_id, fixture.seed, plan.start_seconds, plan.play_seconds)


@lru_cache(maxsize=8)
def _master(game: PlannedGame) -> WdlMaster:
    master = load_realtime(game.sheet)
    assert master is not None, "the plan says so"
    return master


def _goal(match: RealtimeMatch, role: Term) -> int:
    """The goal value of a role; 0 where the rules give none, or several."""
    values = match.master.goals(match.state)[role]
    number = as_integer(values[0]) if len(values) == 1 else None
    return 0 if number is None else number
