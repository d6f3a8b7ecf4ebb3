"""The code that plays a realtime match for one role: in a process of its own, or in a thread.

Messages are those of the protocol, as texts. The first one says which player is to play, and is followed by
START. What comes back is ``READY``, or ``FAILED`` and why, and then moves. ``warm_up`` and ``serve`` are what
the fork server calls.
"""

from __future__ import annotations

import json
from multiprocessing.connection import Connection

from ...players.realtime import RealtimePlayer, make_realtime_player
from ...rules.terms import Term
from ..protocol.messages import Start, parse_message
from ..protocol.realtime_messages import (
    ClockSignal,
    Happened,
    OwnMove,
    TimeIsUp,
    format_realtime,
    parse_realtime,
)
from .followed_match import FollowedMatch

MODULE = __name__
READY, FAILED = "READY", "FAILED"
SLICE_SECONDS = 0.03
"""How long a player thinks before it looks whether something has happened."""
ANSWER_TICKS = 25
"""Signals of the clock within which a move that was legal is told to have been made. Before that the player
does not know what to act on."""
MOST_TICKS = 100_000
"""Signals of the clock that one message may stand for; more were a way to keep a player busy for good."""


def warm_up() -> None:
    """Import what players need, and think a moment."""
    rules = "(set realtime) (role a) (init s) (legal a go) (<= (next t) (does a go)) (<= terminal (true t))"
    match = FollowedMatch(Start("m", Term("a"), rules, 1, 1))
    player = make_realtime_player("champion")
    player.start(match.master, match.role)
    player.think(match.state, match.legal(), 0.0)


def serve(connection: Connection) -> None:
    """Play a match, until it is over or the connection ends."""
    try:
        name, seed = json.loads(connection.recv_bytes())
        start = parse_message(connection.recv_bytes().decode())
        assert isinstance(start, Start)
        try:
            match = FollowedMatch(start)
            player = make_realtime_player(name, seed)
            player.start(match.master, match.role)
        except Exception as error:  # rules are foreign text, and can be wrong in every way
            connection.send_bytes(f"{FAILED} {type(error).__name__}: {error}".encode())
            return
        connection.send_bytes(READY.encode())
        _play(connection, match, player)
    except (EOFError, OSError):
        pass  # nobody listens any more
    finally:
        connection.close()


def _play(connection: Connection, match: FollowedMatch, player: RealtimePlayer) -> None:
    legal: tuple[Term, ...] = ()  # nobody can act before the first signal of the clock
    acted_until = 0
    """The signal of the clock until which it is waited what has become of the last move."""
    while True:
        has_news = False
        while connection.poll(0 if has_news or (legal and player.thinks) else None):
            view = parse_realtime(connection.recv_bytes().decode())
            if not isinstance(view, ClockSignal | Happened | TimeIsUp):
                continue
            if isinstance(view, ClockSignal) and view.number - match.state.clock > MOST_TICKS:
                return
            match.see(view)
            if match.is_over:
                return
            has_news = True
            if isinstance(view, Happened) and view.player == match.role:
                acted_until = 0
        if has_news:
            legal = match.legal() if match.state.clock >= acted_until else ()
        if legal and (move := player.think(match.state, legal, SLICE_SECONDS)) is not None:
            own = OwnMove(match.start.match_id, match.role, move)
            connection.send_bytes(format_realtime(own).encode())
            acted_until, legal = match.state.clock + ANSWER_TICKS, ()
