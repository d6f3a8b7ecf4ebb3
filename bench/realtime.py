"""Measures realtime matches: whether a hundred ticks a second are kept, with players at addresses.

    python bench/realtime.py --players 8 --seconds 60 [--stalled 1] [--flooding 1] [--json FILE]

The players listen in a process of their own, on this machine; one in a hundred signals of the clock is
answered by a move. Stalled players never answer, flooding ones post moves without pause. Reported are how
late each signal was, at the host and at the players that do neither, signals that were lost or told as one,
the memory of the host, and whether the record gives the same states on a counted clock.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path

from ludorum.arena.protocol.client import Address
from ludorum.arena.protocol.invitations import parse_invitations
from ludorum.arena.protocol.messages import Start
from ludorum.arena.protocol.realtime_messages import (
    ClockSignal,
    Happened,
    OwnMove,
    format_realtime,
    parse_realtime,
)
from ludorum.arena.protocol.server import HttpServer
from ludorum.arena.protocol.wire import Request, WireError
from ludorum.arena.world import RealtimeMatch, read_record, replay
from ludorum.arena.world.hosting import RealtimeHosting
from ludorum.arena.world.move_inlet import MOVES_TO
from ludorum.arena.world.realtime_match import Told
from ludorum.arena.world.stream import MessageStream
from ludorum.engine.wdl_master import MasterState, WdlMaster
from ludorum.experiments.machine import describe_machine
from ludorum.processes.descendants import resident_megabytes
from ludorum.rules.source import Source
from ludorum.rules.terms import Term
from ludorum.rules.wdl.sheet import read_wdl

SHARES = (0.5, 0.9, 0.99, 0.999, 1.0)
STEPS = (0.001, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 1.0)
"""Bounds of the histogram, in seconds."""
EACH = 100
"""Signals of the clock between two moves of a player."""
SETTLED = 5.0
"""Seconds after which the memory of the host is measured for the first time, or a tenth of the match."""
PARTING_SECONDS = 60.0
"""How long players may take, on a busy machine, to hear the rest."""
MOVE = Term("push")
LONGEST_LINE = 1 << 28
"""Bytes of what the players have heard."""


def rules_for(players: int) -> str:
    """A game in which a token goes round; each push hands it on, and nothing ends it."""
    roles = [f"p{number}" for number in range(players)]
    after = zip(roles, [*roles[1:], roles[0]], strict=True)
    return "\n".join([
        "(set realtime)",
        *(f"(role {role})" for role in roles),
        *(f"(after {one} {other})" for one, other in after),
        f"(init (at {roles[0]}))",
        "(<= (legal ?p push) (role ?p))",
        "(<= pushed (does ?_p push))",
        "(<= (next (at ?q)) (true (at ?p)) pushed (after ?p ?q))",
        "(<= (next (at ?p)) (true (at ?p)) (not pushed))",
        "(<= terminal (true (at nobody)))",
        "(<= (goal ?p 50) (role ?p))",
    ])  # fmt: skip


# -- the players, in a process of their own --------------------------------------------------------------


@dataclass
class Heard:
    """What one player has heard, and when."""

    kind: str
    clocks: list[tuple[int, float]] = field(default_factory=list)
    moves: int = 0


class BenchPlayer:
    """Answers signals of the clock, or stalls, or floods."""

    def __init__(self, number: int, kind: str) -> None:
        self.heard = Heard(kind)
        self.http = HttpServer(self._answer)
        self._next = number * 7 % EACH
        self._flood: asyncio.Task[None] | None = None

    async def _answer(self, request: Request, writer: asyncio.StreamWriter) -> str:
        message = parse_realtime(request.message)
        if isinstance(message, Start):
            if self.heard.kind == "flooding":
                self._flood = asyncio.create_task(self._post(message, request.headers[MOVES_TO.lower()]))
            return "ready"
        if self.heard.kind == "stalled":
            await asyncio.sleep(3600)
        if isinstance(message, Happened):
            self.heard.moves += 1
        if isinstance(message, ClockSignal):
            self.heard.clocks.append((message.number, time.monotonic()))
            if message.number >= self._next:
                self._next += EACH
                return str(MOVE)
        return "nil"

    async def _post(self, start: Start, moves_to: str) -> None:
        port, _, path = moves_to.partition("/")
        stream = MessageStream(Address("127.0.0.1", int(port)), {}, path=f"/{path}")
        text = format_realtime(OwnMove(start.match_id, start.role, MOVE))
        with suppress(OSError, WireError):
            while True:
                await stream.tell(text)

    async def close(self) -> None:
        if self._flood is not None:
            self._flood.cancel()
        await self.http.close()


async def play(kinds: Sequence[str]) -> None:
    """Listen, print where, and print what was heard as soon as a line comes in."""
    players = [BenchPlayer(number, kind) for number, kind in enumerate(kinds)]
    print(json.dumps([await player.http.open() for player in players]), flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    for player in players:
        await player.close()
    print(json.dumps([asdict(player.heard) for player in players]), flush=True)


# -- the host --------------------------------------------------------------------------------------------


@dataclass
class Measured:
    """What was measured of a match."""

    ticks: int
    """Signals of the clock in the record."""
    at_host: list[float]
    """Seconds that each was late when it was made …"""
    at_players: list[float]
    """… and when an ordinary player had it."""
    missing: int
    """Signals that ordinary players were never told, alone or with others."""
    joined: int
    """Signals that ordinary players were told together with a later one."""
    moves: int
    untold: int
    """Moves that an ordinary player was not told."""
    megabytes: tuple[float, float]
    """Memory of the host, when the match had settled and at its end."""
    same_states: bool
    """Whether a counted clock gives the same states."""
    troubles: list[str]


async def measure(kinds: Sequence[str], seconds: float, seed: int = 1) -> Measured:
    """A match between players of these kinds."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, "--play", ",".join(kinds)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        ports = json.loads(await process.stdout.readline())
        sheet, _ = read_wdl(Source("token", rules_for(len(kinds))))
        match = RealtimeMatch(WdlMaster(sheet), "bench", seed, 10, seconds)
        addresses = ",".join(f"http://127.0.0.1:{port}" for port in ports)
        hosting = RealtimeHosting(match, parse_invitations(addresses))
        watch = Watch(match, min(SETTLED, seconds / 10))
        hosting.controller.on_event = watch.note
        hosting.controller.parting_seconds = PARTING_SECONDS
        troubles = await hosting.play()
        process.stdin.write(b"end\n")
        heard = [Heard(**one) for one in json.loads(await process.stdout.readline())]
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    ordinary = [one for one in heard if one.kind == "ordinary"]
    last = match.state.clock
    begin = watch.begin
    return Measured(
        last,
        watch.late,
        [when - begin - number / 100 for one in ordinary for number, when in one.clocks],
        sum(last - max((number for number, _ in one.clocks), default=0) for one in ordinary),
        sum(max((number for number, _ in one.clocks), default=0) - len(one.clocks) for one in ordinary),
        watch.moves,
        sum(watch.moves - one.moves for one in ordinary),
        (watch.megabytes, own_megabytes()),
        watch.are_states_counted(),
        [f"{role}: {text}" for role, text in troubles.items()],
    )


