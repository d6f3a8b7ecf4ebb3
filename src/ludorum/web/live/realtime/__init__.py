"""Live matches of realtime games: a ``RealtimeController`` drives each, in this process."""

from .running import RunningRealtimeMatch
from .worlds import RealtimeWorlds, check_realtime_players

__all__ = ["RealtimeWorlds", "RunningRealtimeMatch", "check_realtime_players"]
