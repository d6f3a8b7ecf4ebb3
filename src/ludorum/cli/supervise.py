"""Supervision of a verb: limits on its time and memory, and Ctrl-C, hold whatever it is busy with.

Rules are foreign text and may explode in any part of the program: in the grounder, in a kernel, in a loop of
Python. So the command goes on in a child process, and its first process only watches. When the time of the
verb is over and it has not ended by itself, when all of its processes together hold too much memory, or when
it does not react to Ctrl-C, they are all killed and one message says why. Linux only; elsewhere a verb runs
without supervision.
"""

from __future__ import annotations

import json
import math
import os
import signal
import struct
import sys
import threading
import time
from typing import Any, NoReturn

from ..processes.descendants import (
    adopt_orphans,
    die_with_parent,
    end_descendants,
    tree_megabytes,
    tree_seconds,
)
from ..processes.free_memory import free_megabytes

try:
    import termios
except ImportError:  # not on Windows, where no verb is supervised
    termios = None  # type: ignore[assignment]

NO, INTERRUPTED = 1, 130
GRACE_SECONDS, GRACE_SHARE = 0.6, 0.01
"""How long after its time a verb may still print its findings; and a share of its time. With the start of
Python and the end of all processes a command takes one to two seconds longer than its limit."""
FAIR_SHARE = 0.5
"""The share of its time that a verb has a processor on a machine that is not busy."""
BUSY_SHARE = 4
"""How many times as long it may take on a machine so busy that it has not had this share of a processor."""
DEAF_SECONDS = 3.0
"""How long after Ctrl-C a verb may take to end by itself; a second Ctrl-C ends it at once."""
PARTING_SECONDS = 5.0
"""How long the system may take to end killed processes."""
TIDYING_SECONDS = 1.0
"""How long a verb may take to end after its answer: memory and processes are freed faster by force."""
POLL_SECONDS = 0.1
MEMORY_SHARE = 0.75
"""The share of the free memory at the start that a command may take."""
MEMORY_VARIABLE = "LUDORUM_MEGABYTES"
"""Environment variable with the megabytes that a command may take instead."""

_LIMIT = struct.Struct("di")
_ANSWERED = -1.0
"""Sent instead of seconds: the verb has printed its answer, and ends with this exit code."""
_told: int | None = None
"""In the child, the connection over which it tells its time limit."""
_terminal: list[Any] | None = None
"""The settings of the terminal at the start."""