class Watch:
    """Sees every event at the host."""

    def __init__(self, match: RealtimeMatch, settled: float) -> None:
        self.moves = 0
        self.megabytes = 0.0
        self.begin = 0.0
        self._match = match
        self._settled = settled
        self._began: list[float] = []
        """When the match would have begun, had each signal been in time."""
        self._states: list[MasterState] = []

    def note(self, told: Told) -> None:
        now = time.monotonic()
        first = next(iter(told.values()))
        if isinstance(first, ClockSignal):
            # The earliest signal tells when the match has begun, since none comes before it is due.
            self.begin = min(self.begin or now, now - first.number / 100)
            self._began.append(now - first.number / 100)
            if not self.megabytes and first.number >= self._settled * 100:
                self.megabytes = own_megabytes()
        if isinstance(first, Happened):
            self.moves += 1
            self._states.append(self._match.state)

    @property
    def late(self) -> list[float]:
        """Seconds that each signal was late."""
        return [one - self.begin for one in self._began]

    def are_states_counted(self) -> bool:
        record = read_record(f"{line}\n" for line in self._match.record.lines())
        found = list(replay(record, self._match.master))
        wanted = iter(found)
        return found[-1] == self._match.state and all(state in wanted for state in self._states)


def own_megabytes() -> float:
    return resident_megabytes(os.getpid())


# -- the report ------------------------------------------------------------------------------------------


def share_of(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def histogram(values: Sequence[float]) -> dict[str, int]:
    """How many values are below each bound, and not below the one before."""
    found, below = {}, 0
    for bound in STEPS:
        count = sum(value < bound for value in values)
        found[f"< {bound * 1000:g} ms"] = count - below
        below = count
    return {**found, "more": len(values) - below}


def report(measured: Measured) -> dict[str, object]:
    lateness = {"host": measured.at_host, "players": measured.at_players}
    return {
        "ticks": measured.ticks, "missing": measured.missing, "joined": measured.joined,
        "moves": measured.moves, "untold moves": measured.untold, "same states": measured.same_states,
        "megabytes": [round(one, 1) for one in measured.megabytes], "troubles": measured.troubles,
        "late ms": {
            where: {f"{share:.1%}": round(share_of(values, share) * 1000, 2) for share in SHARES}
            for where, values in lateness.items()
        },
        "histogram": {where: histogram(values) for where, values in lateness.items()},
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--players", type=int, default=8)
    parser.add_argument("--stalled", type=int, default=0, help="of them, never answer")
    parser.add_argument("--flooding", type=int, default=0, help="of them, post moves without pause")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--play", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play:
        asyncio.run(play(given.play.split(",")))
        return
    ordinary = given.players - given.stalled - given.flooding
    kinds = ["ordinary"] * ordinary + ["stalled"] * given.stalled + ["flooding"] * given.flooding
    found = report(asyncio.run(measure(kinds, given.seconds)))
    found |= {"players": kinds, "seconds": given.seconds, "date": str(date.today())}
    found["machine"] = describe_machine()
    text = json.dumps(found, indent=2)
    print(text)
    if given.json:
        given.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
