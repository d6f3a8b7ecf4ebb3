"""A process that answers questions, from the side of the server: it can be hurried and killed at any time.

Questions and answers are JSON: nothing that such a process makes is ever executed here.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from ...processes import ProcessTree, fork_server
from .plan import Json

PROGRAM = "ludorum.web.live.child_process"
MOST_BYTES = 1 << 26
"""The longest answer that is read."""
LOOK_SECONDS = 0.25
"""How often a deadline is looked at that may come closer while an answer is awaited."""


class ChildError(Exception):
    """A question had no answer, since the process was too slow, too large or died; the text says how."""


class AnswerError(Exception):
    """The answer of the process is an error: rules or a player are at fault. ``kind`` is the error's type."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Child:
    """One process, asked by one thread at a time. After a ``ChildError`` it is gone."""

    def __init__(self, work: str, megabytes: float) -> None:
        """``work``: what the process answers, a name in ``child_process.WORK``."""
        self._tree: ProcessTree = fork_server(PROGRAM).start(megabytes)
        self._connection = Connection(os.dup(self._tree.work.fileno()))
        self._sending = threading.Lock()
        self._number = 0
        self._hurried_until: float | None = None
        self.is_alive = True
        self.pid: int | None = None
        """The process, as soon as it has answered."""
        self._send({"number": 0, "method": "work", "args": [work]})

    def ask(
        self,
        method: str,
        *args: Any,
        seconds: float,
        on_news: Callable[[Any], None] | None = None,
    ) -> Any:
        """The answer to a question. Blocks; ChildError where there is none in time, AnswerError where it is
        an error."""
        if not self.is_alive:  # it may be there for a moment yet, and would answer
            raise self._gone()
        self._number += 1
        self._hurried_until = None
        deadline = time.monotonic() + seconds
        self._send({"number": self._number, "method": method, "args": args})
        while True:
            answer = self._receive(deadline, seconds)
            self.pid = answer.get("pid", self.pid)
            if answer.get("number") != self._number:
                continue
            if "news" in answer:
                if on_news is not None:
                    on_news(answer["news"])
            elif "error" in answer:
                raise AnswerError(str(answer.get("type")), str(answer["error"]))
            else:
                return answer.get("value")

    def hurry(self, seconds: float) -> None:
        """Ask for the answer now; a process that has none after so many seconds is ended. From any thread."""
        self._hurried_until = time.monotonic() + seconds
        with suppress(ChildError):
            self._send({"method": "hurry"})

    def end(self) -> None:
        """End the process and everything it has started. From any thread."""
        self.is_alive = False
        self._tree.ask_to_end()

    def close(self) -> None:
        """End it, and release what leads to it; no question may be under way."""
        self.end()
        self._connection.close()
        self._tree.close()

    def _send(self, message: Json) -> None:
        data = json.dumps(message).encode()
        with self._sending:
            try:
                self._connection.send_bytes(data)
            except OSError:
                raise self._gone() from None

    def _receive(self, deadline: float, seconds: float) -> Json:
        while True:
            until = deadline if self._hurried_until is None else min(deadline, self._hurried_until)
            left = until - time.monotonic()
            ready = wait([self._connection, self._tree.fileno()], max(0.0, min(left, LOOK_SECONDS)))
            if self._connection in ready or (ready and self._connection.poll()):
                break
            if ready:
                raise self._gone()
            if left <= 0:
                self.end()
                raise ChildError(f"took more than {seconds:g} s")
        try:
            answer = json.loads(self._connection.recv_bytes(MOST_BYTES))
        except (EOFError, OSError):
            raise self._gone() from None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.end()
            raise ChildError("its process wrote something that is no answer")
        return answer

    def _gone(self) -> ChildError:
        death = self._tree.wait_for_death(2.0)
        self.end()
        return ChildError(f"its process {death}" if death else "its process was lost")
