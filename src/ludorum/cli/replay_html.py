"""A recorded match as one HTML page: board or cards, moves, faults and goals; it fetches nothing.

The page holds the match as data and the components of the web application that draw it; texts of the record
are text, never markup. Without scripts, or where the components have not been built, the moves and the last
position can still be read. The template is ``pages/replay.html``.
"""

from __future__ import annotations

from datetime import UTC, datetime

from ..pages import is_built, render
from ..pages.packed import packed
from .replay_data import heading, match_data, moves_of
from .replay_frames import Reel

LATEST = 253402300799_000
"""The last millisecond of the year 9999: later ones are no dates."""


def replay_page(reel: Reel) -> str:
    """The text of the page."""
    match = match_data(reel)
    page = render(
        "replay.html",
        title=reel.title,
        heading=heading(reel),
        about=_about(reel),
        match=match,
        moves=moves_of(match),
        last=reel.picture(-1),
        data=packed([match]) if is_built() else None,
    )
    return str(page)


def _about(reel: Reel) -> str:
    match = reel.match
    parts = [f"{len(reel.frames) - 1} steps"]
    if 0 < match.start_time < LATEST:
        began = datetime.fromtimestamp(match.start_time / 1000, UTC)
        parts.append(f"{began.day} {began:%B %Y, %H:%M} UTC")
    if match.play_clock:
        parts.append(f"clocks {match.start_clock:g} s + {match.play_clock:g} s")
    return " · ".join([*parts, *filter(None, [match.tournament, match.record.match_id])])
