"""One warm process from which others are forked: to import what they need again and again takes seconds.

The warm process is an interpreter of its own that imports a module, has no threads and runs nothing that came
from anybody else. For each order it forks a supervisor, which forks the process that does the work
(``process_tree``). It ends when those who have started it end.
"""

from __future__ import annotations

import gc
import importlib
import os
import select
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

_ORDER = struct.Struct("d")
"""The megabytes that a process and everything it starts may hold; two sockets come with it."""
_WARM = b"w"
_PROGRAM = (
    "import sys; sys.path[:] = {path!r}; from ludorum.processes.fork_server import serve_orders; "
    "serve_orders({control}, {module!r})"
)


class ForkServer:
    """Starts processes that run ``serve`` of a module; its ``warm_up`` has run before, once for all."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.starts = 0
        """Warm processes so far: one, unless some were killed."""
        self._lock = threading.Lock()
        self._warm = False
        self._launch()

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_warm(self) -> None:
        """Wait until a process can be had without delay; OSError where the module cannot be imported."""
        while not self._warm:
            select.select([self._control], [], [])
            with self._lock:
                if not self._warm and self._control.recv(1) != _WARM:
                    raise OSError(f"no process could be made ready for {self.module}")
                self._warm = True

    def start(self, megabytes: float) -> ProcessTree:
        """A process; where the warm one is not ready yet it begins as soon as that is. Never waits."""
        work, theirs = socket.socketpair()
        life, supervised = socket.socketpair()
        with self._lock, theirs, supervised:
            fds = [theirs.fileno(), supervised.fileno()]
            try:
                socket.send_fds(self._control, [_ORDER.pack(megabytes)], fds)
            except OSError:  # it was killed
                self._close()
                self._launch()
                socket.send_fds(self._control, [_ORDER.pack(megabytes)], fds)
        return ProcessTree(work, life)

    def close(self) -> None:
        """Start nothing more; processes under way go on."""
        with self._lock:
            self._close()

    def _launch(self) -> None:
        self._control, theirs = socket.socketpair()
        program = _PROGRAM.format(path=sys.path, control=theirs.fileno(), module=self.module)
        # Threads of a linear algebra library would not live on in a fork.
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
    process.kill()  # it holds nothing, and what it has started does not need it
    process.wait()


_servers: dict[str, ForkServer] = {}
_making = threading.Lock()


def fork_server(module: str) -> ForkServer:
    """The fork server of this program for a module, started by the first who asks."""
    with _making:
        if module not in _servers:
            _servers[module] = ForkServer(module)
        return _servers[module]


# -- in the warm process ------------------------------------------------------------------------------------


def serve_orders(control: int, module: str) -> NoReturn:
    orders = socket.socket(fileno=control)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    served = importlib.import_module(module)
    served.warm_up()
    gc.collect()
    gc.freeze()  # what is there now is never looked at again, so that forks go on sharing it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the system lets go of supervisors that have ended
    with suppress(OSError):
        orders.send(_WARM)
    while True:
        order, fds, _, _ = socket.recv_fds(orders, _ORDER.size, 2)
        if not order:
            os._exit(0)
        work, life = fds
        with suppress(OSError):  # no more processes can be had: who has asked sees the end of the sockets
            if os.fork() == 0:
                orders.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                supervise(work, life, _ORDER.unpack(order)[0], served.serve)
        os.close(work)
        os.close(life)
