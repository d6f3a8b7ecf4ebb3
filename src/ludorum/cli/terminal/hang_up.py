"""Ends a screen with its terminal, also where the signal for that is ignored (`nohup`, some wrappers)."""

from __future__ import annotations

import select
import sys
from typing import Any

from textual.app import App

SECONDS_BETWEEN_LOOKS = 1.0


def is_hung_up(descriptor: int) -> bool:
    """Whether a descriptor has no more input because its terminal is closed."""
    looks = select.poll()
    looks.register(descriptor, 0)
    return any(event & (select.POLLHUP | select.POLLERR | select.POLLNVAL) for _, event in looks.poll(0))


def end_with_terminal(app: App[Any]) -> None:
    """Exit the app when its terminal is gone; its driver would read the end of input without pause."""

    def look() -> None:
        if is_hung_up(sys.__stdin__.fileno()):  # type: ignore[union-attr]
            app.exit()

    if not app.is_headless:
        app.set_interval(SECONDS_BETWEEN_LOOKS, look)
