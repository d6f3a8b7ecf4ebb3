"""Compiled charts (FCDL): every node with its action and its successors; no places, no arrows.

``state(11,choice(13,54,greaterThan(cardsRemaining(player(0)),0))).`` ``parse_rules`` reads such facts,
``format_rules`` writes them; ``parse_table`` and ``format_table`` are for people::

    0   start
    1   Shuffle
    3   Deal(7)                                 -> 11
    11  cardsRemaining(player(0))>0             ? 13 : 54
    54  end

where a node without ``->`` goes on to the next line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ...rules.source import Source, Span
from .captions import format_condition, format_statement, parse_condition, parse_statement
from .chart import checked_players, unquoted
from .facts import fact_fault, read_facts
from .faults import ChartError, ChartFault, fault
from .terms import Term, as_integer, format_term, is_string, string, text_of


@dataclass(frozen=True)
class StartTerminal:
    """The beginning of the game."""

    next: int


@dataclass(frozen=True)
class Statement:
    """An action: an assignment, a move of cards, a text for all."""

    next: int
    action: Term


@dataclass(frozen=True)
class ChoiceNode:
    """A condition that leads to one of two nodes."""

    yes: int
    no: int
    condition: Term


@dataclass(frozen=True)
class EndTerminal:
    """The end of the game."""


Node: TypeAlias = StartTerminal | Statement | ChoiceNode | EndTerminal

DECISION_LIMIT = "decisionLimit"
"""The name a chart assigns its bound to."""


@dataclass(frozen=True)
class Rules:
    """A compiled chart: nodes by their numbers, and the number of players."""

    nodes: Mapping[int, Node] = field(hash=False)
    players: int = 2

    @property
    def start(self) -> int:
        return next(index for index, node in self.nodes.items() if isinstance(node, StartTerminal))

    @property
    def decision_limit(self) -> int | None:
        """The decisions after which the game is over, where the chart sets a bound (``check`` wants one)."""
        for node in self.nodes.values():
            if isinstance(node, Statement) and node.action.name == "assign":
                name, value = node.action.args
                if name is Term(DECISION_LIMIT) and isinstance(value, Term):
                    return as_integer(value)
        return None

    def caption(self, index: int) -> str:
        """The caption of a node."""
        node = self.nodes[index]
        if isinstance(node, Statement):
            return format_statement(node.action)
        if isinstance(node, ChoiceNode):
            return format_condition(node.condition)
        return "start" if isinstance(node, StartTerminal) else "end"


def successors(node: Node) -> tuple[int, ...]:
    """The successors of a node."""
    if isinstance(node, ChoiceNode):
        return (node.yes, node.no)
    return () if isinstance(node, EndTerminal) else (node.next,)


def reachable(rules: Rules, start: int, avoiding: Collection[int] = ()) -> set[int]:
    """Nodes that can be reached from one (itself included) without passing others."""
    found: set[int] = set()
    waiting = [start]
    while waiting:
        index = waiting.pop()
        if index in found or index in avoiding or index not in rules.nodes:
            continue
        found.add(index)
        waiting.extend(successors(rules.nodes[index]))
    return found


def parse_rules(text: str | Source) -> Rules:
    """The compiled chart of ``state`` facts; statements may be quoted or terms."""
    source = text if isinstance(text, Source) else Source("rules", text)
    nodes: dict[int, Node] = {}
    players = 2
    faults: list[ChartFault] = []
    for fact, span in read_facts(source):
        try:
            if fact.name == "players" and len(fact.args) == 1:
                players = checked_players(_index(fact.args[0]))
                continue
            if fact.name != "state" or len(fact.args) != 2:
                raise ValueError(f"rules have state(index,node), not {fact.name}/{len(fact.args)}")
            index = _index(fact.args[0])
            if index in nodes:
                raise ValueError(f"there are two nodes {index}")
            nodes[index] = _node_of(fact.args[1], index)
        except ValueError as error:
            faults.append(
                fact_fault("bad-fact", str(error), span, source, "write state(5,statement(7,assign(r,0))).")
            )
        except ChartError as error:
            faults.extend(one for one in error.diagnostics if isinstance(one, ChartFault))
    if faults:
        raise ChartError(faults)
    return Rules(nodes, players)


def format_rules(rules: Rules) -> str:
    """The facts of a compiled chart, a line each, by number."""
    lines = [] if rules.players == 2 else [f"players({rules.players})."]
    return (
        "\n".join(lines + [f"state({at},{_format_node(rules.nodes[at])})." for at in sorted(rules.nodes)])
        + "\n"
    )


def parse_table(text: str | Source) -> Rules:
    """The chart of a table of lines (see above); ChartError with every bad line."""
    source = text if isinstance(text, Source) else Source("table", text)
    rows = _rows(source)
    nodes: dict[int, Node] = {}
    faults: list[ChartFault] = []
    for at, (match, span) in enumerate(rows):
        index = int(match["index"])
        after = int(rows[at + 1][0]["index"]) if at + 1 < len(rows) else None
        try:
            if index in nodes:
                raise ValueError(f"there are two nodes {index}")
            nodes[index] = _row_node(match, index, after)
        except ValueError as error:
            faults.append(fact_fault("bad-line", str(error), span, source))
        except ChartError as error:
            faults.extend(one for one in error.diagnostics if isinstance(one, ChartFault))
    players = 2
    if header := _PLAYERS.search(source.text):
        try:
            players = checked_players(header[1])
        except ValueError as error:
            span = Span(*header.span())
            faults.append(fact_fault("bad-line", str(error), span, source, "write: ; players: 4"))
    if faults:
        raise ChartError(faults)
    return Rules(nodes, players)


def format_table(rules: Rules) -> str:
    """A compiled chart as a table of lines; the twin of ``parse_table``."""
    lines = [] if rules.players == 2 else [f"; players: {rules.players}"]
    for index in sorted(rules.nodes):
        node = rules.nodes[index]
        caption = rules.caption(index)
        arrow = ""
        if isinstance(node, ChoiceNode):
            arrow = f"? {node.yes} : {node.no}"
        elif not isinstance(node, EndTerminal):
            arrow = f"-> {node.next}"
        lines.append(f"{index:<4}{caption:<60} {arrow}".rstrip())
    return "\n".join(lines) + "\n"


_ROW = re.compile(
    r"\s*(?P<index>[0-9]{1,9})\s+(?P<caption>.*?)\s*"
    r"(?:->\s*(?P<next>[0-9]{1,9})|\?\s*(?P<yes>[0-9]{1,9})\s*:\s*(?P<no>[0-9]{1,9}))?\s*"
)
_PLAYERS = re.compile(r"^[;%]\s*players\s*:[ \t]*(.*?)[ \t]*$", re.MULTILINE)


def _rows(source: Source) -> list[tuple[re.Match[str], Span]]:
    rows: list[tuple[re.Match[str], Span]] = []
    faults: list[ChartFault] = []
    start = 0
    for line in source.text.splitlines(keepends=True):
        span = Span(start, start + len(line.rstrip()))
        start += len(line)
        if not line.strip() or line.lstrip()[0] in ";%":
            continue
        match = _ROW.fullmatch(line.rstrip())
        if match is None:
            hint = "write: number caption -> next, or: number condition ? yes : no"
            faults.append(
                fact_fault("bad-line", "a line begins with the number of its node", span, source, hint)
            )
        else:
            rows.append((match, span))
    if faults:
        raise ChartError(faults)
    return rows


def _row_node(match: re.Match[str], index: int, after: int | None) -> Node:
    caption = match["caption"]
    if match["yes"]:
        return ChoiceNode(int(match["yes"]), int(match["no"]), parse_condition(caption, index))
    if caption == "end":
        return EndTerminal()
    follower = int(match["next"]) if match["next"] else after
    if follower is None:
        raise ValueError(f"node {index} is the last line and leads nowhere: write -> and a number, or end")
    return (
        StartTerminal(follower)
        if caption == "start"
        else Statement(follower, parse_statement(caption, index))
    )


def _index(term: object) -> int:
    value = as_integer(term) if isinstance(term, Term) else None
    if value is None or value < 0:
        raise ValueError(f"{term} is no number of a node")
    return value


def _node_of(term: object, index: int) -> Node:
    assert isinstance(term, Term)
    match term.name, len(term.args):
        case "startTerminal", 1:
            return StartTerminal(_index(term.args[0]))
        case "endTerminal", 0:
            return EndTerminal()
        case "statement", 2:
            return Statement(_index(term.args[0]), _action_of(term.args[1], index))
        case "choice", 3:
            condition = term.args[2]
            assert isinstance(condition, Term)
            if is_string(condition):
                condition = parse_condition(unquoted(condition), index)
            return ChoiceNode(_index(term.args[0]), _index(term.args[1]), condition)
    raise ValueError(
        f"node {index} is no startTerminal, statement, choice or endTerminal: {format_term(term)}"
    )


def _action_of(term: object, index: int) -> Term:
    assert isinstance(term, Term)
    if is_string(term):
        term = parse_statement(unquoted(term), index)
    if term.name == "publish" and len(term.args) == 1 and is_string(term.args[0]):
        message = term.args[0]
        assert isinstance(message, Term)
        return Term("publish", (string(text_of(message).replace("~", " ")),))
    return term


def _format_node(node: Node) -> str:
    if isinstance(node, StartTerminal):
        return f"startTerminal({node.next})"
    if isinstance(node, EndTerminal):
        return "endTerminal"
    if isinstance(node, ChoiceNode):
        return f"choice({node.yes},{node.no},{format_term(node.condition)})"
    return f"statement({node.next},{format_action(node.action)})"


def format_action(action: Term) -> str:
    """A statement as compiled charts have it: assignments and texts are terms, the rest are strings."""
    if action.name == "publish":
        return format_term(action).replace(" ", "~")
    return format_term(action) if action.name == "assign" else f'"{format_term(action, " ")}"'


__all__ = [
    "ChoiceNode",
    "EndTerminal",
    "Node",
    "Rules",
    "StartTerminal",
    "Statement",
    "fault",
    "format_action",
    "format_rules",
    "format_table",
    "parse_rules",
    "parse_table",
    "successors",
]
