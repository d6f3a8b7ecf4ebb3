"""The random restriction (W06): a name of random events stands in ``random`` and in moves, nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

from ...check.analysis import argument_node
from ...quoting import quoted
from ...ruleset import RANDOM, Rule
from ...source import Diagnostic
from ...syntax import Node, NodeKind
from ...terms import Term, Variable
from ..sheet import RANDOM_FACT, WdlSheet
from ..statements import VISIBLE
from .faults import fault


def check_names(sheet: WdlSheet) -> Iterator[Diagnostic]:
    names = {name.name for name in sheet.names}
    for one in sheet.statements:
        rule = one.rule
        if rule.head.signature == RANDOM_FACT:
            yield from _check_fact(sheet, rule, names)
        elif rule.head.signature == ("legal", 2):
            yield from _misplaced(sheet, names, argument_node(rule.head_node, 0))
        elif rule.head == Term("role", (RANDOM,)):
            message = (
                "the role `random` is that of nature in GDL-II; in WDL chance is in the moves of players"
            )
            yield fault(sheet, "W06", rule.head_node, message, "give the role another name")
        elif rule.head.name != "random":
            yield from _misplaced(sheet, names, rule.head_node)
        for node in _body_nodes(rule.node):
            yield from _misplaced(sheet, names, node)


def _check_fact(sheet: WdlSheet, rule: Rule, names: set[str]) -> Iterator[Diagnostic]:
    head, node = rule.head, rule.head_node
    name = head.args[0]
    if isinstance(name, Variable) or name.args:
        yield fault(sheet, "W06", argument_node(node, 0), f"{quoted(name)} is no name of random events",
                    "name them by one word: players must not look into it")  # fmt: skip
    event = argument_node(node, 2)
    yield from _misplaced(sheet, names, event)
    for inner in event.walk():
        if inner.head == VISIBLE and inner.kind is NodeKind.LIST:
            yield fault(sheet, "W07", inner, "an event is the same for all players",
                        "put `visible` around the name in the move")  # fmt: skip
    yield from _misplaced(sheet, names, argument_node(node, 1))


def _body_nodes(node: Node) -> tuple[Node, ...]:
    return node.items[2:] if node.kind is NodeKind.LIST and node.head == "<=" else ()


def _misplaced(sheet: WdlSheet, names: set[str], node: Node) -> Iterator[Diagnostic]:
    """Names of random events among the arguments of a piece of syntax; a first word is no argument."""
    if node.kind is NodeKind.SYMBOL:
        if node.name in names:
            message = f"{quoted(node.name)} names random events and is used for something else"
            yield fault(sheet, "W06", node, message, "use it in `random` and in moves only")
    else:
        for item in node.items[1:]:
            yield from _misplaced(sheet, names, item)
