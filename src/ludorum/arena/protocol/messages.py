"""The messages of the GGP protocol as values, with a ``parse`` and a ``format`` for every form.

Messages are KIF lists: keywords in any case, trailing arguments that newer hosts add are ignored. Two forms
of PLAY and STOP are told apart by their number of arguments: ``(PLAY match told)``, where ``told`` is the
joint move or, from hosts of 2011 in GDL-II games, the percepts; and ``(PLAY match turn move percepts)``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeAlias

from ...rules.build import build_term
from ...rules.kif import read_nodes
from ...rules.source import Diagnostic, Source
from ...rules.syntax import Node, NodeKind
from ...rules.terms import Term, format_term

LONGEST_CLOCK = 86_400.0
"""Seconds; a clock of more than a day is a typing error, and would let a player never answer."""
LONGEST_READ = 100_000
"""Messages up to so many characters are read in full; a longer one is rules with a few words around them."""
LONGEST = 2_100_000
"""Most characters of any message: the longest rules that are read, and some words."""
NIL = Term("nil")
_WITH_RULES = re.compile(r"\s*\(\s*(?:start|preview)\s", re.IGNORECASE)
_BRACKET = re.compile(r"[()]|;[^\r\n]*|\|[^|\n]*\|")
MATCH_ID = re.compile(r"[^\s();|\"?][^\s();|\"]{0,199}")


class MessageError(ValueError):
    """A text that is not a message; says why."""


@dataclass(frozen=True)
class Info:
    """Asks a player for its name and whether it is free."""


@dataclass(frozen=True)
class Ping:
    """Asks whether a player is there. Newer hosts number their questions."""

    message_id: str = ""


@dataclass(frozen=True)
class Preview:
    """Shows a game that the player may be asked to play soon."""

    rules: str
    clock: float


@dataclass(frozen=True)
class Start:
    """A match begins."""

    match_id: str
    role: Term
    rules: str
    """The text of the rules, without the brackets around all of them."""
    start_clock: float
    play_clock: float


@dataclass(frozen=True)
class Play:
    """Asks for a move. ``told`` is the last joint move or, in GDL-II games, the percepts; None at first."""

    match_id: str
    told: tuple[Term, ...] | None


@dataclass(frozen=True)
class PlayPercepts:
    """Asks for a move, in the GDL-II form: the turn, the own move as it was played, and the percepts."""

    match_id: str
    turn: int
    move: Term | None
    percepts: tuple[Term, ...]


@dataclass(frozen=True)
class Stop:
    """The match is over."""

    match_id: str
    told: tuple[Term, ...] | None


@dataclass(frozen=True)
class StopPercepts:
    """The match is over, in the GDL-II form."""

    match_id: str
    turn: int
    move: Term | None
    percepts: tuple[Term, ...]


@dataclass(frozen=True)
class Abort:
    """The match is given up."""

    match_id: str


Message: TypeAlias = Info | Ping | Preview | Start | Play | PlayPercepts | Stop | StopPercepts | Abort


# -- reading ----------------------------------------------------------------------------------------------


def parse_message(text: str) -> Message:
    """The message a text writes; MessageError where it writes none."""
    if len(text) > LONGEST_READ:
        return _parse_long(text)
    source = Source("<message>", text)
    nodes, faults = read_nodes(source)
    if faults:
        raise MessageError(f"not a message: {faults[0].message}")
    if not nodes:
        raise MessageError("an empty message")
    first = nodes[0]
    # People who try things out write `info` and `ping` without brackets.
    word, items = (first.head, first.items[1:]) if first.kind is NodeKind.LIST else (first.head, ())
    reader = MessageReader(source, word.upper(), items)
    match word:
        case "info":
            return Info()
        case "ping":
            return Ping(reader.text(0) if items else "")
        case "preview":
            return Preview(reader.rules(0), reader.clock(1))
        case "start":
            return Start(reader.match_id(), reader.term(1), reader.rules(2), reader.clock(3), reader.clock(4))
        case "play" | "stop":
            return _parse_turn(word, reader)
        case "abort":
            return Abort(reader.match_id())
    raise MessageError(f"no message begins with {word[:40]!r}" if word else "a message begins with a keyword")


def _parse_long(text: str) -> Message:
    """A message whose rules are read later: reading them costs ten times as much as finding their end."""
    if not _WITH_RULES.match(text) or len(text) > LONGEST:
        raise MessageError(f"{len(text)} characters; only START and PREVIEW are long, and none has {LONGEST}")
    begin = text.find("(", text.find("(") + 1)
    end = _closing(text, begin)
    short = f"{text[:begin]}(){text[end + 1 :]}"
    if not -1 < begin < end or len(short) > LONGEST_READ:
        raise MessageError(f"not a message: {len(text)} characters, and no rules in them")
    message = parse_message(short)
    assert isinstance(message, Start | Preview)
    return replace(message, rules=text[begin + 1 : end].strip())


def _closing(text: str, begin: int) -> int:
    """The index of the bracket that closes the one there; -1 where it is not closed."""
    depth = 0
    for found in _BRACKET.finditer(text, max(0, begin)):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if depth == 0 and found[0] == ")":
            return found.start()
    return -1


def _parse_turn(word: str, reader: MessageReader) -> Message:
    match_id = reader.match_id()
    if reader.count >= 4:
        turn, move, percepts = reader.number(1), reader.term(2), reader.terms(3)
        form = PlayPercepts if word == "play" else StopPercepts
        return form(match_id, turn, None if move is NIL else move, percepts or ())
    told = reader.terms(1)
    return Play(match_id, told) if word == "play" else Stop(match_id, told)


class MessageReader:
    """Arguments of a message by place; MessageError names the place that is wrong."""

    def __init__(self, source: Source, word: str, items: tuple[Node, ...]) -> None:
        self._source = source
        self._word = word
        self._items = items

    @property
    def count(self) -> int:
        return len(self._items)

    def _item(self, at: int, what: str) -> Node:
        if at >= len(self._items):
            raise MessageError(f"{self._word}: argument {at + 1}, {what}, is missing")
        return self._items[at]

    def _wrong(self, at: int, what: str) -> MessageError:
        return MessageError(f"{self._word}: argument {at + 1} is not {what}")

    def text(self, at: int, what: str = "a name") -> str:
        node = self._item(at, what)
        if node.kind is not NodeKind.SYMBOL:
            raise self._wrong(at, what)
        return self._source.text[node.span.start : node.span.end]

    def match_id(self) -> str:
        name = self.text(0, "a match id")
        if not MATCH_ID.fullmatch(name):
            raise self._wrong(0, "a match id")
        return name

    def number(self, at: int) -> int:
        text = self.text(at, "a number")
        if not re.fullmatch(r"[0-9]{1,9}", text):
            raise self._wrong(at, "a number")
        return int(text)

    def clock(self, at: int) -> float:
        try:
            seconds = float(self.text(at, "a clock in seconds"))
        except ValueError:
            raise self._wrong(at, "a clock in seconds") from None
        if not (math.isfinite(seconds) and 0 <= seconds <= LONGEST_CLOCK):
            raise self._wrong(at, "a clock in seconds")
        return seconds

    def term(self, at: int) -> Term:
        return self._build(self._item(at, "a term"), at)

    def _build(self, node: Node, at: int) -> Term:
        faults: list[Diagnostic] = []
        term = build_term(node, self._source, faults)
        if not isinstance(term, Term) or not term.is_ground:
            raise self._wrong(at, "a term without variables")
        return term

    def terms(self, at: int) -> tuple[Term, ...] | None:
        """A list of terms; None for NIL. A single term may come without the brackets of its list."""
        if at >= len(self._items):
            return None
        node = self._items[at]
        if node.kind is not NodeKind.LIST:
            term = self._build(node, at)
            return None if term is NIL else (term,)
        return tuple(self._build(item, at) for item in node.items)

    def rules(self, at: int) -> str:
        node = self._item(at, "a list of rules")
        if node.kind is not NodeKind.LIST:
            raise self._wrong(at, "a list of rules")
        return self._source.text[node.span.start + 1 : node.span.end - 1].strip()


# -- writing ----------------------------------------------------------------------------------------------


def format_message(message: Message) -> str:
    """The message as hosts write it, rules as they are given; the twin of ``parse_message``."""
    match message:
        case Info():
            return "( INFO )"
        case Ping(message_id):
            return f"(ping {message_id})" if message_id else "(ping)"
        case Preview(rules, clock):
            return f"( PREVIEW ({rules}) {_seconds(clock)} )"
        case Start(match_id, role, rules, start, play):
            return f"( START {match_id} {format_term(role)} ({rules}) {_seconds(start)} {_seconds(play)} )"
        case Play(match_id, told):
            return f"( PLAY {match_id} {_list_or_nil(told)} )"
        case Stop(match_id, told):
            return f"( STOP {match_id} {_list_or_nil(told)} )"
        case PlayPercepts(match_id, turn, move, percepts):
            return f"( PLAY {match_id} {_turn(turn, move, percepts)} )"
        case StopPercepts(match_id, turn, move, percepts):
            return f"( STOP {match_id} {_turn(turn, move, percepts)} )"
        case Abort(match_id):
            return f"( ABORT {match_id} )"


def _turn(turn: int, move: Term | None, percepts: tuple[Term, ...]) -> str:
    if move is None:
        return f"{turn} NIL NIL"
    return f"{turn} {format_term(move)} ({' '.join(map(format_term, percepts))})"


def _list_or_nil(terms: Iterable[Term] | None) -> str:
    return "NIL" if terms is None else f"({' '.join(map(format_term, terms))})"


def _seconds(clock: float) -> str:
    """Known players read whole numbers only; ours also read the fractions of shorter clocks."""
    return str(int(clock)) if clock == int(clock) else str(clock)
