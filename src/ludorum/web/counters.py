"""Counters of a server, and their text for Prometheus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

_NO_NAME = re.compile(r"[^a-zA-Z0-9_]")


class Counters:
    """What has happened since the server began."""

    def __init__(self) -> None:
        self.answers: Counter[str] = Counter()
        """Answers by the first digit of their status: ``2xx``."""
        self.events: Counter[str] = Counter()

    def text(self, gauges: Mapping[str, float]) -> str:
        """All counters, and numbers of now, in the text format of Prometheus."""
        lines = ["# TYPE ludorum_http_answers_total counter"]
        lines += [
            f'ludorum_http_answers_total{{status="{status}"}} {count}'
            for status, count in sorted(self.answers.items())
        ]
        for name, count in sorted(self.events.items()):
            lines += [f"# TYPE ludorum_{name}_total counter", f"ludorum_{name}_total {count}"]
        for name, value in sorted(gauges.items()):
            plain = _NO_NAME.sub("_", name)
            lines += [f"# TYPE ludorum_{plain} gauge", f"ludorum_{plain} {value:g}"]
        return "\n".join(lines) + "\n"
