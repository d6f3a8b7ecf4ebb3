"""Live matches behind the web application: people, players, clocks and rules, without HTTP.

A ``MatchHub`` gets a ``Journal``, which keeps events, and gives views, which pages show. Rules of strangers
and players run in processes that can be killed. Imports everything below ``web``, and nothing of ``web`` but
itself.
"""

from .events import End
from .hub import MatchHub, new_match_id, warm_up
from .journal import FileJournal, Journal, MemoryJournal
from .leases import Leases, OneProcess
from .plan import REMOTE, Elsewhere, GameText, MatchPlan, Overtaken, Refused, SeatPlan, UnknownMatch
from .player_names import check_player
from .remote import RemoteBook, RemoteEntry
from .services import MatchWatcher
from .time_source import MachineTime, SetTime, TimeSource

__all__ = [
    "REMOTE",
    "Elsewhere",
    "End",
    "FileJournal",
    "GameText",
    "Journal",
    "Leases",
    "MachineTime",
    "MatchHub",
    "MatchPlan",
    "MatchWatcher",
    "MemoryJournal",
    "OneProcess",
    "Overtaken",
    "Refused",
    "RemoteBook",
    "RemoteEntry",
    "SeatPlan",
    "SetTime",
    "TimeSource",
    "UnknownMatch",
    "check_player",
    "new_match_id",
    "warm_up",
]
