"""Counters of a server, and their text for Prometheus."""

from __future__ import annotations

import asyncio
import re
import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

_NO_NAME = re.compile(r"[^a-zA-Z0-9_]")
BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.5, 5.0)
"""Upper ends of the buckets of times, in seconds."""


LOOK_SECONDS = 0.25
"""How often it is measured how late the event loop is."""


class Times:
    """How often something took how long."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        """By the first bound that is not exceeded; those above all bounds are last."""
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str, process: str) -> list[str]:
        """A histogram in the text format of Prometheus."""
        lines, sum_so_far = [f"# TYPE {name} histogram"], 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            sum_so_far += count
            lines.append(f"{name}_bucket{_labels(le=bound, process=process)} {sum_so_far}")
        own = _labels(process=process)
        return [*lines, f"{name}_sum{own} {self.total:.6f}", f"{name}_count{own} {sum_so_far}"]


async def watch_loop(lateness: Times) -> None:
    """Measure how late the event loop wakes, until this is cancelled: what blocks it delays everybody."""
    while True:
        due = time.monotonic() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        lateness.add(max(0.0, time.monotonic() - due))


class Counters:
    """What has happened since the server began."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        """Answers by the first digit of their status: ``2xx``."""
        self.events: Counter[str] = Counter()
        self.move_times = Times()
        """From the message with a move to its acknowledgement."""
        self.lateness = Times()
        """How much later the event loop wakes than it was asked to."""

    def text(self, gauges: Mapping[str, float], process: str = "") -> str:
        """All counters, and numbers of now, in the text format of Prometheus.

        ``process``: a label for all of them, where there are several processes.
        """
        own = _labels(process=process)
        lines = ["# TYPE ludorum_http_answers_total counter"]
        lines += [
            f"ludorum_http_answers_total{_labels(status=status, process=process)} {count}"
            for status, count in sorted(self.answers.items())
        ]
        for name, count in sorted(self.events.items()):
            lines += [f"# TYPE ludorum_{name}_total counter", f"ludorum_{name}_total{own} {count}"]
        for name, value in sorted(gauges.items()):
            plain = _NO_NAME.sub("_", name)
            lines += [f"# TYPE ludorum_{plain} gauge", f"ludorum_{plain}{own} {value:g}"]
        lines += self.move_times.lines("ludorum_move_seconds", process)
        lines += self.lateness.lines("ludorum_loop_late_seconds", process)
        return "\n".join(lines) + "\n"


def joined(texts: Iterable[str]) -> str:
    """The counters of several processes as one text: what has the same name stands together."""
    found: dict[str, list[str]] = {}
    for line in "".join(texts).splitlines():
        if line.startswith("#"):
            lines = found.setdefault(line, [])
        else:
            lines.append(line)
    return "".join(f"{head}\n" + "".join(f"{line}\n" for line in lines) for head, lines in found.items())


def _labels(**labels: str) -> str:
    """Labels as Prometheus writes them, those without a value left out."""
    told = ",".join(f'{name}="{value}"' for name, value in labels.items() if value)
    return f"{{{told}}}" if told else ""
