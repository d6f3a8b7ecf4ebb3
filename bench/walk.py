"""A walk over the sheets of a corpus or of our library, each looked at in a process that can be killed.

Every line of the file of results is the JSON of one sheet. A later line about a sheet replaces an earlier
one, so a walk that was stopped goes on where it was, and one that is repeated only adds.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Any

from ludorum.processes.spawn import die_with_parent
from ludorum.rules.library import library_names

Row = dict[str, Any]
Look = Callable[[str], Row]
"""What is to be found out about a sheet, in a process of its own."""

LIBRARY = "library"


@dataclass(frozen=True)
class Limits:
    """What one sheet may take, and how many are looked at at once."""

    seconds: float
    """Of the clock on the wall, after which a process counts as hanging."""
    bytes: int
    """Address space of the process."""
    jobs: int = 1


def read_lines(path: Path) -> list[Row]:
    """All rows written so far."""
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


def read_rows(path: Path) -> dict[str, Row]:
    """The last row of each sheet."""
    return {row["sheet"]: row for row in read_lines(path)}


def sheet_names(corpus: str, only: Iterable[str] = ()) -> list[str]:
    """The sheets of a folder of folders of ``.kif`` files, or of ``library``; all, or those named."""
    if corpus == LIBRARY:
        found = list(library_names())
    else:
        found = sorted(str(path.relative_to(corpus)) for path in Path(corpus).glob("gdl*/*.kif"))
    wanted = set(only)
    return [name for name in found if not wanted or Path(name).stem in wanted]


def sheet_path(corpus: str, name: str) -> str:
    """What ``find_sheet`` wants to hear."""
    return name if corpus == LIBRARY else str(Path(corpus) / name)


def lost(reason: str) -> Row:
    """The row of a sheet whose process hung or died."""
    return {"failure": reason}


def walk(
    names: Iterable[str],
    look: Look,
    limits: Limits,
    file: Path,
    tell: Callable[[Row], str],
    lost: Callable[[str], Row] = lost,
) -> dict[str, Row]:
    """The rows of the sheets, each written and told as soon as it is there."""
    waiting = list(reversed(list(names)))
    running: list[_Sheet] = []
    rows: dict[str, Row] = {}
    try:
        while waiting or running:
            while waiting and len(running) < limits.jobs:
                running.append(_Sheet(waiting.pop(), look, limits))
            soonest = min(sheet.until for sheet in running) - time.monotonic()
            wait([sheet.receiver for sheet in running], timeout=max(0.0, soonest))
            for sheet in [each for each in running if each.is_over]:
                running.remove(sheet)
                row = sheet.end(lost)
                rows[sheet.name] = row
                print(tell(row), flush=True)
                with file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps(row) + "\n")
    finally:
        for sheet in running:
            sheet.end(lost)
    return rows


class _Sheet:
    """A process that looks at one sheet; a row comes of it whatever happens there."""

    def __init__(self, name: str, look: Look, limits: Limits) -> None:
        context = multiprocessing.get_context("fork")
        self.name = name
        self.receiver, sender = context.Pipe(duplex=False)
        self.process: ForkProcess = context.Process(
            target=_tell, args=(sender, name, look, limits.bytes, os.getpid())
        )
        self.process.start()
        sender.close()
        self.until = time.monotonic() + limits.seconds

    @property
    def is_over(self) -> bool:
        return self.receiver.poll() or time.monotonic() >= self.until

    def end(self, lost: Callable[[str], Row]) -> Row:
        """What came of it; the process and all it has started are gone."""
        try:
            row: Row = self.receiver.recv() if self.receiver.poll() else lost("hangs")
        except EOFError:
            row = lost("the process died")
        assert self.process.pid is not None
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()  # where it had no time to become the leader of a group
        self.process.join()
        self.receiver.close()
        return {"sheet": self.name, **row}


def _tell(sender: Connection, name: str, look: Look, memory: int, parent: int) -> None:
    os.setpgrp()
    die_with_parent(parent)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    sender.send(look(name))


def used_seconds() -> float:
    """Processor seconds of this process and its children so far."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
