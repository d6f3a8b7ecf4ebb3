"""Measures the web application: many people who click at once, each in a match against a player.

    python bench/web.py --matches 200 --seconds 120 [--json FILE] [--kill 60]

A server is started in a process of its own. Every person is a guest with a websocket, waits a moment before
each move, and begins another match where one is over. Reported are the time until a move is acknowledged
(thinking of players is not in it), lost moves and stuck matches; the same time as the server measures it,
from the message to the acknowledgement; how late the event loops of both wake; and processor seconds. All
people share this process and the machine with the server, so their own lateness is part of what they wait.
With ``--kill`` the server and its processes are killed (-9) after so many seconds, and started again at the
same address: people connect again, and every move that was acknowledged must be there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from ludorum.experiments.machine import describe_machine
from ludorum.processes.descendants import own_processor_seconds, tree_seconds

API = "/api/v1"
PAUSES = (0.5, 3.0)
"""Seconds that a person looks at a position."""
PATIENCE = 60.0
"""Seconds without any view after which a match counts as stuck."""
AWAY_SECONDS = 0.5
"""How long people wait for a server that is not there before they try again."""
LOOK_SECONDS = 0.05
"""How often it is measured how late the event loop of the people wakes."""
PART_SECONDS = 10.0
SHARES = (0.5, 0.95, 0.99, 1.0)
IDLE = httpx.Limits(keepalive_expiry=2.0)
"""Idle connections are given up before the server, which waits five seconds, can do so at the same time."""
TLS = ssl.create_default_context()
"""One for all people, although none needs it: to make one takes forty milliseconds of the processor."""


@dataclass
class Found:
    """What was measured."""

    acknowledged: list[float] = field(default_factory=list)
    """Seconds until the acknowledgement of each move …"""
    moments: list[float] = field(default_factory=list)
    """… and when it came."""
    refused: list[str] = field(default_factory=list)
    over: int = 0
    stuck: int = 0
    lost: int = 0
    reconnected: int = 0
    """How often a person came back after a connection was lost."""
    late: list[float] = field(default_factory=list)
    """How much later the event loop of the people woke than it was asked to."""
    metrics: str = ""
    """What the server told of itself at the end."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Processor seconds of the people, the server and its processes."""
    load: list[float] = field(default_factory=list)
    """The load of the machine before and after."""


async def play(address: str, arguments: argparse.Namespace, found: Found, until: float) -> None:
    """One person, until the time is over."""
    async with httpx.AsyncClient(base_url=address + API, timeout=PATIENCE, verify=TLS, limits=IDLE) as http:
        csrf = (await http.get("/me")).json()["csrf"]
        while time.monotonic() < until:
            roles = (await answered(http, "GET", f"/games/{arguments.game}")).json()["roles"]
            seats = dict.fromkeys(roles, f"player:{arguments.player}") | {roles[0]: "me"}
            body = {"game": arguments.game, "seats": seats, "think": arguments.think}
            made = await answered(http, "POST", "/matches", json=body, headers={"X-CSRF-Token": csrf})
            made.raise_for_status()
            match = made.json()["id"]
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            own = await sit(address, match, cookie, found, until)
            kept = (await answered(http, "GET", f"/matches/{match}")).json()["step"]
            found.lost += own > kept


