"""``ludorum player`` as a process of its own, on free ports, for tests of whoever plays against it."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

COMMAND = [sys.executable, "-c", "from ludorum.cli import main; main()"]


@dataclass(frozen=True)
class RunningPlayer:
    process: subprocess.Popen[str]
    ports: list[int]
    events: queue.SimpleQueue[dict[str, object]]
    """What it has told since it listens."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.ports[0]}"

    def wait_for(self, kind: str, count: int = 1) -> None:
        """Until it has told of so many such events, of those nobody has asked for yet."""
        while count:
            count -= self.events.get(timeout=60)["event"] == kind


@contextmanager
def player_process(*options: str, seats: int = 1) -> Iterator[RunningPlayer]:
    """A player that is ended by SIGTERM, unless the test has killed it."""
    ports = [word for _ in range(seats) for word in ("--port", "0")]
    command = [*COMMAND, "player", "--json", *ports, *options]
    events: queue.SimpleQueue[dict[str, object]] = queue.SimpleQueue()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["event"] == "listening"
        reader = threading.Thread(target=_read, args=(process, events))
        reader.start()
        try:
            yield RunningPlayer(process, told["ports"], events)
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait(10)
            reader.join(10)
        assert code in (0, -signal.SIGKILL)


def _read(process: subprocess.Popen[str], events: queue.SimpleQueue[dict[str, object]]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        events.put(json.loads(line))
