"""``ludorum serve``: addresses, ports, signals, and what is left after ``kill -9``."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from typer.main import get_command
from websockets.exceptions import ConnectionClosed

from ludorum.cli.app import app
from ludorum.web.serving import PortTaken, address_of, listen
from tests.arena.protocol.player_process import player_process
from tests.corpus_location import ROOT
from tests.web.served import PATIENCE, Page, Person

BOTH = {"game": "connect_four", "seats": {"red": "me", "yellow": "me"}, "seed": 7}


class Served:
    """A server in a process of its own."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-c", "from ludorum.cli import main; main()", "serve", "--json", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.process.stderr and self.process.stderr.read()
        self.said = json.loads(line)
        self.address: str = self.said["address"]

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        self.process.communicate()
        return code


@contextmanager
def serving(*options: str) -> Iterator[Served]:
    server = Served(*options)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def test_every_option_is_explained_by_help_and_in_the_guide() -> None:
    guide = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
    options = get_command(app).commands["serve"].params  # type: ignore[attr-defined]
    assert len(options) >= 14
    for option in options:
        assert option.help, option.name
        assert any(f"`{name}" in guide for name in (*option.opts, *option.secondary_opts)), option.name


def test_a_free_port_is_taken_where_none_is_asked_for() -> None:
    with listen("127.0.0.1", 0, True) as first:
        port = first.getsockname()[1]
        with listen("127.0.0.1", port, False) as second:
            assert second.getsockname()[1] != port
        with pytest.raises(PortTaken, match=f"port {port} is taken"):
            listen("127.0.0.1", port, True)


def test_an_address_that_is_not_of_this_machine_is_refused() -> None:
    with pytest.raises(OSError, match=r"cannot listen at 192\.0\.2\.1"):
        listen("192.0.2.1", 0, True)


def test_an_address_for_all_machines_is_shown_as_one_that_browsers_open() -> None:
    with listen("0.0.0.0", 0, True) as listener:
        assert address_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"
    if socket.has_ipv6:
        with listen("::1", 0, True) as listener:
            assert address_of(listener).startswith("http://[::1]:")


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_without_an_error(tmp_path: Path, how: signal.Signals) -> None:
    path = str(tmp_path / "web.db")
    with serving("--port", "0", "--database", path) as server, Person(server.address) as ann:
        assert server.said == {"event": "listening", "address": server.address, "database": path}
        with ann.watch(ann.post("/matches", BOTH, 201)["id"]) as page:
            page.view()
            assert server.end(how) == 0
            assert page.close_code() == 1012


@pytest.mark.long
def test_every_acknowledged_move_is_there_after_kill_nine(tmp_path: Path) -> None:
    """Moves are made as fast as they are acknowledged until the server is killed in the middle of one."""
    path = str(tmp_path / "web.db")
    acknowledged: dict[str, list[str]] = {}
    with serving("--port", "0", "--database", path, "--no-limits") as server, Person(server.address) as ann:
        matches = [ann.post("/matches", BOTH | {"seed": seed}, 201)["id"] for seed in range(3)]
        pages = {match: ann.watch(match) for match in matches}
        for match in matches:
            acknowledged[match] = []
        for number in range(11):
            for match, page in pages.items():
                page.view(step=number)
                acknowledged[match].append(page.move())
        view = pages[matches[0]].view(step=11)
        unanswered = view["choices"][0]["move"]
        message = {"type": "move", "id": "last", "step": 11, "move": unanswered}
        pages[matches[0]].connection.send(json.dumps(message))
        children = _children(server.process.pid)
        server.end(signal.SIGKILL)
        for page in pages.values():
            with pytest.raises(ConnectionClosed):
                _drain(page)
        cookies = ann.http.cookies
    assert children
    with serving("--port", "0", "--database", path) as server, Person(server.address) as ann:
        ann.http.cookies = cookies
        for match in matches:
            record = ann.get(f"/matches/{match}/record")
            kept = [" ".join(sorted(set(joint) - {"noop"})) for joint in record["moves"]]
            count = len(acknowledged[match])
            assert kept[:count] == acknowledged[match]
            assert kept[count:] in ([], [unanswered])
            with ann.watch(match) as page:
                view = page.view(phase="choice")
                assert view["step"] == len(kept)
                page.move()
        assert server.end() == 0


@pytest.mark.long
def test_a_player_elsewhere_plays_on_after_kill_nine(tmp_path: Path) -> None:
    """It is in the match when the server is killed, and is started again: it has room for one match only."""
    options = ("--port", "0", "--database", str(tmp_path / "web.db"), "--allow-remote", "127.0.0.1")
    with player_process("--as", "legal") as far:
        with serving(*options) as server, Person(server.address) as ann:
            ann.sign_up("ann")
            ann.post("/remotes", {"name": "Far", "url": far.url}, 201)
            seats = {"xplayer": "me", "oplayer": "player:remote:Far"}
            body = {"game": "tictactoe", "seats": seats, "think": 1, "seed": 7}
            match = ann.post("/matches", body, 201)["id"]
            with ann.watch(match) as page:
                page.view(phase="choice")
                page.move(8)
                page.view(step=2)
            server.end(signal.SIGKILL)
            cookies = ann.http.cookies
        with serving(*options) as server, Person(server.address) as ann:
            ann.http.cookies = cookies
            with ann.watch(match) as page:
                for step in (2, 4):
                    page.view(step=step)
                    page.move(-1)
                view = page.view(how="rules")
            assert server.end() == 0
    assert view["result"] == {"xplayer": 100, "oplayer": 0}
    assert view["notes"] == []


@pytest.mark.long
def test_a_taken_port_and_a_wrong_database_are_told_in_one_line(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0, True) as taken:
        done = _run("--port", str(taken.getsockname()[1]), "--database", str(tmp_path / "web.db"))
        assert done.returncode == 2
        assert "is taken" in done.stderr
    text = tmp_path / "text.db"
    text.write_text("this is a text, not a database" * 100)
    done = _run("--port", "0", "--database", str(text))
    assert done.returncode == 2
    assert "not a database" in done.stderr
    done = _run("--port", "0", "--allow-origin", "example.org", "--database", str(tmp_path / "web.db"))
    assert done.returncode == 2
    assert "write https://example.org" in done.stderr


@pytest.mark.long
def test_without_a_database_the_data_folder_has_it(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path)}
    command = [sys.executable, "-c", "from ludorum.cli import main; main()", "serve"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    address = line.split()[3]
    assert httpx.get(address + "/healthz", timeout=PATIENCE).json()["status"] == "ok"
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert (tmp_path / "ludorum" / "web.db").is_file()
    assert str(tmp_path / "ludorum" / "web.db") in line


def _drain(page: Page) -> None:
    while True:
        page.receive()


def _run(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from ludorum.cli import main; main()", "serve", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def _children(process: int) -> list[str]:
    done = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False
    )
    return done.stdout.split()
