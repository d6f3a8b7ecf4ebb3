"""The messages of realtime matches, beside those of the GGP protocol.

``(CLOCK match 7)`` is a signal of the clock, ``(PLAY match player move)`` says who has acted, and
``(STOP match player move)`` that this was the end; ``(STOP match)`` is the end by the clock. A player who
acts sends ``(MOVE match player move)``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ...rules.kif import read_nodes
from ...rules.source import Source
from ...rules.syntax import NodeKind
from ...rules.terms import Term, format_term
from .messages import LONGEST_READ, Message, MessageReader, format_message, parse_message


@dataclass(frozen=True)
class ClockSignal:
    """A signal of the clock."""

    match_id: str
    number: int


@dataclass(frozen=True)
class Happened:
    """Somebody has acted: who, and what the receiver is told of it. ``is_last``: the match is over."""

    match_id: str
    player: Term
    move: Term
    is_last: bool = False


@dataclass(frozen=True)
class TimeIsUp:
    """The clock has ended the match."""

    match_id: str


@dataclass(frozen=True)
class OwnMove:
    """A player acts."""

    match_id: str
    player: Term
    move: Term


RealtimeMessage: TypeAlias = ClockSignal | Happened | TimeIsUp | OwnMove


def parse_realtime(text: str) -> Message | RealtimeMessage:
    """The message of a text, where PLAY and STOP may be those of realtime; MessageError where it is none.

    >>> parse_realtime("(PLAY m1 ANN (MOVE 1 2))")
    Happened(match_id='m1', player=Term('ann'), move=parse_term('(move 1 2)'), is_last=False)
    """
    if len(text) <= LONGEST_READ:
        source = Source("<message>", text)
        nodes, faults = read_nodes(source)
        if not faults and len(nodes) == 1 and nodes[0].kind is NodeKind.LIST:
            word, items = nodes[0].head, nodes[0].items[1:]
            reader = MessageReader(source, word.upper(), items)
            by_name = len(items) == 3 and items[1].kind is NodeKind.SYMBOL and items[1].name != "nil"
            match word:
                case "clock":
                    return ClockSignal(reader.match_id(), reader.number(1))
                case "move":
                    return OwnMove(reader.match_id(), reader.term(1), reader.term(2))
                case "play" | "stop" if by_name:
                    return Happened(reader.match_id(), reader.term(1), reader.term(2), word == "stop")
                case "stop" if len(items) == 1:
                    return TimeIsUp(reader.match_id())
    return parse_message(text)


def format_realtime(message: Message | RealtimeMessage) -> str:
    """The text of a message; the twin of ``parse_realtime``."""
    match message:
        case ClockSignal(match_id, number):
            return f"( CLOCK {match_id} {number} )"
        case Happened(match_id, player, move, is_last):
            word = "STOP" if is_last else "PLAY"
            return f"( {word} {match_id} {format_term(player)} {format_term(move)} )"
        case TimeIsUp(match_id):
            return f"( STOP {match_id} )"
        case OwnMove(match_id, player, move):
            return f"( MOVE {match_id} {format_term(player)} {format_term(move)} )"
        case _:
            return format_message(message)
