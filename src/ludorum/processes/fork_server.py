"""One warm process from which others are forked: importing what they need takes seconds each time.

The warm process is an interpreter of its own that imports a module, has no threads and runs no foreign code.
For each order it forks a supervisor, which forks the process that does the work (``process_tree``). It ends
with the program that has started it.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import weakref
from contextlib import suppress
from typing import NoReturn

from .process_tree import ProcessTree, supervise

_ORDER = struct.Struct("d100s")
"""The megabytes that a process and everything it starts may hold, and a module to be imported before; two
sockets come with it."""
_WARM = b"w"
_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from ludorum.processes.fork_server import serve_orders; "
    "serve_orders({control}, {module!r})"
)


class ForkServer:
    """Starts processes that run ``serve`` of a module; its ``warm_up`` has run before, once for all.

    Where the module has ``IDLE_SECONDS``, a warm process ends when it has had no order for so long, and the
    next order starts another.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self.starts = 0
        """Warm processes so far: one, unless some were killed."""
        self._lock = threading.Lock()
        self._waiting = threading.Lock()
        """Held while a thread waits until it is warm: that is told once, and a second would never wake."""
        self._warm = False
        self._launch()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_warm(self) -> None:
        """Wait until a process can be started without delay; OSError where the module cannot be imported."""
        with self._waiting:
            if not self._warm and self._control.recv(1) != _WARM:
                raise OSError(f"no process could be made ready for {self.module}")
            self._warm = True

    def start(self, megabytes: float, module: str = "") -> ProcessTree:
        """Start a process; where the warm one is not ready yet it begins as soon as that is. Never waits.

        ``module`` may name a module of ours that the process is going to need: the warm one imports it first.
        """
        order = _ORDER.pack(megabytes, module.encode())
        work, theirs = socket.socketpair()
        life, supervised = socket.socketpair()
        with self._lock, theirs, supervised:
            fds = [theirs.fileno(), supervised.fileno()]
            try:
                socket.send_fds(self._control, [order], fds)
            except OSError:  # it was killed
                self._close()
                self._launch()
                socket.send_fds(self._control, [order], fds)
        return ProcessTree(work, life)

    def close(self) -> None:
        """Start nothing more; processes under way go on."""
        with self._lock:
            self._close()

    def leave_to_parent(self) -> None:
        """Forget the warm process without ending it: in a fork it belongs to the parent."""
        self._end.detach()
        self._control.close()

    def _launch(self) -> None:
        self._control, theirs = socket.socketpair()
        program = _PROGRAM.format(path=sys.path, control=theirs.fileno(), module=self.module)
        # Threads of a linear algebra library would not survive a fork.
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                env=environment,
            )
        self.starts += 1
        self._warm = False
        self._end = weakref.finalize(self, _end, self._control, self._process)

    def _close(self) -> None:
        self._end()


def _end(control: socket.socket, process: subprocess.Popen[bytes]) -> None:
    control.close()
    process.kill()  # it holds nothing, and the processes it has started do not need it
    process.wait()


_servers: dict[str, ForkServer] = {}
_making = threading.Lock()


def fork_server(module: str) -> ForkServer:
    """The fork server of this program for a module, started by the first call."""
    with _making:
        if module not in _servers:
            _servers[module] = ForkServer(module)
        return _servers[module]


def _leave_to_parent() -> None:
    global _making
    _making = threading.Lock()
    for server in _servers.values():
        server.leave_to_parent()
    _servers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


# -- in the warm process ------------------------------------------------------------------------------------


def serve_orders(control: int, module: str) -> NoReturn:
    orders = socket.socket(fileno=control)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    served = importlib.import_module(module)
    served.warm_up()
    _keep_shared()
    orders.settimeout(getattr(served, "IDLE_SECONDS", None))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system reaps supervisors that have ended
    with suppress(OSError):
        orders.send(_WARM)
    while True:
        order = b""
        with suppress(
            OSError
        ):  # idle for too long; or the program ended before it read that this one is warm
            order, fds, _, _ = socket.recv_fds(orders, _ORDER.size, 2)
        if not order:
            os._exit(0)
        work, life = fds
        megabytes, needed = _ORDER.unpack(order)
        _import_ours(needed.rstrip(b"\0").decode())
        with suppress(OSError):  # no more processes can be had: the caller sees the end of the sockets
            if os.fork() == 0:
                orders.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                supervise(work, life, megabytes, served.serve)
        os.close(work)
        os.close(life)


def _import_ours(module: str) -> None:
    """Import a module of this package unless it is imported; foreign code never runs in the warm process."""
    if module.startswith("ludorum.") and module not in sys.modules:
        with suppress(Exception):  # the forked process imports it again, and fails with the reason
            importlib.import_module(module)
        _keep_shared()


def _keep_shared() -> None:
    """Take all objects out of garbage collection, so that forks keep sharing their memory."""
    gc.collect()
    gc.freeze()
