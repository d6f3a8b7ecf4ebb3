"""``ludorum replay`` of records of WDL matches by the clock or in rounds: moves, ticks, what was told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import PurePath

from ..arena.match.goals_text import goals_text
from ..arena.world.realtime_match import TICKS_PER_SECOND
from ..arena.world.record import (
    Dropped,
    Event,
    MadeMoves,
    RecordedMove,
    Ticks,
    WorldRecord,
    replay,
    rules_digest,
)
from ..engine.board import find_grid
from ..engine.game import format_facts
from ..engine.wdl_master import MasterState, WdlMaster
from ..engine.wdl_sample import SampledMaster
from ..rules.kif import parse_term
from ..rules.library import WDL, find_sheet
from ..rules.logic_sheets import read_wdl_sheet
from ..rules.source import RulesError
from ..rules.terms import Term, format_term
from ..rules.wdl.views import seen_move, whole_move
from ..show.board import Marked, draw_state, last_places
from ..show.grid import Grid
from .replay_frames import bare_text

NO_RULES = "Positions are not shown, since the rules are not at hand: name them with --game."


@dataclass(frozen=True)
class Happening:
    """Something that happened in a match: moves, or a move that was dropped."""

    at: int
    """Signals of the clock before it; in a match of rounds the number of the round."""
    event: MadeMoves | Dropped
    before: MasterState | None = None
    after: MasterState | None = None
    """The states around moves; None where the rules are not at hand."""


@dataclass(frozen=True)
class WorldReel:
    """A whole match, ready to be shown."""

    record: WorldRecord
    happenings: Sequence[Happening]
    ticks: int
    master: WdlMaster | None
    """None where the rules are not at hand."""
    sight_of: Term | None = None
    """The viewing role; None where everything may be seen."""
    last: MasterState | None = None
    """The last state; None where the rules are not at hand."""

    @property
    def shows_states(self) -> bool:
        """Whether positions are known, and the viewer may see them."""
        return self.master is not None and (self.sight_of is None or not self.master.sheet.hides)

    def seconds(self, ticks: int) -> float | None:
        """The time on the clock; None in a match of rounds, and where the rules are not at hand."""
        if self.master is None or not self.record.realtime:
            return None
        return round(ticks * self.master.sheet.settings.tick / TICKS_PER_SECOND, 2)


def open_world_reel(record: WorldRecord, game: str | None, role: str | None) -> WorldReel:
    """The match with all its states, by the rules that are named or the library's, if they are the very ones
    that were played. ValueError where they are not, or there is no such role."""
    if role is not None and role not in record.roles:
        raise ValueError(f"nobody is called {role!r} in this match; there are {', '.join(record.roles)}")
    master = _library_rules(record) if game is None else wdl_master(game)
    reel = reel_of(record, master)
    if role is None:
        return reel
    seen = [one for one in reel.happenings if _is_noticed(one.event, role)]
    return replace(reel, happenings=seen, sight_of=parse_term(role))


def _is_noticed(event: Event, role: str) -> bool:
    return not isinstance(event, Dropped) or event.role == role


def wdl_master(game: str) -> WdlMaster:
    """The rules of a WDL game; ValueError where it is of another language."""
    sheet = find_sheet(game)
    if sheet.language != WDL:
        raise ValueError(f"{game} is no sheet of WDL, but the record is of a match of one")
    return WdlMaster(read_wdl_sheet(sheet)[0])


def name_of(record: WorldRecord) -> str:
    """The game as the library calls it: records have the name of the file."""
    return PurePath(record.game).stem


def _library_rules(record: WorldRecord) -> WdlMaster | None:
    try:
        master = wdl_master(name_of(record))
    except (RulesError, OSError, ValueError):
        return None
    return master if rules_digest(master.sheet) == record.digest else None


def reel_of(record: WorldRecord, master: WdlMaster | None) -> WorldReel:
    """The match with nothing hidden; WorldRecordError where the rules do not allow it."""
    found: list[Happening] = []
    states: Iterator[MasterState | None] = iter(()) if master is None else replay(record, master)
    state = next(states, None)
    ticks = rounds = 0
    for event in record.events:
        if isinstance(event, Ticks):
            ticks += event.count
            for state in islice(states, event.count):  # noqa: B007  # the last one counts
                pass
            continue
        at = ticks if record.realtime else rounds
        if isinstance(event, Dropped):
            found.append(Happening(at, event))
            continue
        rounds += 1
        before, state = state, next(states, None)
        found.append(Happening(ticks if record.realtime else rounds, event, before, state))
    next(states, None)  # checks the goal values
    return WorldReel(record, found, ticks if record.realtime else rounds, master, last=state)


# -- as text ----------------------------------------------------------------------------------------------


def world_text(reel: WorldReel) -> Iterator[str]:
    """The match line by line."""
    record = reel.record
    kind = "realtime" if record.realtime else "rounds"
    as_role = "" if reel.sight_of is None else f" (as {reel.sight_of} may see it)"
    yield f"{name_of(record)}: {', '.join(record.roles)}, {kind}{as_role}"
    grid = None if reel.master is None else find_grid(SampledMaster(reel.master))
    if reel.shows_states and reel.master is not None:
        yield f"\n{_time(reel, 0)} start"
        yield draw_state(reel.master.initial().facts, grid)
    for one in reel.happenings:
        yield f"\n{_time(reel, one.at)} {_said(one.event, reel.sight_of)}"
        if isinstance(one.event, MadeMoves):
            yield from _told_lines(one.event, record.roles, reel.sight_of)
            if reel.shows_states and one.after is not None:
                yield _picture(one.event, one.before, one.after, grid)
    yield ""
    for role, count in _more_dropped(reel).items():
        yield f"{count} more moves of {role} were not legal when they came"
    if reel.master is None:
        yield NO_RULES
    yield result_text(reel)


def _time(reel: WorldReel, at: int) -> str:
    seconds = reel.seconds(at)
    return f"{at:3d}." if seconds is None else f"{seconds:.2f} s, tick {at}:"


def _said(event: MadeMoves | Dropped, viewer: Term | None) -> str:
    if isinstance(event, Dropped):
        return f"{event.role} {event.move} was not legal when it came, and nobody was told"
    said = [f"{one.role} {bare_text(_seen(one, viewer))}{_faulty(one, viewer)}" for one in event.moves]
    return ", ".join(said)


def _faulty(move: RecordedMove, viewer: Term | None) -> str:
    return f" [{move.fault}]" if move.fault and viewer in (None, parse_term(move.role)) else ""


def _seen(move: RecordedMove, viewer: Term | None) -> Term:
    """A move as a viewer was told it; None sees all of it."""
    made = parse_term(move.made)
    return whole_move(made) if viewer is None else seen_move(made, viewer)


def _told_lines(event: MadeMoves, roles: Sequence[str], viewer: Term | None) -> Iterator[str]:
    """Who was told less of a move than is in it."""
    for one in event.moves:
        whole = _seen(one, None)
        for role in roles if viewer is None else ():
            if (told := _seen(one, parse_term(role))) != whole:
                yield f"     {role} is told: {one.role} {bare_text(told)}"


def _picture(event: MadeMoves, before: MasterState | None, after: MasterState, grid: Grid | None) -> str:
    earlier = None if before is None else before.facts
    marked = Marked()
    if grid is not None:
        moves = [_seen(one, None) for one in event.moves]
        marked = Marked(last=last_places(grid, moves, after.facts, earlier))
    return draw_state(after.facts, grid, earlier, marked=marked)


def result_text(reel: WorldReel) -> str:
    """How the match ended, and when."""
    seconds = reel.seconds(reel.ticks)
    length = f"{reel.ticks} {'ticks' if reel.record.realtime else 'rounds'}"
    length = length if seconds is None else f"{seconds:.2f} seconds, {length}"
    goals = reel.record.goals
    if goals is None:
        return f"not over after {length}"
    worth = goals_text((role, " ".join(goals.get(role, ())) or "?") for role in reel.record.roles)
    return f"over after {length}: {worth}"


# -- as JSON ----------------------------------------------------------------------------------------------


def world_json(reel: WorldReel) -> dict[str, object]:
    """The match as a value for programs."""
    record = reel.record
    return {
        "match": record.match_id,
        "game": name_of(record),
        "roles": list(record.roles),
        "realtime": record.realtime,
        "ticks" if record.realtime else "rounds": reel.ticks,
        "seconds": reel.seconds(reel.ticks),
        "start": _state(reel, None if reel.master is None else reel.master.initial()),
        "events": [_event_json(reel, one) for one in reel.happenings],
        "more_dropped": _more_dropped(reel),
        "goals": record.goals,
    }


def _event_json(reel: WorldReel, one: Happening) -> dict[str, object]:
    when = {"tick" if reel.record.realtime else "round": one.at, "seconds": reel.seconds(one.at)}
    if isinstance(one.event, Dropped):
        return {**when, "dropped": {one.event.role: one.event.move}}
    viewers = reel.record.roles if reel.sight_of is None else (format_term(reel.sight_of),)
    moves = one.event.moves
    return {
        **when,
        "moves": {move.role: format_term(_seen(move, reel.sight_of)) for move in moves},
        "told": {
            viewer: {move.role: format_term(_seen(move, parse_term(viewer))) for move in moves}
            for viewer in viewers
        },
        "errors": {move.role: move.fault for move in moves if _faulty(move, reel.sight_of)},
        "state": _state(reel, one.after),
    }


def _state(reel: WorldReel, state: MasterState | None) -> str | None:
    return format_facts(state.facts) if reel.shows_states and state is not None else None


def _more_dropped(reel: WorldReel) -> dict[str, int]:
    viewer = reel.sight_of
    return {
        role: count for role, count in reel.record.more_dropped.items() if viewer in (None, parse_term(role))
    }
