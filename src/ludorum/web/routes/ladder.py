"""Players of the server, leaderboards, and the pages of people and players."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool

from ...arena.protocol.dialects import Language
from ...players.realtime import realtime_names
from ...players.recipe import own_recipes
from ...players.registry import CARD_PLAYERS, describe_players, player_names
from ..contract import GameRating, Leaderboard, PersonOrPlayer, PlayerPage, RatingRow
from ..errors import not_found
from ..ladder import LadderStanding
from ..live import REMOTE
from ..site import Site, site_of
from ..store.accounts import find_name
from ..store.matches import ListingRow, recent_of
from ..store.remotes import RemoteRow, find_remote, list_remotes
from .matches import listed

router = APIRouter(tags=["players"])

MOST_GAMES = 10
"""Games of which a player's page has a rating."""


@router.get("/players")
async def players(request: Request) -> list[PersonOrPlayer]:
    """The players that a seat can be given to: those of the server, and those elsewhere."""
    here = await run_in_threadpool(_players)
    return [*here, *map(_remote, await site_of(request).database.read(list_remotes))]


@router.get("/players/{name}")
async def player(request: Request, name: str) -> PlayerPage:
    """What a person or a player has played here."""
    site = site_of(request)
    kind, known, summary = await _who(site, name[:100])
    rows = await site.database.read(recent_of, kind, known)
    if kind == "player" and not summary and not rows:
        raise not_found("player")
    overall = _of(await site.ladder.standings(None), kind, known)
    return PlayerPage(
        name=known,
        kind=kind,
        summary=summary,
        rank=overall.rank if overall else None,
        rating=overall.rating if overall else None,
        low=overall.low if overall else None,
        high=overall.high if overall else None,
        matches=overall.matches if overall else sum(row.state == "over" for row in rows),
        ratings=await _by_game(site, kind, known, rows),
        recent=[listed(row) for row in rows],
    )


@router.get("/leaderboard")
async def leaderboard(
    request: Request, game: Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$")] = None
) -> Leaderboard:
    """Ratings with 95 % intervals, of one game or of all: 1500 is the mean of the rated."""
    rows = await site_of(request).ladder.standings(game)
    return Leaderboard(rows=[RatingRow.model_validate(vars(row)) for row in rows])


async def _who(site: Site, name: str) -> tuple[Literal["person", "player"], str, str]:
    """The kind of a name, the name as it is written, and a sentence; people come before players."""
    plain = name.replace("\0", "")
    found = await site.database.read(find_name, plain)
    if found is not None and not found[0].is_closed:
        return "person", found[0].name, "a guest" if found[0].is_guest else ""
    if plain.startswith(REMOTE):
        remote = await site.database.read(find_remote, plain.removeprefix(REMOTE))
        return "player", plain, "" if remote is None else _remote(remote).summary
    known = {one.name: one.summary for one in await run_in_threadpool(_players)}
    return "player", plain, known.get(plain.partition(":")[0], "")


async def _by_game(site: Site, kind: str, name: str, rows: list[ListingRow]) -> list[GameRating]:
    titles = {row.game: row.title for row in rows}
    found = []
    for game, title in list(titles.items())[:MOST_GAMES]:
        own = _of(await site.ladder.standings(game), kind, name)
        if own is not None:
            found.append(GameRating.model_validate({"game": game, "title": title, **vars(own)}))
    return found


def _of(rows: list[LadderStanding], kind: str, name: str) -> LadderStanding | None:
    return next((row for row in rows if row.kind == kind and row.name == name), None)


@cache
def _players() -> list[PersonOrPlayer]:
    about = describe_players()
    return [
        PersonOrPlayer(
            name=name,
            summary=about.get(name, ""),
            for_hidden=_is_for_hidden(name),
            for_realtime=name in realtime_names(),
        )
        for name in player_names()
    ]


def _remote(row: RemoteRow) -> PersonOrPlayer:
    return PersonOrPlayer(
        name=REMOTE + row.name,
        summary=f"A program at another machine, registered by {row.owner_name}.",
        for_hidden=row.language != Language.GDL.value,
        for_realtime=row.language in ("", Language.WDL.value) and row.method == "POST",
        is_available=row.is_reachable,
    )


def _is_for_hidden(name: str) -> bool:
    """Whether a player knows what to do where something is hidden."""
    recipe = own_recipes().get(name)
    if recipe is not None:
        return any(part.when.get("hidden") for part in recipe.parts)
    return name in {"legal", "random", "legal_knower", *CARD_PLAYERS}
