"""An object in a process of its own that is asked again and again, and killed when it must be.

``session`` runs one function; here the other process stays, so that its objects serve the next question. A
question has a clock and a memory allowance. Every failure is one ``ChildLimitError``, and the next question
finds a fresh process that has been told the opening again.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from enum import Enum
from multiprocessing.connection import Connection, wait
from typing import Any

from .descendants import resident_megabytes
from .process_tree import describe_exit
from .session import POLL_SECONDS, ChildLimitError, Limit, death_of, limit_self
from .spawn import SpawnedProcess

PATIENCE = 3600
"""Processor seconds after which a forgotten child ends by itself."""


class _Kind(Enum):
    NEWS = "something on the way to the answer"
    ANSWER = "what the method returned"
    FAILURE = "the exception it ended with"


class Service:
    """One object in another process. Its methods get a function ``tell`` first, which sends news."""

    def __init__(self, make: Callable[[], object], megabytes: float = 2000.0) -> None:
        self.megabytes = megabytes
        self.starts = 0
        """Processes that were started so far: one, unless some had to be killed."""
        self._make = make
        self._opening: tuple[str, tuple[Any, ...]] | None = None
        self._process: SpawnedProcess | None = None
        self._connection: Connection | None = None
        self._owner = os.getpid()
        self._questions = 0
        self._baseline = 0.0
        self._ending = threading.Lock()
        _living.add(self)

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def open(self, method: str, *args: object) -> None:
        """Set a call that every process makes first; its answer is ignored."""
        self._opening = (method, args)
        self._leave_to_parent()
        if self._process is not None:
            with suppress(ChildLimitError):  # it has died meanwhile: the next one is told
                self._send(method, args)

    def ask(
        self,
        method: str,
        *args: object,
        seconds: float,
        stop: threading.Event | None = None,
        on_news: Callable[[Any], None] | None = None,
    ) -> Any:
        """The answer of a method; ChildLimitError where it is late or stopped, or where the process dies."""
        deadline = time.monotonic() + seconds
        self._ensure()
        question = self._send(method, args)
        while True:
            kind, number, value = self._receive(deadline, seconds, stop)
            if number != question and kind is not _Kind.FAILURE:
                continue  # the rest of an earlier question, or of the opening
            if kind is _Kind.NEWS:
                if on_news is not None:
                    on_news(value)
            elif kind is _Kind.ANSWER:
                return value
            elif isinstance(value, MemoryError):
                self.kill()
                raise ChildLimitError(Limit.MEMORY, f"needed more than {self.megabytes:g} MB")
            else:
                raise value

    def kill(self) -> None:
        """End the process now; the next question starts another."""
        with self._ending:  # of two threads that end it at once, the second must not close its successor
            process, connection = self._process, self._connection
            self._process = self._connection = None
        if connection is not None:
            with suppress(OSError):  # another thread has closed it: it is gone all the same
                connection.close()
        if process is not None and self._owner == os.getpid():
            process.kill()  # its keeper does the rest, which takes a while where it was large

    def _leave_to_parent(self) -> None:
        """In a fork, drop the other process: it belongs to the parent, which would get our answers."""
        if self._owner != os.getpid():
            self._process = self._connection = None
            self._owner = os.getpid()

    def _ensure(self) -> None:
        self._leave_to_parent()
        if self._process is not None:
            return
        ours, theirs = multiprocessing.Pipe(duplex=True)
        process = SpawnedProcess(theirs, _serve, (self._make, self.megabytes), duplex=True)
        _Keeper(process).begin()
        theirs.close()
        self.starts += 1
        self._process, self._connection = process, ours
        assert process.pid is not None
        self._baseline = resident_megabytes(process.pid)
        if self._opening is not None:
            self._send(*self._opening)

    def _send(self, method: str, args: tuple[Any, ...]) -> int:
        assert self._connection is not None
        self._questions += 1
        try:
            self._connection.send((self._questions, method, args))
        except OSError:
            self._raise_death(0.0)
        return self._questions

    def _receive(
        self, deadline: float, seconds: float, stop: threading.Event | None
    ) -> tuple[_Kind, int, Any]:
        assert self._connection is not None
        assert self.pid is not None
        while not wait([self._connection], timeout=POLL_SECONDS):
            if stop is not None and stop.is_set():
                self._give_up(Limit.STOPPED, "was stopped")
            if time.monotonic() > deadline:
                self._give_up(Limit.TIME, f"took more than {seconds:g} s")
            if resident_megabytes(self.pid) - self._baseline > self.megabytes:
                self._give_up(Limit.MEMORY, f"needed more than {self.megabytes:g} MB")
        try:
            return self._connection.recv()  # type: ignore[no-any-return]
        except (EOFError, OSError):
            self._raise_death(seconds)
            raise  # not reached

    def _give_up(self, limit: Limit, text: str) -> None:
        self.kill()
        raise ChildLimitError(limit, text)

    def _raise_death(self, seconds: float) -> None:
        assert self._process is not None
        self._process.join()
        code = self._process.exitcode
        assert code is not None
        self.kill()
        raise death_of(describe_exit(code), seconds, self.megabytes) from None


def _serve(connection: Connection, make: Callable[[], object], megabytes: float) -> None:
    """The loop of the other process, until the connection ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    limit_self(PATIENCE, megabytes)
    served = make()
    while True:
        try:
            number, method, args = connection.recv()
        except (EOFError, OSError):
            break

        def tell(value: object, number: int = number) -> None:
            connection.send((_Kind.NEWS, number, value))

        try:
            answer = (_Kind.ANSWER, number, getattr(served, method)(tell, *args))
        except Exception as error:
            answer = (_Kind.FAILURE, number, error)
        connection.send(answer)
    sys.stdout.flush()
    os._exit(0)


class _Keeper(threading.Thread):
    """Starts a process and stays until it is gone.

    Linux ends such a child with the *thread* that started it, and threads of players come and go.
    """

    def __init__(self, process: SpawnedProcess) -> None:
        super().__init__(name="keeps a service", daemon=True)
        self._process = process
        self._ready = threading.Event()
        self._error: OSError | None = None

    def begin(self) -> None:
        self.start()
        self._ready.wait()
        if self._error is not None:
            raise self._error

    def run(self) -> None:
        try:
            self._process.start()
        except OSError as error:
            self._error = error
        self._ready.set()
        self._process.join()


_living: weakref.WeakSet[Service] = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    for service in list(_living):
        service.kill()
