"""Run a function where it can be killed: in a process of its own, on a clock and a memory allowance.

clingo cannot be interrupted while it grounds, and a sheet that explodes takes all memory within seconds. Such
work runs in a child process; when its time or memory is spent the child is killed and the caller gets a
``ChildLimitError`` that says which limit it was.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from enum import Enum
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from .descendants import die_with_parent, own_processor_seconds, resident_megabytes
from .forked import ForkedProcess
from .process_tree import describe_exit
from .spawn import SpawnedProcess

try:
    import resource
except ImportError:  # not on Windows: there only the clock is kept
    resource = None  # type: ignore[assignment]

Result = TypeVar("Result")
Process: TypeAlias = BaseProcess | ForkedProcess | SpawnedProcess

POLL_SECONDS = 0.02
"""Pause between checks of the child's memory: a fast grounder grows by some 20 MB in that time."""

SPARE_SECONDS = 5
"""Processor seconds that a child without a parent may go on beyond its limit."""


_sender: Connection | None = None
"""In the child, the connection to its parent."""

_forked_seconds = 0.0
"""Processor seconds of all work done by children of the warm process, which are not ours."""
_counting = threading.Lock()


class Limit(Enum):
    TIME = "time"
    MEMORY = "memory"
    CRASH = "crash"
    STOPPED = "stopped"


class _Message(Enum):
    """The messages of a child."""

    STAGE_ENDED = "the first part of the work is done"
    NEWS = "something on the way to the answer"
    ANSWER = "what the function returned"
    FAILURE = "the exception it ended with"


class ChildLimitError(Exception):
    """The child was stopped: no time, no memory, no longer wanted; or it died of another cause."""

    def __init__(self, limit: Limit, message: str) -> None:
        super().__init__(message)
        self.limit = limit

    def __reduce__(self) -> tuple[type[ChildLimitError], tuple[Limit, str]]:
        return (ChildLimitError, (self.limit, str(self)))


def run_limited(
    function: Callable[..., Result],
    args: tuple[Any, ...] = (),
    seconds: float = 60.0,
    megabytes: float = 6000.0,
    *,
    processor_time: bool = False,
    first_seconds: float | None = None,
    stop: threading.Event | None = None,
    on_news: Callable[[Any], None] | None = None,
) -> Result:
    """What ``function(*args)`` returns, computed in a child process; ChildLimitError when a limit is hit.

    Exceptions of the function come back as they are. ``seconds`` are wall-clock seconds, or seconds of the
    child's processor if ``processor_time``; the function must call ``end_stage`` within ``first_seconds`` if
    they are given. ``stop`` ends the work as soon as it is set; ``on_news`` is called with what the function
    passes to ``tell``. The child never outlives the call.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = _make_process(sender, (function, args, seconds, megabytes))
    watch = None
    try:
        _start(process)
        sender.close()
        watch = _Watch(process, receiver, megabytes, processor_time, stop)
        limit = seconds if first_seconds is None else first_seconds
        kind, value = watch.message(limit)
        while kind in (_Message.STAGE_ENDED, _Message.NEWS):
            if kind is _Message.STAGE_ENDED:
                limit = seconds
            elif on_news is not None:
                on_news(value)
            kind, value = watch.message(limit)
    finally:
        receiver.close()
        if watch is not None and isinstance(process, ForkedProcess):
            _count(watch.processor_seconds())
        if process.pid is not None:
            process.kill()
            process.join()
            process.close()
    if kind is _Message.ANSWER:
        return value  # type: ignore[no-any-return]
    if isinstance(value, MemoryError):
        raise ChildLimitError(Limit.MEMORY, _memory_message(megabytes))
    raise value


def end_stage() -> None:
    """Called by a function in the child: the stage of ``first_seconds`` is done. Does nothing elsewhere."""
    if _sender is not None:
        _sender.send((_Message.STAGE_ENDED, None, time.process_time()))


def tell(news: object) -> None:
    """Called by a function in the child: pass news to the caller. Does nothing elsewhere."""
    if _sender is not None:
        _sender.send((_Message.NEWS, news, time.process_time()))


def children_seconds() -> float:
    """Processor seconds of all ended children of this process; wall-clock seconds where none are counted."""
    if resource is None:
        return time.monotonic()
    return _forked_seconds + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def _count(seconds: float) -> None:
    global _forked_seconds
    with _counting:
        _forked_seconds += seconds


def peak_megabytes() -> float:
    """The most memory this process has held so far; 0 where the system does not count it."""
    if resource is None:
        return 0.0
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def _make_process(sender: Connection, work: tuple[Any, ...]) -> Process:
    """A fork of this process where that is safe, else of a warm one; a new process on other systems than
    Linux.

    Libraries of macOS do not survive a fork.
    """
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn").Process(target=_child, args=(sender, *work), daemon=True)
    if not sys.platform.startswith("linux"):
        return SpawnedProcess(sender, _child, work)
    if threading.active_count() == 1:
        args = (sender, *work, os.getpid())
        return multiprocessing.get_context("fork").Process(target=_child, args=args, daemon=True)
    return ForkedProcess(sender, _child, work, module=work[0].__module__)


def _start(process: Process) -> None:
    with warnings.catch_warnings():
        # Python 3.12 warns of any native thread; idle threads of a linear algebra library do no harm here.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()


class _Watch:
    """Waits for a child's messages, and enforces the child's limits meanwhile."""

    def __init__(
        self,
        process: Process,
        receiver: Connection,
        megabytes: float,
        processor_time: bool,
        stop: threading.Event | None,
    ) -> None:
        assert process.pid is not None
        self.process = process
        self.pid = process.pid
        self.receiver = receiver
        self.megabytes = megabytes
        self.processor_time = processor_time
        self.stop = stop
        self.started = time.monotonic()
        self.baseline = resident_megabytes(self.pid)
        self.last_seconds = 0.0
        """Processor seconds at the child's last message."""

    def message(self, seconds: float) -> tuple[_Message, Any]:
        """The next message; ChildLimitError if there is none until so many seconds after the start."""
        # A child that dies closes its end of the pipe: that is a message too.
        while not wait([self.receiver], timeout=POLL_SECONDS):
            if self.stop is not None and self.stop.is_set():
                raise ChildLimitError(Limit.STOPPED, "was stopped")
            if resident_megabytes(self.pid) - self.baseline > self.megabytes:
                raise ChildLimitError(Limit.MEMORY, _memory_message(self.megabytes))
            if self._used() > seconds:
                raise ChildLimitError(Limit.TIME, f"took more than {seconds:g} s")
        try:
            kind, value, self.last_seconds = self.receiver.recv()
        except EOFError:
            self.process.join()
            raise death_of(_last_words(self.process), seconds, self.megabytes) from None
        return kind, value

    def processor_seconds(self) -> float:
        """Processor seconds, as far as is known: a child that has died has not told its last ones."""
        return max(self.last_seconds, own_processor_seconds(self.pid))

    def _used(self) -> float:
        return self.processor_seconds() if self.processor_time else time.monotonic() - self.started


