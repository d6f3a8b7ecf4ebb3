"""Control flow of a chart: nodes that cannot be reached, and nodes that are reached too early."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.source import Severity
from ..language.faults import ChartFault, fault
from ..language.rules import EndTerminal, Rules, StartTerminal, Statement, reachable, successors


def check_flow(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """Every fault of the control flow."""
    starts = [index for index, node in rules.nodes.items() if isinstance(node, StartTerminal)]
    ends = [index for index, node in rules.nodes.items() if isinstance(node, EndTerminal)]
    if len(starts) != 1:
        yield fault(
            "no-start" if not starts else "many-starts",
            f"a game has one start, not {len(starts)}",
            chart=name,
        )
    if len(ends) != 1:
        yield fault("no-end" if not ends else "many-ends", f"a game has one end, not {len(ends)}", chart=name)
    if len(starts) == 1 and starts[0] != 0:
        yield fault("start-not-0", "node 0 is the start", node=starts[0], chart=name)
    for index, node in rules.nodes.items():
        for target in successors(node):
            if target not in rules.nodes:
                message = f"it leads to node {target}, which does not exist"
                yield fault("unknown-element", message, node=index, caption=rules.caption(index), chart=name)
    if len(starts) != 1:
        return
    reached = reachable(rules, starts[0])
    for index in rules.nodes:
        if index not in reached:
            caption = rules.caption(index)
            yield fault(
                "unreachable",
                "nothing leads here",
                node=index,
                caption=caption,
                severity=Severity.WARNING,
                chart=name,
            )
    if ends and not any(end in reached for end in ends):
        yield fault(
            "end-unreachable", "the game never ends: no way leads to its end", node=ends[0], chart=name
        )
    yield from _plays_too_early(rules, starts[0], name)


def _plays_too_early(rules: Rules, start: int, name: str) -> Iterator[ChartFault]:
    """Check that cards are shuffled and dealt before they are played, on every path."""
    for wanted, meaning in (({"Shuffle"}, "Shuffle"), ({"Deal", "pickUp", "move", "moveAll"}, "Deal")):
        givers = [
            index
            for index, node in rules.nodes.items()
            if isinstance(node, Statement) and node.action.name in wanted
        ]
        early = reachable(rules, start, givers)
        for index in sorted(early):
            node = rules.nodes[index]
            if isinstance(node, Statement) and node.action.name in (
                "playCard",
                "playCardOrPass",
                "Deal",
                "pickUp",
            ):
                if node.action.name in ("Deal", "pickUp") and meaning == "Deal":
                    continue
                message = f"{node.action.name} can be reached without {meaning} before it"
                caption = rules.caption(index)
                yield fault(
                    "too-early", message, f"put {meaning} before it", node=index, caption=caption, chart=name
                )
