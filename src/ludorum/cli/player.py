"""``ludorum player``: a GGP player that any host can reach."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from ..processes.free_memory import free_megabytes
from .common import (
    PONDER_HELP,
    STRONGEST,
    THREADS_HELP,
    JsonOption,
    SecretSeedOption,
    memory_option,
    player_option,
    readable_errors,
    show_log,
)

if TYPE_CHECKING:
    from ..arena.protocol import PlayerEvent, PlayerServer

MEMORY_SHARE = 0.75
"""The share of the free memory at the start that all matches together may take."""
TREE_SHARE = 0.4
"""The share of the memory of a match that a search tree may take: the rest is for rules and programs."""
MOST_TREE_MEGABYTES = 1000.0
"""The memory of a tree where there is plenty."""
LEAST_MEGABYTES, MOST_MEGABYTES = 500.0, 4000.0
"""The default memory of a match: less would end matches of ordinary games."""


def run(
    port: Annotated[
        list[int] | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help="port to listen on; again for more seats, 0 for any; 9147 by default, 4001 as asp",
        ),
    ] = None,
    who: Annotated[str, player_option("--as", "the player")] = STRONGEST,
    name: Annotated[str, typer.Option("--name", help="the name that hosts are told")] = "",
    host: Annotated[
        str, typer.Option("--host", help="address to listen at; 0.0.0.0 lets other machines in")
    ] = "127.0.0.1",
    matches: Annotated[int, typer.Option("--matches", min=1, help="matches at once on each port")] = 1,
    origin: Annotated[
        str,
        typer.Option(
            "--allow-origin",
            help="web pages that may be a host: https://example.org, or * for all; none by default",
        ),
    ] = "",
    memory: Annotated[
        float | None,
        memory_option(
            f"that a match and everything it starts may hold; without it {MOST_MEGABYTES:g}, less where "
            "the machine has less",
            least=100,
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            "--threads",
            min=1,
            max=1024,
            help=f"{THREADS_HELP}; without it all cores, shared by all matches at once",
        ),
    ] = None,
    ponder: Annotated[
        bool | None,
        typer.Option("--ponder/--no-ponder", help=f"{PONDER_HELP}; without it they do"),
    ] = None,
    seed: SecretSeedOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play matches of other hosts, by the GGP protocol over HTTP, until interrupted.

    A player whose work is counted (`mcts:playouts=1000`) has one thread and does not search while others
    move, unless that is asked for: so its play can be repeated.
    """
    from ..processes import fork_server, is_possible

    if is_possible():
        fork_server("ludorum.arena.protocol.match_process")  # it imports what matches need meanwhile
    import asyncio

    from ..arena.match.seeds import secret_seed
    from ..arena.protocol import PlayerConfig, PlayerServer
    from ..arena.world.desk import RealtimeDesk
    from ..players import make_player
    from ..players.realtime import realtime_names

    show_log()
    seed = secret_seed() if seed is None else seed
    with readable_errors(as_json):
        make_player(who, seed).close()  # a wrong name is reported now, not when the first match begins
        ports = port or [_usual_port(who)]
        at_once = len(ports) * matches
        megabytes = memory or _megabytes(at_once)
        make = partial(make_player, who, **thinking(who, threads, ponder, at_once, megabytes))
        config = PlayerConfig(
            name or f"Ludorum.{_short(who)}",
            matches,
            seed=seed,
            origin=_origin(origin),
            megabytes=megabytes,
            realtime=partial(RealtimeDesk, who if who in realtime_names() else STRONGEST, seed, matches),
        )

        def tell(event: PlayerEvent) -> None:
            _print(as_json, event.as_json(), f"{event.port}  {event.kind}  {event.match_id}  {event.text}")

        server = PlayerServer(make, config, tell)
        if not asyncio.run(_serve(server, ports, host, as_json)):
            sys.stdout.flush()
            os._exit(0)  # Python cannot end while a thread is inside a kernel


class SearchMeans(TypedDict):
    """The arguments of ``make_player`` that say what a player's searches may use."""

    threads: int
    ponder: bool
    tree_bytes: int


def thinking(
    who: str, threads: int | None, ponder: bool | None, at_once: int, megabytes: float
) -> SearchMeans:
    """What the searches of a player may use that plays so many matches at once, each in so many megabytes;
    None is left to choose."""
    from ..players.registry import is_counted

    counted = is_counted(who)
    return {
        "threads": threads or (1 if counted else max(1, cores() // at_once)),
        "ponder": not counted if ponder is None else ponder,
        "tree_bytes": round(1e6 * min(MOST_TREE_MEGABYTES, TREE_SHARE * megabytes)),
    }


def cores() -> int:
    """The processor cores that this program may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # only some systems tell
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def _megabytes(matches: int) -> float:
    """The memory of a match where so many are played at once."""
    return min(MOST_MEGABYTES, max(LEAST_MEGABYTES, MEMORY_SHARE * free_megabytes() / matches))


def _origin(text: str) -> str:
    """The origin of web pages as browsers write it; ValueError where it is not an origin."""
    if text in ("", "*") or re.fullmatch(r"[a-z]+://[a-z0-9.:\[\]-]+", text):
        return text
    raise ValueError(f"--allow-origin {text!r} is no origin: write https://example.org, or *")


def _short(who: str) -> str:
    """A player's name without the path and the settings: of ``./mine.py:Mine`` it is ``Mine``."""
    path, _, rest = who.partition(".py:")
    return rest.partition(":")[0] if rest else Path(path).stem if path.endswith(".toml") else who


def _usual_port(who: str) -> int:
    """The port where hosts look for a player: that of all players, or that of the ASP player of 2009."""
    return 4001 if who.partition(":")[0] == "asp" else 9147


async def _serve(server: PlayerServer, ports: list[int], host: str, as_json: bool) -> bool:
    """Serve until a signal comes; whether all players have ended."""
    import asyncio

    taken = await server.open(ports, host)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, stopped.set)
    # Printed last: a program that reads it may end this one at once.
    where = ", ".join(f"http://{host}:{port}" for port in taken)
    _print(as_json, {"event": "listening", "host": host, "ports": taken}, f"listening at {where}")
    await stopped.wait()
    return await server.close()


def _print(as_json: bool, value: dict[str, object], text: str) -> None:
    """Print a line for an event, and flush it: another program may wait for it."""
    sys.stdout.write((json.dumps(value) if as_json else " ".join(text.split())) + "\n")
    sys.stdout.flush()