def _last_words(process: Process) -> str:
    if isinstance(process, ForkedProcess):
        return process.death
    assert process.exitcode is not None
    return describe_exit(process.exitcode)


def death_of(death: str, seconds: float, megabytes: float) -> ChildLimitError:
    """The error for the end of a child that was not killed here."""
    if death == describe_exit(-signal.SIGXCPU):
        return ChildLimitError(Limit.TIME, f"took more than {seconds:g} s")
    if death == describe_exit(-signal.SIGKILL):  # mostly it is the system, when memory runs out
        return ChildLimitError(Limit.MEMORY, "was killed: by the system, for want of memory, or by a user")
    return ChildLimitError(Limit.CRASH, f"the process {death}")


def _memory_message(megabytes: float) -> str:
    return f"needed more than {megabytes:g} MB"


def _child(
    sender: Connection,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    seconds: float,
    megabytes: float,
    parent: int | None = None,
) -> None:
    global _sender
    _sender = sender
    if parent is not None:
        die_with_parent(parent)
    # Ctrl-C reaches the whole group of processes; only the parent handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()  # short-lived, and it keeps what it makes: collecting would only cost time
    limit_self(seconds, megabytes)
    try:
        kind, value = _Message.ANSWER, function(*args)
    except Exception as error:
        kind, value = _Message.FAILURE, error
    try:
        sender.send((kind, value, time.process_time()))
    except MemoryError as error:
        sender.send((_Message.FAILURE, error, time.process_time()))
    sender.close()
    # Nothing of this process is needed any more: tearing down a large heap can take longer than the work.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def limit_self(seconds: float, megabytes: float) -> None:
    """Set hard limits for the system to enforce, wider than the watched ones, should the parent die first."""
    if resource is None or not sys.platform.startswith("linux"):
        return
    _lower(resource.RLIMIT_CPU, int(seconds) + SPARE_SECONDS)
    _lower(resource.RLIMIT_AS, _address_space_bytes() + int(megabytes * 1.25e6) + (256 << 20))


def _lower(which: int, amount: int) -> None:
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))


def _address_space_bytes() -> int:
    """The address space of this process; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0
