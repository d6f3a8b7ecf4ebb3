"""Weights of random events (W12) are numbers from 0 on, one for each event; odds precede the moves (W05)."""

from __future__ import annotations

from collections.abc import Iterator

from ...check.analysis import Analysis, argument_node
from ...check.chains import follow, routes_to, spelled
from ...quoting import quoted
from ...source import Diagnostic
from ...terms import Pattern, Variable
from ..draws import weight_of
from ..sheet import RANDOM_FACT, WdlSheet
from .faults import fault

LATER = frozenset({"does", "next"})


def check_events(sheet: WdlSheet) -> Iterator[Diagnostic]:
    known: dict[tuple[Pattern, Pattern], Pattern] = {}
    for one in sheet.statements:
        head, node = one.rule.head, one.rule.head_node
        if head.signature != RANDOM_FACT:
            continue
        name, weight, event = head.args
        if not isinstance(weight, Variable) and weight_of(weight) is None:
            yield fault(sheet, "W12", argument_node(node, 1), f"{quoted(weight)} is no weight",
                        "write a number: 0, 1, 2, …")  # fmt: skip
        elif not one.rule.body and known.setdefault((name, event), weight) is not weight:
            yield fault(sheet, "W12", argument_node(node, 1),
                        f"{quoted(event)} of {quoted(name)} has two weights, "
                        f"{known[name, event]} and {weight}",
                        "keep one of them")  # fmt: skip
    yield from _check_dependence(sheet)


def _check_dependence(sheet: WdlSheet) -> Iterator[Diagnostic]:
    analysis = Analysis(sheet.master)
    route = routes_to(analysis, LATER)
    for edge in analysis.edges:
        if edge.head == RANDOM_FACT and (edge.body[0] in LATER or edge.body in route):
            chain = spelled(analysis, follow(route, edge, LATER))
            yield fault(sheet, "W05", edge.atom.node, f"odds depend on what comes after them: {chain}",
                        "use `true` and relations that never change")  # fmt: skip