async def answered(http: httpx.AsyncClient, method: str, path: str, **more: Any) -> httpx.Response:
    """The answer to a request, which is sent again while the server is not there."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await http.request(method, path, **more)
        except httpx.TransportError:
            if time.monotonic() > until:
                raise
            await asyncio.sleep(AWAY_SECONDS)


async def sit(address: str, match: str, cookie: str, found: Found, until: float) -> int:
    """Click through one match; returns the last step of a move that was acknowledged, plus one."""
    where = address.replace("http:", "ws:") + f"{API}/matches/{match}/live"
    acknowledged, is_lost = [0], False
    while time.monotonic() < until:
        try:
            async with connect(where, additional_headers={"Cookie": cookie}) as socket:
                found.reconnected += is_lost
                is_lost = False
                await click_through(socket, acknowledged, found, until)
            break
        except (OSError, WebSocketException):
            is_lost = True
            await asyncio.sleep(AWAY_SECONDS)
    return acknowledged[-1]


async def click_through(
    socket: ClientConnection, acknowledged: list[int], found: Found, until: float
) -> None:
    """Click as long as the connection and the match last; adds what was acknowledged to the list."""
    asked: tuple[int, float] | None = None
    while time.monotonic() < until:
        try:
            message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        except TimeoutError:
            found.stuck += 1
            return
        if message["type"] == "ack" and asked is not None:
            found.moments.append(time.perf_counter())
            found.acknowledged.append(found.moments[-1] - asked[1])
            acknowledged.append(asked[0] + 1)
            asked = None
        elif message["type"] == "refused":
            found.refused.append(message["why"])
            asked = None
        elif message["type"] == "view":
            view = message["view"]
            if view["result"] is not None or view["phase"] in ("over", "resigned", "stuck"):
                found.over += 1
                return
            if view["phase"] == "choice" and asked is None:
                await asyncio.sleep(random.uniform(*PAUSES))
                asked = (view["step"], time.perf_counter())
                move = random.choice(view["choices"])["move"]
                told = {"type": "move", "id": 1, "step": view["step"], "move": move}
                await socket.send(json.dumps(told))


class BenchServer:
    """A server that can be killed and started again at the same address."""

    def __init__(self, options: Sequence[str]) -> None:
        self._options = options
        self._port = "0"
        self.start()

    def start(self) -> None:
        """Returns when requests are answered."""
        command = [str(Path(sys.executable).with_name("ludorum")), "serve", "--json", "--no-limits"]
        command += ["--port", self._port, *self._options]
        # A group of its own: its processes are killed with it.
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        assert self.process.stdout is not None
        self.address: str = json.loads(self.process.stdout.readline())["address"]
        self._port = self.address.rpartition(":")[2]

    def kill(self) -> None:
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


async def kill_in_the_middle(server: BenchServer, seconds: float) -> None:
    await asyncio.sleep(seconds)
    server.kill()
    await asyncio.to_thread(server.start)


async def measure(server: BenchServer, arguments: argparse.Namespace) -> Found:
    """Let all people play."""
    address, first = server.address, server.process.pid
    found = Found(load=[os.getloadavg()[0]])
    before = processor_seconds(first)
    until = time.monotonic() + arguments.seconds
    late = asyncio.create_task(watch_loop(found.late))
    if arguments.kill is not None:
        killing = asyncio.create_task(kill_in_the_middle(server, arguments.kill))
    people = [play(address, arguments, found, until) for _ in range(arguments.matches)]
    for one in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(one, BaseException):
            found.refused.append(repr(one))
    late.cancel()
    if arguments.kill is None:
        found.seconds = {name: value - before[name] for name, value in processor_seconds(first).items()}
    else:  # two servers have shared the work
        await killing
    found.load.append(os.getloadavg()[0])
    with suppress(httpx.HTTPError):
        found.metrics = httpx.get(f"{address}/metrics", verify=TLS).text
    return found


async def watch_loop(late: list[float]) -> None:
    while True:
        due = time.perf_counter() + LOOK_SECONDS
        await asyncio.sleep(LOOK_SECONDS)
        late.append(time.perf_counter() - due)


def processor_seconds(server: int) -> dict[str, float]:
    own = own_processor_seconds(server)
    return {
        "people": own_processor_seconds(os.getpid()),
        "server": own,
        "its processes": tree_seconds(server) - own,
    }


def shares_of(times: Sequence[float]) -> dict[str, float]:
    """Milliseconds that shares of some times do not exceed."""
    if not times:
        return {}
    ordered = sorted(times)
    last = len(ordered) - 1
    return {
        f"{share:.0%}": round(1000 * ordered[min(last, int(share * len(ordered)))], 1) for share in SHARES
    }


def by_parts(found: Found) -> list[float | None]:
    """Milliseconds that 95 % of the moves do not exceed, in each ten seconds; all come in the first."""
    parts: dict[int, list[float]] = defaultdict(list)
    for moment, seconds in zip(found.moments, found.acknowledged, strict=True):
        parts[int((moment - found.moments[0]) / PART_SECONDS)].append(seconds)
    return [shares_of(parts[part]).get("95%") for part in range(max(parts, default=-1) + 1)]


def bounds_of(metrics: str, name: str) -> dict[str, float | None]:
    """Milliseconds that shares of a histogram of all processes do not exceed: ends of its buckets."""
    counts: Counter[str] = Counter()
    for bound, count in re.findall(rf'^{name}_bucket{{le="([^"]+)"[^}}]*}} (\d+)$', metrics, re.MULTILINE):
        counts[bound] += int(count)
    found = {}
    for share in SHARES[:-1]:
        enough = share * counts["+Inf"]
        bound = next((le for le, count in counts.items() if count >= enough), "+Inf")
        found[f"{share:.0%}"] = None if bound == "+Inf" else 1000 * float(bound)
    return found


def result(found: Found, arguments: argparse.Namespace) -> dict[str, Any]:
    """What was measured, for a file."""
    moves = len(found.acknowledged)
    return {
        "date": date.today().isoformat(),
        "machine": describe_machine(),
        "load": [round(load, 2) for load in found.load],
        "people": arguments.matches,
        "game": arguments.game,
        "player": arguments.player,
        "seconds": arguments.seconds,
        "moves": moves,
        "matches_over": found.over,
        "milliseconds": shares_of(found.acknowledged),
        "milliseconds_95%_by_ten_seconds": by_parts(found),
        "milliseconds_late_people": shares_of(found.late),
        "milliseconds_server_at_most": bounds_of(found.metrics, "ludorum_move_seconds"),
        "milliseconds_late_server_at_most": bounds_of(found.metrics, "ludorum_loop_late_seconds"),
        "processor_seconds": {name: round(value, 2) for name, value in found.seconds.items()},
        "killed_after": arguments.kill,
        "reconnected": found.reconnected,
        "lost": found.lost,
        "stuck": found.stuck,
        "refused": len(found.refused),
    }


def report(found: Found, arguments: argparse.Namespace) -> str:
    """What was measured, for people."""
    told = result(found, arguments)
    moves = told["moves"]
    if not moves:
        return "no move was acknowledged: " + "; ".join(found.refused[:5])

    def listed(name: str) -> str:
        return ", ".join(
            f"{share} {'more' if value is None else format(value, '.0f')}"
            for share, value in told[name].items()
        )

    processor = ", ".join(
        f"{name} {value:.1f} s ({1000 * value / moves:.1f} ms a move)"
        for name, value in found.seconds.items()
    )
    lines = [
        f"{arguments.matches} people at {arguments.game} against {arguments.player}, {arguments.seconds:g} s",
        f"moves acknowledged: {moves}, {moves / arguments.seconds:.0f} a second",
        f"matches over: {found.over}",
        f"milliseconds to the acknowledgement: {listed('milliseconds')}",
        "95% in each ten seconds: "
        + ", ".join("none" if ms is None else f"{ms:.0f}" for ms in told["milliseconds_95%_by_ten_seconds"]),
        f"milliseconds that the people wake late: {listed('milliseconds_late_people')}",
        f"milliseconds in the server, at most: {listed('milliseconds_server_at_most')}",
        f"milliseconds that the server wakes late, at most: {listed('milliseconds_late_server_at_most')}",
        f"processor: {processor}",
        f"load of the machine: {found.load[0]:.1f} before, {found.load[1]:.1f} after",
        f"connections that were lost and made again: {found.reconnected}",
        f"lost moves: {found.lost}; stuck matches: {found.stuck}; refusals and errors: {len(found.refused)}",
    ]
    return "\n".join(lines + sorted(set(found.refused))[:5])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--game", default="connect_four")
    parser.add_argument("--player", default="mcts")
    parser.add_argument("--think", type=float, default=0.1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--database", default="", help="without it an SQLite file that is removed")
    parser.add_argument("--processes", type=int, default=1, help="processes that answer; for PostgreSQL")
    parser.add_argument(
        "--kill", type=float, help="kill -9 the server after so many seconds, and start it again"
    )
    parser.add_argument("--json", type=Path, help="a file for the result")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options = ["--database", arguments.database or f"{folder}/web.db"]
        options += ["--workers-ai", str(arguments.workers), "--processes", str(arguments.processes)]
        server = BenchServer(options)
        try:
            found = asyncio.run(measure(server, arguments))
            print(report(found, arguments))
            if arguments.json is not None:
                arguments.json.write_text(json.dumps(result(found, arguments), indent=1) + "\n")
        finally:
            server.process.terminate()
            server.process.wait(30)


if __name__ == "__main__":
    main()
