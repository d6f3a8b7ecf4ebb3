"""Faults of elements and arrows, found before captions are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ...rules.source import Severity
from .chart import BOTTOM, RIGHT, Chart, Element, ElementKind
from .faults import ChartFault, fault

_STARTS, _ENDS = ("start",), ("terminate", "end")


def check_drawing(chart: Chart, name: str = "chart") -> Iterator[ChartFault]:
    """Every fault of the drawing."""
    known = {one.index for one in chart.elements}
    yield from _duplicates(chart, name)
    for one in chart.connections:
        for end in (one.source, one.target):
            if end not in known:
                message = f"connection {one.index} ends at element {end}, which does not exist"
                hint, other = "draw it again between two elements", one.source + one.target - end
                yield fault("unknown-element", message, hint, node=other, chart=name)
        if not 0 <= one.port <= 3 or not 0 <= one.target_port <= 3:
            message = f"connection {one.index} uses a port that no element has"
            yield fault(
                "bad-port", message, "ports are 0 top, 1 right, 2 bottom, 3 left", node=one.source, chart=name
            )
    starts = [one for one in chart.elements if one.kind is ElementKind.TERMINAL and _leaving(one, chart)]
    ends = [one for one in chart.elements if one.kind is ElementKind.TERMINAL and not _leaving(one, chart)]
    yield from _terminals(starts, ends, name)
    for element in chart.elements:
        yield from _arrows(element, chart, name)


def _duplicates(chart: Chart, name: str) -> Iterator[ChartFault]:
    counts = Counter([one.index for one in chart.elements] + [one.index for one in chart.connections])
    for index, count in counts.items():
        if count > 1:
            message = f"the number {index} is given {count} times"
            yield fault(
                "duplicate-index", message, "every element and connection has its own", node=index, chart=name
            )


def _terminals(starts: list[Element], ends: list[Element], name: str) -> Iterator[ChartFault]:
    if len(starts) != 1:
        message = f"a game has one start, not {len(starts)}"
        hint = "draw one ellipse with an arrow leaving it"
        yield fault("no-start" if not starts else "many-starts", message, hint, chart=name)
    if len(ends) != 1:
        message = f"a game has one end, not {len(ends)}"
        hint = "let all ways meet in one ellipse without an arrow leaving it"
        yield fault("no-end" if not ends else "many-ends", message, hint, chart=name)
    if len(starts) == 1 and starts[0].index != 0:
        yield fault(
            "start-not-0",
            "element 0 is the start",
            "give the start the number 0",
            node=starts[0].index,
            chart=name,
        )
    for one, words in [(one, _STARTS) for one in starts] + [(one, _ENDS) for one in ends]:
        if not one.caption.lower().startswith(words):
            wanted = " or ".join(word.capitalize() for word in words)
            message = f"{one.caption!r} does not begin with {wanted}"
            yield fault(
                "terminal-caption",
                message,
                node=one.index,
                caption=one.caption,
                severity=Severity.WARNING,
                chart=name,
            )


def _arrows(one: Element, chart: Chart, name: str) -> Iterator[ChartFault]:
    ports = _leaving(one, chart)
    if one.kind is ElementKind.CHOICE:
        for port, meaning in (
            (BOTTOM, "bottom, where the condition holds"),
            (RIGHT, "right, where it does not"),
        ):
            if ports.count(port) != 1:
                message = f"a choice is left once at the {meaning}, not {ports.count(port)} times"
                yield fault(
                    "choice-ports",
                    message,
                    "connect that port to the next element",
                    node=one.index,
                    chart=name,
                )
        if any(port not in (BOTTOM, RIGHT) for port in ports):
            yield fault(
                "surplus-connection",
                "a choice is left at the bottom and the right",
                node=one.index,
                chart=name,
            )
    elif one.kind is ElementKind.STATEMENT and not ports:
        yield fault(
            "no-way-on",
            "nothing leads on from here",
            "connect it to the next element",
            node=one.index,
            chart=name,
        )
    elif len(ports) > 1:
        message = f"{len(ports)} connections leave here, and one is allowed"
        yield fault("surplus-connection", message, "a choice has two ways on", node=one.index, chart=name)


def _leaving(one: Element, chart: Chart) -> list[int]:
    return [connection.port for connection in chart.connections if connection.source == one.index]
