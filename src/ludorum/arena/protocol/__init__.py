"""The GGP protocol, both ends: a player that any host can reach, and a seat that reaches any player.

``messages`` and ``replies`` are texts as values; ``wire``, ``server`` and ``client`` carry them; a
``PlayerServer`` plays with our players, a ``RemoteSeat`` stands in our matches for a remote player. Imports
the rest of ``arena`` and what lies below.
"""

from .client import Address, ExchangeError, Failure, parse_address
from .dialects import DIALECTS, Dialect, Language
from .messages import Message, MessageError, format_message, parse_message
from .player_server import PlayerConfig, PlayerEvent, PlayerServer
from .remote_seat import RemoteSeat
from .replies import InfoReply, MoveReply, parse_info_reply, parse_move_reply
from .scramble import ScrambleError, Scrambler, plain_names, scrambler_of
from .wire import PeerLimits

__all__ = [
    "DIALECTS",
    "Address",
    "Dialect",
    "ExchangeError",
    "Failure",
    "InfoReply",
    "Language",
    "Message",
    "MessageError",
    "MoveReply",
    "PeerLimits",
    "PlayerConfig",
    "PlayerEvent",
    "PlayerServer",
    "RemoteSeat",
    "ScrambleError",
    "Scrambler",
    "format_message",
    "parse_address",
    "parse_info_reply",
    "parse_message",
    "parse_move_reply",
    "plain_names",
    "scrambler_of",
]
