"""The visibility restriction (W07): ``visible`` stands in heads, for players, and is never a whole move."""

from __future__ import annotations

from collections.abc import Iterator

from ...check.analysis import argument_node
from ...quoting import quoted
from ...source import Diagnostic
from ...syntax import Node, NodeKind
from ...terms import Term, Variable
from ..sheet import WdlSheet
from ..statements import VISIBLE, WdlStatement, private_parts
from .faults import fault


def check_visible(sheet: WdlSheet) -> Iterator[Diagnostic]:
    for one in sheet.statements:
        yield from _check_owner(sheet, one)
        node = one.rule.node
        body = node.items[2:] if node.kind is NodeKind.LIST and node.head == "<=" else ()
        for item in body:
            for inner in _private_nodes(item):
                yield fault(sheet, "W07", inner, "`visible` in a condition: nobody can ask who is told what",
                            "give what you need a relation of its own")  # fmt: skip
        yield from _check_head(sheet, one.rule.head, one.rule.head_node)


def _check_owner(sheet: WdlSheet, one: WdlStatement) -> Iterator[Diagnostic]:
    if one.owner is not None and one.owner not in sheet.roles:
        yield _no_role(sheet, one.owner, one.rule.node)


def _check_head(sheet: WdlSheet, head: Term, node: Node) -> Iterator[Diagnostic]:
    for inner in _private_nodes(node):
        if len(inner.items) != 3:
            yield fault(sheet, "W07", inner, "`visible` takes a player and what that player is told",
                        "write (visible player expression)")  # fmt: skip
            return
        for nested in inner.items[2].walk():
            if nested in _private_nodes(inner.items[2]):
                yield fault(sheet, "W07", nested, "`visible` inside `visible`",
                            "write one `visible` for each player, side by side")  # fmt: skip
    for part in private_parts(head):
        player = part.args[0]
        if not isinstance(player, Variable) and player not in sheet.roles:
            yield _no_role(sheet, player, node)
        if isinstance(part.args[1], Term) and part.args[1].name in ("role", "random", "set", "include"):
            yield fault(sheet, "W07", node, f"`{part.args[1].name}` cannot be told to one player alone",
                        "take it out of `visible`")  # fmt: skip
    move = head.args[1] if head.signature == ("legal", 2) else None
    if isinstance(move, Term) and move.signature == (VISIBLE, 2):
        yield fault(sheet, "W07", argument_node(node, 1), "a move that is `visible` as a whole",
                    "give it a name that all are told: (act (visible player ...))")  # fmt: skip


def _private_nodes(node: Node) -> list[Node]:
    """Every list that begins with ``visible``, the outer ones first."""
    return [inner for inner in node.walk() if inner.kind is NodeKind.LIST and inner.head == VISIBLE]


def _no_role(sheet: WdlSheet, player: Term, node: Node) -> Diagnostic:
    return fault(sheet, "W07", node, f"{quoted(player)} is no role, so nobody is told this",
                 f"the roles are {', '.join(map(str, sheet.roles))}")  # fmt: skip
