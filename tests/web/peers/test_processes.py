"""Servers in processes of their own over one PostgreSQL: killed, stopped for a while, ended, several at one
port."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludorum.arena.records.store_address import address
from ludorum.cli.app import app
from ludorum.web.config import SiteConfig
from tests.web.served import PATIENCE, Page, Person, served, until
from tests.web.test_serve import Served, serving

FOUR = {"game": "connect_four", "seats": {"red": "me"}, "clock": {"base": 3600, "increment": 0}}
PLAYERS = {"game": "tictactoe", "seats": {"xplayer": "player:mcts", "oplayer": "player:mcts"}, "think": 1.0}


class Table:
    """Ann and Bob at connect four, each at an address of their own."""

    def __init__(self, stack: ExitStack, anns: str, bobs: str) -> None:
        self._stack = stack
        self.ann = stack.enter_context(Person(anns))
        self.bob = stack.enter_context(Person(bobs))
        made = self.ann.post("/matches", FOUR, 201)
        self.match: str = made["id"]
        token = made["links"]["yellow"].partition("seat=")[2]
        self.bob.post(f"/matches/{self.match}/seat", {"role": "yellow", "token": token})
        self.acknowledged: list[str] = []

    def play(self, moves: int, ann: Page, bob: Page) -> None:
        """Make some moves, which must all be acknowledged."""
        for _ in range(moves):
            step = len(self.acknowledged)
            page = ann if step % 2 == 0 else bob
            page.view(step=step, phase="choice")
            self.acknowledged.append(page.move())

    def come_back(self, person: Person) -> Page:
        """Connect as a page does: again and again until there is a view."""

        def look() -> Page | None:
            with suppress(ConnectionClosed, InvalidStatus, OSError):
                page = person.watch(self.match)
                page.view()
                return page
            return None

        page: Page = until(look, "a view after the reconnection")
        return self._stack.enter_context(page)

    def kept(self, person: Person) -> list[str]:
        """The moves of the record."""
        moves = person.get(f"/matches/{self.match}/record")["moves"]
        return [" ".join(sorted(set(joint) - {"noop"})) for joint in moves]


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def options(database: str) -> list[str]:
    return ["--port", "0", "--database", database, "--no-limits", "--workers-ai", "1"]


def asked(database: str, query: str) -> list[Any]:
    """The rows of a query."""
    engine = sa.create_engine(address(database))
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(sa.text(query))]
    engine.dispose()
    return found


def send(page: Page, step: int, move: str) -> None:
    """Send a move and wait for nothing."""
    page.connection.send(json.dumps({"type": "move", "id": "last", "step": step, "move": move}))


@pytest.mark.long
def test_another_process_goes_on_with_the_matches_of_one_that_was_killed(
    shared: str, stack: ExitStack
) -> None:
    """In the middle of a move: it is there if it was acknowledged, and else it may be there or not."""
    owner = stack.enter_context(serving(*options(shared)))
    other = stack.enter_context(served(SiteConfig(shared, is_limited=False)))
    table = Table(stack, owner.address, other)
    machines = table.ann.post("/matches", PLAYERS, 201)["id"]
    ann, bob = table.ann.watch(table.match), stack.enter_context(table.bob.watch(table.match))
    table.play(8, ann, bob)
    unanswered = ann.view(step=8)["choices"][0]["move"]
    send(ann, 8, unanswered)
    owner.end(signal.SIGKILL)
    assert bob.close_code() == 1012
    with Person(other) as moved:
        moved.http.cookies = table.ann.http.cookies
        ann, bob = table.come_back(moved), table.come_back(table.bob)
        kept = table.kept(moved)
        assert kept[:8] == table.acknowledged
        assert kept[8:] in ([], [unanswered])
        table.acknowledged = kept
        table.play(4, ann, bob)
        assert table.kept(moved) == table.acknowledged
        clocks = [role["clock"]["left"] for role in bob.last["roles"]]
        assert all(3600 - 2 * PATIENCE < left <= 3600 for left in clocks)
        # Nobody looks at this match: its players go on all the same.
        over = until(lambda: moved.get("/matches?state=over")["matches"], "the end of the players' match")
        assert [one["id"] for one in over] == [machines]


@pytest.mark.long
def test_a_process_that_slept_cannot_write_to_a_match_that_another_has_taken(
    shared: str, stack: ExitStack
) -> None:
    """A move waits for the process that sleeps, and another move is made meanwhile."""
    owner = stack.enter_context(serving(*options(shared)))
    other = stack.enter_context(served(SiteConfig(shared, is_limited=False)))
    table = Table(stack, owner.address, other)
    ann = stack.enter_context(table.ann.watch(table.match))
    view = ann.view(step=0, phase="choice")
    owner.process.send_signal(signal.SIGSTOP)
    try:
        late = view["choices"][0]["move"]
        send(ann, 0, late)
        with Person(other) as moved:
            moved.http.cookies = table.ann.http.cookies
            here, bob = table.come_back(moved), table.come_back(table.bob)
            made = here.view(step=0, phase="choice")["choices"][-1]["move"]
            assert made != late
            assert here.ask("move", step=0, move=made)["type"] == "ack"
            table.acknowledged = [made]
            table.play(1, here, bob)
    finally:
        owner.process.send_signal(signal.SIGCONT)
    answers = []
    with suppress(ConnectionClosed):
        while True:
            answers.append(ann.receive())
    assert [one["type"] for one in answers if one.get("id") == "last"] in ([], ["refused"])
    assert ann.connection.close_code == 1012
    again = table.come_back(table.ann)
    again.view(step=2)
    table.play(2, again, bob)
    assert table.kept(table.ann) == table.kept(table.bob) == table.acknowledged
    assert owner.end() == 0


@pytest.mark.long
def test_a_process_that_ends_hands_its_matches_over(shared: str, stack: ExitStack) -> None:
    owner = stack.enter_context(serving(*options(shared)))
    other = stack.enter_context(served(SiteConfig(shared, is_limited=False)))
    table = Table(stack, owner.address, other)
    with table.ann.watch(table.match) as ann, table.bob.watch(table.match) as bob:
        table.play(3, ann, bob)
        [(name,)] = asked(shared, f"SELECT server FROM web_owners WHERE match = '{table.match}'")
        assert owner.end(signal.SIGTERM) == 0
        assert (ann.close_code(), bob.close_code()) == (1012, 1012)
    # Nothing is left of it that the other would have to wait for.
    assert asked(shared, f"SELECT * FROM web_owners WHERE server = '{name}'") == []
    assert asked(shared, f"SELECT * FROM web_servers WHERE id = '{name}'") == []
    with Person(other) as moved:
        moved.http.cookies = table.ann.http.cookies
        table.play(2, table.come_back(moved), table.come_back(table.bob))
        assert table.kept(moved) == table.acknowledged


@pytest.mark.long
def test_several_processes_serve_at_one_port_and_are_replaced(shared: str, stack: ExitStack) -> None:
    server = stack.enter_context(serving(*options(shared), "--processes", "2"))
    table = Table(stack, server.address, server.address)
    ann, bob = (stack.enter_context(one.watch(table.match)) for one in (table.ann, table.bob))
    table.play(3, ann, bob)

    def names() -> set[str]:
        return {name for (name,) in asked(shared, "SELECT id FROM web_servers")}

    before = names()
    assert len(before) == 2
    killed = _children(server)
    assert len(killed) == 2
    for child in killed:  # one after the other, so that one of them was the owner
        os.kill(child, signal.SIGKILL)
        table.play(2, table.come_back(table.ann), table.come_back(table.bob))
        until(lambda: len(_children(server)) == 2, "a process in its place")
    assert table.kept(table.ann) == table.acknowledged
    until(lambda: _health(server)["processes"] == 2, "two that live")
    assert _health(server)["process"] not in before
    living = _children(server)
    assert server.end() == 0
    assert not any(os.path.exists(f"/proc/{child}") for child in living)
    assert names() == before  # those that were killed could not sign off


def test_several_processes_need_postgresql() -> None:
    told = CliRunner().invoke(app, ["serve", "--processes", "2", "--port", "0"])
    assert told.exit_code == 2
    assert "2 processes need PostgreSQL: name one by --database postgresql://" in told.output


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1"])
def test_an_address_at_which_nobody_can_call_this_machine_is_refused(host: str) -> None:
    told = CliRunner().invoke(app, ["serve", "--private-host", host, "--port", "0"])
    assert told.exit_code == 2
    assert host in told.output


def _children(server: Served) -> list[int]:
    """The processes that serve."""
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(server.process.pid)]
    lines = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if "spawn_main" in line]


def _health(server: Served) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(server.address + "/healthz", timeout=PATIENCE).json()
    return found
