"""A recorded match as one HTML page: board or cards, moves, faults and goals; it fetches nothing.

The page holds the match as data and a script that draws it; texts of the record are put in as text, never as
markup. Without scripts the moves can still be read. The template is ``pages/replay.html``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from ..pages import render
from ..show.pieces import CHANCE, role_colours
from .replay_data import page_data, told_moves
from .replay_folds import folds_of
from .replay_frames import Frame, Reel

MOST_FAULTS = 12
"""Faults that are linked above the board; the list of moves has all."""
LATEST = 253402300799_000
"""The last millisecond of the year 9999: later ones are no dates."""


def replay_page(reel: Reel) -> str:
    """The text of the page."""
    colours = dict(zip(reel.roles, role_colours(reel.roles), strict=True))
    faults = [(frame.step, role, text) for frame in reel.frames for role, text in frame.errors]
    page = render(
        "replay.html",
        title=reel.title,
        heading=_heading(reel),
        about=_about(reel),
        result=reel.result,
        players=_players(reel, colours),
        faults=faults,
        most_faults=MOST_FAULTS,
        lines=_lines(reel, colours),
        steps=len(reel.frames) - 1,
        data=page_data(reel),
    )
    return str(page)


@dataclass(frozen=True)
class ReplayPlayer:
    role: str
    colour: str
    name: str
    goal: str
    has_won: bool


@dataclass(frozen=True)
class Row:
    """A step in the list of moves."""

    step: int
    moves: list[tuple[str, str, str]]
    """Roles, their colours, and what they do."""
    text: str
    """The text where no moves are shown."""
    faults: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Line:
    """A step, or several that are folded into one line."""

    rows: list[Row]
    fold: str = ""


def _lines(reel: Reel, colours: dict[str, str]) -> list[Line]:
    folds = {fold.first: fold for fold in folds_of(reel)}
    found: list[Line] = []
    at = 0
    while at < len(reel.frames):
        fold = folds.get(at)
        last = at if fold is None else fold.last
        rows = [_row(reel, frame, colours) for frame in reel.frames[at : last + 1]]
        found.append(Line(rows, "" if fold is None else fold.text))
        at = last + 1
    return found


def _row(reel: Reel, frame: Frame, colours: dict[str, str]) -> Row:
    moves = [(role, colours.get(role, "grey"), move) for role, move in told_moves(frame, reel.grid)]
    return Row(frame.step, moves, frame.happening, frame.errors)


def _heading(reel: Reel) -> str:
    name = reel.match.game_name or reel.match.record.game or "match"
    return name.replace("_", " ") + (f" (as {reel.sight_of} may see it)" if reel.sight_of else "")


def _about(reel: Reel) -> str:
    match = reel.match
    parts = [f"{len(reel.frames) - 1} steps"]
    if 0 < match.start_time < LATEST:
        began = datetime.fromtimestamp(match.start_time / 1000, UTC)
        parts.append(f"{began.day} {began:%B %Y, %H:%M} UTC")
    if match.play_clock:
        parts.append(f"clocks {match.start_clock:g} s + {match.play_clock:g} s")
    return " · ".join([*parts, *filter(None, [match.tournament, match.record.match_id])])


def _players(reel: Reel, colours: dict[str, str]) -> list[ReplayPlayer]:
    """The players with their goals; nature has neither."""
    goals = dict(reel.goals)
    names = reel.match.player_names or ()
    winner = _winner(goals)
    return [
        ReplayPlayer(
            role, colours[role], names[at] if at < len(names) else "", goals.get(role, ""), role == winner
        )
        for at, role in enumerate(reel.roles)
        if role != CHANCE
    ]


def _winner(goals: dict[str, str]) -> str | None:
    """The only player with the highest goal value, if there are others."""
    values = {role: int(goal) for role, goal in goals.items() if goal.isdigit() and role != CHANCE}
    best = [role for role, value in values.items() if value == max(values.values())]
    return best[0] if len(best) == 1 < len(values) else None