def supervise() -> None:
    """Go on in a child process. Returns only there; this process ends as the child does, or ends it."""
    global _told, _terminal
    if not sys.platform.startswith("linux") or threading.active_count() > 1:
        return
    own = os.getpid()
    _terminal = termios.tcgetattr(0) if os.isatty(0) else None
    watch = _Watch(_megabytes())
    receiver, sender = os.pipe()
    watched = {signal.SIGINT, signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    child = os.fork()
    if child:
        os.close(sender)
        os.set_blocking(receiver, False)
        adopt_orphans()
        watch.end_as(child, receiver, watched)
    os.close(receiver)
    die_with_parent(own)
    signal.signal(signal.SIGINT, _interrupt_once)
    sys.unraisablehook = _interrupt_again
    signal.pthread_sigmask(signal.SIG_SETMASK, before)
    _told = sender


def limit_seconds(seconds: float | None, code: int = NO) -> None:
    """Set the time that this verb may take from now on, None for no limit.

    ``code`` is the exit code where it takes longer. Does nothing without supervision.
    """
    if _told is not None:
        os.write(_told, _LIMIT.pack(math.inf if seconds is None else seconds, code))


def answered(code: int) -> None:
    """Say that this verb has printed its whole answer: from now on no message is added to it."""
    if _told is not None:
        os.write(_told, _LIMIT.pack(_ANSWERED, code))


class _Watch:
    """The state of the child, as the supervising process knows it."""

    def __init__(self, megabytes: float) -> None:
        self.megabytes = megabytes
        self.started = time.monotonic()
        self.seconds = math.inf
        self.code = NO
        self.interrupted = math.inf
        self.answered = math.inf
        """When the verb had printed its answer."""
        self.spent = 0.0
        """Processor seconds of the verb before its time began."""
        self.spent_in_time: float | None = None
        """The same when its time was over; None before."""

    def end_as(self, child: int, receiver: int, watched: set[signal.Signals]) -> NoReturn:
        while True:
            info = signal.sigtimedwait(watched, POLL_SECONDS)
            if info is not None and info.si_signo == signal.SIGINT:
                if self.interrupted < math.inf:
                    _end(INTERRUPTED, "stopped")
                self.interrupted = time.monotonic()
                if info.si_code <= 0:  # sent to this process; a terminal sends it to both
                    os.kill(child, signal.SIGINT)
            pid, status = os.waitpid(child, os.WNOHANG)
            if pid:
                self._end_after(os.waitstatus_to_exitcode(status))
            self._hear(receiver, child)
            self._keep_limits(child)

    def _hear(self, receiver: int, child: int) -> None:
        try:
            while data := os.read(receiver, _LIMIT.size):
                seconds, self.code = _LIMIT.unpack(data)
                if seconds == _ANSWERED:
                    self.answered = time.monotonic()
                    continue
                self.seconds = seconds
                self.started, self.spent = time.monotonic(), tree_seconds(child)
                self.spent_in_time = None
        except BlockingIOError:
            pass

    def _keep_limits(self, child: int) -> None:
        now = time.monotonic()
        if self.answered < math.inf:
            if now - self.answered > TIDYING_SECONDS:
                _end(self.code)
            return
        if now - self.interrupted > DEAF_SECONDS:
            _end(INTERRUPTED, "stopped")
        if self._is_late(child, now - self.started):
            _end(self.code, f"no answer within {self.seconds:g} s; more --seconds may do")
        if tree_megabytes(child) > self.megabytes:
            _end(
                NO,
                f"this needs more than {self.megabytes:.0f} MB of memory; "
                f"the environment variable {MEMORY_VARIABLE} allows more",
            )

    def _is_late(self, child: int, waited: float) -> bool:
        """Whether the verb has had its time and its grace, of the clock and a fair share of a processor."""
        if waited <= self.seconds:
            return False
        spent = tree_seconds(child)
        if self.spent_in_time is None:
            self.spent_in_time = spent
        grace = self.seconds * GRACE_SHARE + GRACE_SECONDS
        most = self.seconds + grace
        had_its_share = (
            spent - self.spent > FAIR_SHARE * most and spent - self.spent_in_time > FAIR_SHARE * grace
        )
        return waited > most and (had_its_share or waited > BUSY_SHARE * most)

    def _end_after(self, code: int) -> NoReturn:
        """End as the child has ended, with every process that it has left behind."""
        end_descendants(PARTING_SECONDS)
        if self.interrupted < math.inf and code < 0:
            _say("stopped")
        if self.interrupted < math.inf and code <= NO and code:
            os._exit(INTERRUPTED)
        if code >= 0:
            os._exit(code)
        how = signal.Signals(-code).name
        perhaps = ", perhaps by the system for want of memory" if -code == signal.SIGKILL else ""
        _say(f"error: the command was ended by {how}{perhaps}")
        os._exit(128 - code)


def _end(code: int, message: str = "") -> NoReturn:
    end_descendants(PARTING_SECONDS)
    _leave_screen()
    if message:
        _say(message if code == INTERRUPTED else f"error: {message}")
    os._exit(code)


def _leave_screen() -> None:
    """Restore the terminal, in case the verb has drawn on the whole of it."""
    if _terminal is not None and termios.tcgetattr(0) != _terminal:
        termios.tcsetattr(0, termios.TCSANOW, _terminal)
        sys.stdout.write("\x1b[?1049l\x1b[?25h")  # the usual screen, with a cursor
        sys.stdout.flush()


def _say(message: str) -> None:
    """Print a message: for people on the error stream; for programs as the verb would."""
    if "--json" in sys.argv and message.startswith("error: "):
        print(json.dumps({"error": message.removeprefix("error: ")}, indent=2), flush=True)
    else:
        print(message, file=sys.stderr, flush=True)


def _interrupt_once(number: int, frame: object) -> None:
    """KeyboardInterrupt for the first SIGINT: one Ctrl-C may come from the terminal and from a program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interrupt_again(swallowed: sys.UnraisableHookArgs) -> None:
    """Repeat an interrupt within a callback, where Python ignores exceptions, a moment later."""
    if swallowed.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(swallowed)
        return
    signal.signal(signal.SIGINT, _interrupt_once)
    threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()


def _megabytes() -> float:
    """The memory that a command may take."""
    told = os.environ.get(MEMORY_VARIABLE, "")
    if told:
        try:
            return max(50.0, float(told))
        except ValueError:
            _say(f"error: {MEMORY_VARIABLE} is {told!r}, and should be a number of megabytes")
            os._exit(2)
    return MEMORY_SHARE * free_megabytes()
