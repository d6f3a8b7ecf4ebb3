"""Answers of players, read as liberally as other hosts read them: a move, a status, or rubbish."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ...rules.build import build_term
from ...rules.kif import read_nodes
from ...rules.source import Diagnostic, Source
from ...rules.syntax import Node, NodeKind
from ...rules.terms import Term
from .messages import MessageError

READY, BUSY, DONE, ABORTED, NIL_REPLY = "ready", "busy", "done", "aborted", "nil"

SHOWN = 200
"""How much of a reply that is no move goes into the record."""
_STRING = re.compile(r'"((?:[^"\\]|\\.)*+)("?)', re.DOTALL)
"""Also matches a string without end: searching its end again from every quotation mark would be quadratic."""
_MARK = "\x01"
_REMARKS = ("explanation", "taunt")


@dataclass(frozen=True)
class MoveReply:
    """A move, and the remarks that some players add."""

    move: Term
    explanation: str = ""
    taunt: str = ""


@dataclass(frozen=True)
class InfoReply:
    """What a player says about itself; ``status`` is empty where it does not say."""

    status: str = ""
    name: str = ""
    species: str = ""

    @property
    def is_available(self) -> bool:
        return self.status in ("available", "ready")


def parse_move_reply(text: str) -> MoveReply:
    """The move of a reply to PLAY, with explanation and taunt; MessageError where there is no ground move."""
    strings: list[str] = []

    def keep(found: re.Match[str]) -> str:
        if not found[2]:
            return found[0]
        strings.append(found[1])
        return f" |{_MARK}{len(strings) - 1}| "

    source = Source("<reply>", _STRING.sub(keep, text.replace(_MARK, " ")))
    nodes, faults = read_nodes(source)
    if faults:
        raise MessageError(f"not a move: {faults[0].message}")
    if not nodes:
        raise MessageError("an empty reply")
    remarks = {}
    for node in nodes[1:]:
        if node.head not in _REMARKS:
            raise MessageError("more than a move: only (explanation ...) and (taunt ...) may follow")
        remarks[node.head] = _words(node, source, strings)
    # A string cannot be part of a move, nor can a remark stand for one.
    if _MARK in source.text[nodes[0].span.start : nodes[0].span.end]:
        raise MessageError("a string where a move is needed")
    problems: list[Diagnostic] = []
    move = build_term(nodes[0], source, problems)
    if problems or move is None:
        raise MessageError(f"not a move: {problems[0].message}" if problems else "not a move")
    if not isinstance(move, Term) or not move.is_ground:
        raise MessageError("a move with variables")
    return MoveReply(move, remarks.get("explanation", ""), remarks.get("taunt", ""))


def _words(node: Node, source: Source, strings: list[str]) -> str:
    parts = (
        strings[int(item.name[1:])]
        if item.name.startswith(_MARK)
        else source.text[item.span.start : item.span.end]
        for item in node.items[1:]
    )
    return re.sub(r"\|\x01(\d+)\|", lambda found: strings[int(found[1])], " ".join(parts))


def parse_info_reply(text: str) -> InfoReply:
    """What a reply to INFO says: a list of pairs, or a bare word from old peers. Rubbish gives nothing."""
    source = Source("<reply>", _STRING.sub(_joined, text))
    nodes, _ = read_nodes(source)
    if not nodes:
        return InfoReply()
    if nodes[0].kind is NodeKind.SYMBOL:
        return InfoReply(status=nodes[0].name if len(nodes) == 1 else "")
    found = {}
    for pair in nodes[0].items:
        if pair.kind is NodeKind.LIST and len(pair.items) > 1:
            first, last = pair.items[1], pair.items[-1]
            found[pair.head] = source.text[first.span.start : last.span.end][:SHOWN]
    return InfoReply(found.get("status", "").lower(), found.get("name", ""), found.get("species", ""))


def _joined(string: re.Match[str]) -> str:
    """The words of a string joined to one; a string without end stays as it is."""
    return string[1].replace(" ", "_") if string[2] else string[0]


def format_info_reply(reply: InfoReply) -> str:
    pairs = [("name", _word(reply.name)), ("status", reply.status), ("species", reply.species)]
    return f"({' '.join(f'({key} {value})' for key, value in pairs if value)})"


def _word(name: str) -> str:
    """A name as one symbol that any peer can read."""
    return re.sub(r"[^A-Za-z0-9_.:=+-]+", "_", name).strip("_") or "player"


def excerpt(text: str) -> str:
    """The beginning of what a peer wrote, on one line, for the record."""
    line = " ".join(text[: 4 * SHOWN].split())
    return line if len(line) <= SHOWN else line[:SHOWN] + "..."
