"""Progress of long work: a bar with per cent and time left, on the error stream of a terminal.

Nothing is shown in pipes or with ``--json``. The bar is drawn when the work reports, without a thread of its
own: some work forks processes, and a fork beside a thread copies its locks.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

REFRESH_SECONDS = 0.1
LEAST_SECONDS = 0.5
"""Work that ends sooner shows no bar."""


class Bar:
    """A progress bar: called with how much is done, and of how much where that was not known before."""

    def __init__(self, what: str, total: float | None = None, seconds: float | None = None) -> None:
        """``total`` is how much of ``what`` there is; without one the bar shows the time, of ``seconds``."""
        self._what = what
        self._total = total
        self._seconds = seconds
        self._begin = self._drawn = time.monotonic()
        self._bar: Progress | None = None

    def __call__(self, done: float, total: float | None = None) -> None:
        self._total = total or self._total
        of = f" of {self._total:,.0f}" if self._total else ""
        self.tell(f"{done:,.0f}{of} {self._what}", done)

    def tell(self, text: object, done: float = 0) -> None:
        """Show progress in words."""
        now = time.monotonic()
        if now - self._drawn >= (REFRESH_SECONDS if self._bar else LEAST_SECONDS):
            self._drawn = now
            self._draw(str(text), done, now - self._begin)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Clear the line while other output is printed inside."""
        self.close()
        yield
        if self._bar is not None:
            self._bar.start()

    @contextmanager
    def drawn_by_thread(self) -> Iterator[None]:
        """Redraw the bar from a thread while the work inside reports nothing. Such work must not fork."""
        over = threading.Event()

        def draw() -> None:
            while not over.wait(REFRESH_SECONDS):
                self.tell(self._what)

        thread = threading.Thread(target=draw, name="progress", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def close(self) -> None:
        """Clear the line."""
        if self._bar is not None:
            self._bar.stop()

    def _draw(self, text: str, done: float, elapsed: float) -> None:
        total, completed = (self._total, done) if self._total else (self._seconds, elapsed)
        if self._bar is None:
            self._bar = _progress()
            self._bar.add_task(text, total=total, time="")
            self._bar.start()
        self._bar.update(
            self._bar.tasks[0].id,
            description=text,
            total=total,
            completed=completed,
            time=time_text(completed, total, elapsed),
            refresh=True,
        )


@contextmanager
def shown_progress(
    what: str, as_json: bool, *, total: float | None = None, seconds: float | None = None
) -> Iterator[Bar | None]:
    """A bar for the work inside; None in a pipe and for programs."""
    if as_json or not sys.stderr.isatty():
        yield None
        return
    bar = Bar(what, total, seconds)
    try:
        yield bar
    finally:
        bar.close()


def time_text(done: float, total: float | None, elapsed: float) -> str:
    """Per cent and time left where the end is known, else the time that has passed.

    >>> time_text(25, 100, 30), time_text(5, None, 75)
    (' 25 %, 1:30 left', '1:15 so far')
    """
    if not total:
        return f"{duration(elapsed)} so far"
    share = min(1.0, done / total)
    left = f", {duration(elapsed * (1 - share) / share)} left" if share else ""
    return f"{share * 100:3.0f} %{left}"


def duration(seconds: float) -> str:
    """Seconds as people say them: ``1:05``, or hours and minutes."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes}:{rest:02d}"


def _progress() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    return Progress(
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[time]}", markup=False, table_column=Column(no_wrap=True)),
        expand=True,
        console=Console(stderr=True),
        transient=True,
        auto_refresh=False,
        # Other output goes to its own stream, also where that is a file: see ``paused``.
        redirect_stdout=False,
        redirect_stderr=False,
    )
