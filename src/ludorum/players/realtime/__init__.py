"""Players of realtime games: they act when they like, and think meanwhile.

A ``RealtimePlayer`` is asked again and again what to do now; doing nothing is an answer. It knows its own
description of the game, and the state that follows from what it was told.
"""

from .actor import RealtimePlayer
from .registry import make_realtime_player, realtime_names
from .searcher import RealtimeSearcher
from .simple import RandomActor, ReadyActor

__all__ = [
    "RandomActor",
    "ReadyActor",
    "RealtimePlayer",
    "RealtimeSearcher",
    "make_realtime_player",
    "realtime_names",
]
