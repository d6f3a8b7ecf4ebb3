"""What these tests share: our player listening on this machine, and matches between it and our host."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from ludorum.arena.match.clocks import Clocks
from ludorum.arena.match.match import Match
from ludorum.arena.match.referee import Referee
from ludorum.arena.protocol import PlayerConfig, PlayerEvent, PlayerServer, RemoteSeat
from ludorum.arena.protocol.dialects import DIALECTS, Dialect, Language
from ludorum.arena.protocol.scramble import Scrambler
from ludorum.arena.testing import ScriptedServer
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.players import Player
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.arena.protocol.makers import named
from tests.small_games import COIN, DOOR

LIGHT = PlayerConfig(name="tester", engine="lifted")
LEGAL = named("legal")
QUICK = Clocks(2, 2, connect=5, start_grace=1, play_grace=1, abort=1)
PATIENT = replace(QUICK, start=30, play=30)
"""For players that always answer: a machine that stands still for seconds must not make them late."""


def door() -> LiftedGame:
    return LiftedGame(parse_kif(DOOR), "door")


def coin() -> LiftedGame:
    return LiftedGame(parse_kif(COIN), "coin")


def one_line(rules: str) -> str:
    """Rules without comments, as they stand in messages."""
    return " ".join(line for line in rules.split("\n") if line and not line.startswith(";"))


@asynccontextmanager
async def our_player(
    make: Callable[[int], Player] = LEGAL,
    ports: int = 1,
    events: list[PlayerEvent] | None = None,
    config: PlayerConfig = LIGHT,
    **changes: object,
) -> AsyncIterator[PlayerServer]:
    server = PlayerServer(make, replace(config, **changes), events.append if events is not None else None)  # type: ignore[arg-type]
    await server.open([0] * ports)
    try:
        yield server
    finally:
        await server.close()


def url_of(server: PlayerServer, at: int = 0) -> str:
    return f"http://127.0.0.1:{server.seats[at].port}"


def host_of(server: PlayerServer, at: int = 0) -> ScriptedServer:
    return ScriptedServer(url_of(server, at))


async def play_at(
    game: Game,
    urls: Mapping[Term, str],
    *,
    seed: int = 0,
    match_id: str = "m1",
    clocks: Clocks = PATIENT,
    scrambler: Scrambler | None = None,
    dialect: Dialect = DIALECTS["ggp-base"],
    language: Language | None = None,
    limit: int | None = None,
) -> tuple[Match, dict[Term, RemoteSeat]]:
    """A match between remote players; with its seats, which know every exchange."""
    match = Match(game, seed, match_id=match_id)
    seats = {
        role: RemoteSeat(url, game, scrambler=scrambler, dialect=dialect, language=language)
        for role, url in urls.items()
    }
    await Referee(match, seats, clocks, limit=limit).run()
    return match, seats
