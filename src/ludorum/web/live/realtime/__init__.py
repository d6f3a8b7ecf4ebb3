"""Live matches of realtime games: a ``RealtimeController`` drives each, in this process.

Its rules and pictures are a ``MatchTable``: those of strangers are in a process that can be killed.
"""

from .running import RunningRealtimeMatch
from .tables import RealtimeTables
from .worlds import check_realtime_players

__all__ = ["RealtimeTables", "RunningRealtimeMatch", "check_realtime_players"]
