"""Live matches behind the web application: people, players, clocks and rules, without HTTP.

A ``MatchHub`` gets a ``Journal``, which keeps events, and gives views, which pages show. Rules of strangers
and players run in processes that can be killed. Imports everything below ``web``, and nothing of ``web`` but
itself.
"""

from .hub import MatchHub, new_match_id, warm_up
from .journal import FileJournal, Journal, MemoryJournal
from .leases import Leases
from .plan import REMOTE, Elsewhere, GameText, MatchPlan, Overtaken, Refused, SeatPlan, UnknownMatch
from .remote import RemoteBook, RemoteEntry
from .services import MatchWatcher
from .time_source import MachineTime, SetTime, TimeSource

__all__ = [
    "REMOTE",
    "Elsewhere",
    "FileJournal",
    "GameText",
    "Journal",
    "Leases",
    "MachineTime",
    "MatchHub",
    "MatchPlan",
    "MatchWatcher",
    "MemoryJournal",
    "Overtaken",
    "Refused",
    "RemoteBook",
    "RemoteEntry",
    "SeatPlan",
    "SetTime",
    "TimeSource",
    "UnknownMatch",
    "new_match_id",
    "warm_up",
]
