"""Charts whose loops all have the simple form: entered at one choice, left only there.

A loop with its only exit elsewhere (*do while*), which every path round it meets, gets copies of the nodes
before the exit, which run once before the loop. A loop entered at several nodes gets copies for all entries
but one. Any other loop gets a variable that remembers which exit is to be taken, and a new header that reads
it. All copies know which node they are copies of.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...rules.source import Severity
from ..language.faults import ChartFault, fault
from ..language.rules import ChoiceNode, EndTerminal, Node, Rules, StartTerminal, Statement, successors
from ..language.terms import Term, number
from .loops import Knot, circles, find_loops

LEAVING = "leavingLoop'"
"""The prefix of variables that remember an exit."""

MOST_NODES = 3_000
"""Most nodes of the chart with its copies; entangled loops can need very many."""


@dataclass(frozen=True)
class NormalForm:
    """A chart with loops in the simple form, and for every new node the one it stands for."""

    rules: Rules
    origin: Mapping[int, int] = field(default_factory=dict)
    notes: tuple[ChartFault, ...] = ()

    def original(self, node: int) -> int:
        while node in self.origin:
            node = self.origin[node]
        return node


def normalise(rules: Rules, name: str = "chart") -> NormalForm:
    """An equivalent chart with loops in the simple form; notes on those that were not, or cannot be."""
    nodes: dict[int, Node] = dict(rules.nodes)
    work = _Work(nodes, max(nodes) + 1)
    notes: list[ChartFault] = []
    refused: set[frozenset[int]] = set()
    while True:
        now = Rules(dict(nodes), rules.players)
        knots = [knot for knot in find_loops(now)[1] if knot.nodes not in refused]
        if not knots:
            return NormalForm(now, dict(work.origin), tuple(notes))
        knot = knots[0]
        at = work.original(knot.entries[0])
        if not knot.exits or len(nodes) > MOST_NODES or not _has_statement(now, knot):
            refused.add(knot.nodes)
            notes.append(_hopeless(now, knot, at, name))
            continue
        if not set(knot.entries) & set(work.origin):
            notes.append(_other_form(rules, knot, at, name))
        work.untie(knot)


class _Work:
    """Nodes that are being changed."""

    def __init__(self, nodes: dict[int, Node], free: int) -> None:
        self.nodes, self.free = nodes, free
        self.origin: dict[int, int] = {}

    def original(self, node: int) -> int:
        while node in self.origin:
            node = self.origin[node]
        return node

    def untie(self, knot: Knot) -> None:
        if len(knot.exits) == 1 and self._is_always_met(knot, knot.exit_nodes[0]):
            self._unroll_to(knot, knot.exit_nodes[0])
        elif len(knot.entries) > 1:
            self._unroll_to(knot, knot.entries[0])
        else:
            self._remember_exit(knot)

    def _is_always_met(self, knot: Knot, node: int) -> bool:
        """Whether every path round from an entry meets a node: else it cannot be the header of the loop."""
        rest = knot.nodes - {node}
        edges = {one: tuple(to for to in successors(self.nodes[one]) if to in rest) for one in rest}
        again = {one for circle in circles(edges, rest) for one in circle}
        return isinstance(self.nodes[node], ChoiceNode) and not again & set(knot.entries)

    def _unroll_to(self, knot: Knot, header: int) -> None:
        """Lead paths from outside that do not meet the header first through copies up to it."""
        first = [entry for entry in knot.entries if entry != header]
        copies: dict[int, int] = {}
        waiting = list(first)
        while waiting:
            node = waiting.pop()
            if node in copies or node == header or node not in knot.nodes:
                continue
            copies[node] = self._new(node)
            waiting += successors(self.nodes[node])
        for node, copy in copies.items():
            self.nodes[copy] = redirected(self.nodes[node], copies)
        entries = {entry: copies[entry] for entry in first}
        inside = knot.nodes | set(copies.values())
        for node in list(self.nodes):
            if node not in inside:
                self.nodes[node] = redirected(self.nodes[node], entries)

    def _remember_exit(self, knot: Knot) -> None:
        """Set ``leavingLoop'5=2`` and lead back to a new header, which continues at the second exit."""
        entry = knot.entries[0]
        flag = Term(f"{LEAVING}{entry}")
        header, first = self._new(entry), self._new(entry)
        self.nodes[first] = Statement(header, Term("assign", (flag, number(0))))
        back = {entry: header}
        targets = list(dict.fromkeys(target for _, target in knot.exits))
        doors: dict[int, int] = {}
        for at, target in enumerate(targets, start=1):
            doors[target] = self._new(entry)
            self.nodes[doors[target]] = Statement(header, Term("assign", (flag, number(at))))
        for node in list(self.nodes):
            if node in knot.nodes:
                self.nodes[node] = redirected(self.nodes[node], back | doors)
            elif node not in (header, first, *doors.values()):
                self.nodes[node] = redirected(self.nodes[node], {entry: first})
        self.nodes[header] = ChoiceNode(entry, self._sign_post(entry, flag, targets), _is(flag, 0))

    def _sign_post(self, entry: int, flag: Term, targets: list[int]) -> int:
        """After the loop: continue at the remembered exit."""
        at = targets[-1]
        for index in range(len(targets) - 1, 0, -1):
            post = self._new(entry)
            self.nodes[post] = ChoiceNode(targets[index - 1], at, _is(flag, index))
            at = post
        return at

    def _new(self, of: int) -> int:
        self.free += 1
        self.origin[self.free - 1] = of
        return self.free - 1


def _is(flag: Term, value: int) -> Term:
    return Term("equal", (flag, number(value)))


def redirected(node: Node, targets: Mapping[int, int]) -> Node:
    """A node with other targets."""
    if isinstance(node, EndTerminal):
        return node
    if isinstance(node, ChoiceNode):
        return ChoiceNode(targets.get(node.yes, node.yes), targets.get(node.no, node.no), node.condition)
    following = targets.get(node.next, node.next)
    return StartTerminal(following) if isinstance(node, StartTerminal) else Statement(following, node.action)


def _has_statement(rules: Rules, knot: Knot) -> bool:
    return any(isinstance(rules.nodes[node], Statement) for node in knot.nodes)


def _other_form(rules: Rules, knot: Knot, at: int, name: str) -> ChartFault:
    exits = ", ".join(map(str, knot.exit_nodes))
    message = f"this loop is left at node {exits}, not only at a choice where it begins"
    if len(knot.entries) > 1:
        message = f"this loop is entered at several nodes: {', '.join(map(str, knot.entries))}"
    hint = "the analysis works on a copy with the loop brought into the simple form"
    caption = rules.caption(at)
    return fault("loop-form", message, hint, node=at, caption=caption, severity=Severity.WARNING, chart=name)


def _hopeless(rules: Rules, knot: Knot, at: int, name: str) -> ChartFault:
    message, hint = "this loop is tied up with others in too many ways", "let every loop begin at one choice"
    if not knot.exits:
        message, hint = "no way leads out of this loop", "let a choice lead out of it"
    elif not _has_statement(rules, knot):
        message, hint = "nothing happens in this loop", "let something in it change the condition"
    caption = rules.caption(at)
    return fault("loop-shape", message, hint, node=at, caption=caption, severity=Severity.WARNING, chart=name)
