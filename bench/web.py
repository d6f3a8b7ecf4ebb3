"""Measures the web application: many people who click at once, each in a match against a player.

    python bench/web.py --matches 200 --seconds 120

A server is started in a process of its own. Every person is a guest with a websocket, waits a moment before
each move, and begins another match where one is over. Reported are the time until a move is acknowledged
(thinking of players is not in it), lost moves and stuck matches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

API = "/api/v1"
PAUSES = (0.5, 3.0)
"""Seconds that a person looks at a position."""
PATIENCE = 60.0
"""Seconds without any view after which a match counts as stuck."""


@dataclass
class Found:
    """What was measured."""

    acknowledged: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    over: int = 0
    stuck: int = 0
    lost: int = 0


async def play(address: str, arguments: argparse.Namespace, found: Found, until: float) -> None:
    """One person, until the time is over."""
    async with httpx.AsyncClient(base_url=address + API, timeout=PATIENCE) as http:
        csrf = (await http.get("/me")).json()["csrf"]
        while time.monotonic() < until:
            roles = (await http.get(f"/games/{arguments.game}")).json()["roles"]
            seats = dict.fromkeys(roles, f"player:{arguments.player}") | {roles[0]: "me"}
            body = {"game": arguments.game, "seats": seats, "think": arguments.think}
            made = await http.post("/matches", json=body, headers={"X-CSRF-Token": csrf})
            made.raise_for_status()
            match = made.json()["id"]
            cookie = "; ".join(f"{name}={value}" for name, value in http.cookies.items())
            own = await sit(address, match, cookie, found, until)
            kept = (await http.get(f"/matches/{match}")).json()["step"]
            found.lost += own > kept


async def sit(address: str, match: str, cookie: str, found: Found, until: float) -> int:
    """Click through one match; returns the last step of a move that was acknowledged, plus one."""
    where = address.replace("http:", "ws:") + f"{API}/matches/{match}/live"
    acknowledged = 0
    async with connect(where, additional_headers={"Cookie": cookie}) as socket:
        asked: tuple[int, float] | None = None
        while time.monotonic() < until:
            try:
                message: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
            except TimeoutError:
                found.stuck += 1
                return acknowledged
            if message["type"] == "ack" and asked is not None:
                found.acknowledged.append(time.perf_counter() - asked[1])
                acknowledged, asked = asked[0] + 1, None
            elif message["type"] == "refused":
                found.refused.append(message["why"])
                asked = None
            elif message["type"] == "view":
                view = message["view"]
                if view["result"] is not None or view["phase"] in ("over", "resigned", "stuck"):
                    found.over += 1
                    return acknowledged
                if view["phase"] == "choice" and asked is None:
                    await asyncio.sleep(random.uniform(*PAUSES))
                    asked = (view["step"], time.perf_counter())
                    move = random.choice(view["choices"])["move"]
                    told = {"type": "move", "id": 1, "step": view["step"], "move": move}
                    await socket.send(json.dumps(told))
    return acknowledged


async def measure(address: str, arguments: argparse.Namespace) -> Found:
    found = Found()
    until = time.monotonic() + arguments.seconds
    people = [play(address, arguments, found, until) for _ in range(arguments.matches)]
    for one in await asyncio.gather(*people, return_exceptions=True):
        if isinstance(one, BaseException):
            found.refused.append(repr(one))
    return found


def report(found: Found, arguments: argparse.Namespace) -> str:
    times = sorted(found.acknowledged)
    if not times:
        return "no move was acknowledged: " + "; ".join(found.refused[:5])
    shares = {
        share: times[min(len(times) - 1, int(share * len(times)))] * 1000 for share in (0.5, 0.95, 0.99)
    }
    lines = [
        f"{arguments.matches} people at {arguments.game} against {arguments.player}, {arguments.seconds:g} s",
        f"moves acknowledged: {len(times)}, {len(times) / arguments.seconds:.0f} a second",
        f"matches over: {found.over}",
        "milliseconds to the acknowledgement: "
        + ", ".join(f"{share:.0%} {value:.0f}" for share, value in shares.items())
        + f", most {times[-1] * 1000:.0f}",
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [
            str(Path(sys.executable).with_name("ludorum")),
            "serve",
            "--json",
            "--no-limits",
            "--port",
            "0",
        ]
        command += ["--database", f"{folder}/web.db", "--workers-ai", str(arguments.workers)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            print(report(asyncio.run(measure(address, arguments)), arguments))
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
