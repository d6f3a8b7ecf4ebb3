"""The world controller: matches of WDL sheets as they are written, in rounds and in realtime.

A ``RoundMatch`` and a ``RealtimeMatch`` are the matches themselves, without clocks and wires: events go in,
and what each player is told comes out. Both keep a ``WorldRecord``, from which ``replay`` makes every state.
A ``RealtimeController`` drives a realtime match by the clock on the wall, and a
``ThinkingSeat`` is one of our players in it.
"""

from .as_game import RealtimeGame
from .controller import RealtimeController
from .outbox import Outbox, Send, View
from .realtime_match import RealtimeMatch
from .record import WorldRecord, WorldRecordError, read_record, replay
from .round_match import GameFaultError, RoundMatch
from .thinking_seat import ThinkingSeat

__all__ = [
    "GameFaultError",
    "Outbox",
    "RealtimeController",
    "RealtimeGame",
    "RealtimeMatch",
    "RoundMatch",
    "Send",
    "ThinkingSeat",
    "View",
    "WorldRecord",
    "WorldRecordError",
    "read_record",
    "replay",
]
