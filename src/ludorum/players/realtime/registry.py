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


def make_realtime_player(name: str, seed: int = 0) -> RealtimePlayer:
    """The player of that name; ValueError with the known names where it cannot act in realtime.

    >>> make_realtime_player("champion", 1).name
    'realtime'
    """
    if name not in _PLAYERS:
        known = realtime_names()
        hint = suggestion(name, known) or f"there are {', '.join(known)}"
        raise ValueError(f"no player {name!r} acts in realtime; {hint}")
    return _PLAYERS[name](seed)
