"""The names of players of realtime games."""

from __future__ import annotations

from collections.abc import Callable

from ...rules.near_names import suggestion
from .actor import RealtimePlayer
from .searcher import RealtimeSearcher
from .simple import RandomActor, ReadyActor

_PLAYERS: dict[str, Callable[[int], RealtimePlayer]] = {
    "champion": RealtimeSearcher,
    "realtime": RealtimeSearcher,
    "random": RandomActor,
    "legal": ReadyActor,
}


def realtime_names() -> list[str]:
    """The names of all players that can act in realtime."""
    return list(_PLAYERS)


PLAYOUTS = "playouts="
"""The setting of players that think: continuations each time they are asked, not by time."""


def make_realtime_player(name: str, seed: int = 0, playouts: int | None = None) -> RealtimePlayer:
    """The player of that name; ValueError with the known names where it cannot act in realtime.

    ``playouts``: how much players think that do not say so in their name; None for all their time.

    >>> make_realtime_player("champion:playouts=4", 1).name
    'realtime'
    """
    base, colon, settings = name.partition(":")
    if base not in _PLAYERS:
        known = realtime_names()
        hint = suggestion(base, known) or f"there are {', '.join(known)}"
        raise ValueError(f"no player {base!r} acts in realtime; {hint}")
    make = _PLAYERS[base]
    if make is RealtimeSearcher:
        return RealtimeSearcher(seed, _playouts(name, settings) if colon else playouts)
    if colon:
        raise ValueError(f"{name!r}: {base} has no settings in realtime")
    return make(seed)


def _playouts(name: str, settings: str) -> int:
    number = settings.removeprefix(PLAYOUTS)
    if not settings.startswith(PLAYOUTS) or not number.isdecimal() or int(number) < 1:
        raise ValueError(f"{name!r}: the one setting in realtime is playouts, a number from 1 on: playouts=4")
    return int(number)
