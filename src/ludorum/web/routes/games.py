"""Games: the list, rules, uploads, first positions, the designer's report."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from ..contract import (
    FaultsBody,
    GameDetail,
    GameSummary,
    JobStarted,
    JobView,
    NewGame,
    Report,
    StartScene,
)
from ..errors import ApiError, is_plain_id, not_found
from ..games.card import GameCard
from ..games.catalogue import OfferedGame
from ..site import Site, site_of
from ..store.accounts import Account, note_act
from ..store.games import count_games, remove_game
from ..visitor import acting

router = APIRouter(tags=["games"])


@router.get("/games")
async def games(request: Request, query: Annotated[str, Query(max_length=200)] = "") -> list[GameSummary]:
    """All games, or those in which every word of the query occurs."""
    words = query.casefold().split()
    cards = await site_of(request).catalogue.cards()
    return [_summary(card) for card in cards if _has_words(card, words)]


@router.post("/games", status_code=201, responses={422: {"model": FaultsBody}})
async def add(request: Request, sent: NewGame, account: Annotated[Account, Depends(acting)]) -> GameDetail:
    """Upload a game; its rules are checked, and 422 tells all faults where they cannot be played."""
    site = site_of(request)
    limits = site.config.limits
    site.limit("uploads", account.id, limits.uploads)
    if await site.database.read(count_games, account) >= limits.games:
        raise ApiError(409, f"an account keeps {limits.games} games at most", hint="remove one of yours")
    game, faults = await site.catalogue.add(account, sent.text, sent.language, sent.title.strip())
    if game is None:
        raise ApiError(422, "the rules cannot be played", code="faulty-rules", faults=faults)
    site.counters.events["games_uploaded"] += 1
    return _detail(game, list(faults))


@router.get("/games/{game_id}")
async def game(request: Request, game_id: str) -> GameDetail:
    """One game with its rules."""
    return _detail(await find_game(site_of(request), game_id), [])


@router.delete("/games/{game_id}", status_code=204)
async def remove(request: Request, game_id: str, account: Annotated[Account, Depends(acting)]) -> None:
    """Take an uploaded game off the lists; its owner and administrators may. Matches of it go on."""
    site = site_of(request)
    found = await find_game(site, game_id)
    if found.owner_id != account.id:
        if found.owner_id is None or not account.is_admin:
            raise ApiError(403, "the game belongs to another")
        await site.database.write(note_act, account, "remove-game", game_id)
    await site.database.write(remove_game, game_id)


@router.get("/games/{game_id}/start", responses={404: {"description": "unknown, or too costly"}})
async def start(request: Request, response: Response, game_id: str) -> StartScene:
    """The first position as a spectator sees it."""
    site = site_of(request)
    found = await find_game(site, game_id)
    scene = await site.catalogue.scene(found)
    if scene is None:
        raise ApiError(404, "the first position takes too long to find", code="too-costly")
    response.headers["Cache-Control"] = "public, max-age=3600"
    return StartScene.model_validate({"scene": scene})


@router.post("/games/{game_id}/report", status_code=202)
async def report(request: Request, game_id: str, account: Annotated[Account, Depends(acting)]) -> JobStarted:
    """Begin the designer's report, or find the one that was made of the same rules."""
    site = site_of(request)
    found = await find_game(site, game_id)
    if found.card.realtime:
        raise ApiError(422, "a realtime game has no rounds, which a report would count", code="realtime")
    site.limit("reports", account.id, site.config.limits.uploads)
    return JobStarted(job=await site.jobs.begin(found.as_text()))


@router.get("/jobs/{job_id}")
async def job(request: Request, job_id: str) -> JobView:
    """How far a job is, and its result."""
    row = await site_of(request).jobs.find(job_id) if is_plain_id(job_id) else None
    if row is None:
        raise not_found("job")
    is_done = row.state == "done" and row.result is not None
    return JobView.model_validate(
        {
            "state": row.state,
            "progress": 1.0 if row.state == "done" else row.progress,
            "result": Report.model_validate(row.result) if is_done else None,
            "error": None if is_done or row.result is None else row.result.get("error"),
        }
    )


async def find_game(site: Site, game_id: str) -> OfferedGame:
    """The game of a name; ApiError where there is none."""
    found = await site.catalogue.find(game_id) if is_plain_id(game_id) else None
    if found is None:
        raise not_found("game")
    return found


def _has_words(card: GameCard, words: list[str]) -> bool:
    kinds = f"{card.kind} realtime" if card.realtime else card.kind
    text = f"{card.id} {card.title} {card.summary} {kinds}".casefold()
    return all(word in text for word in words)


def _summary(card: GameCard) -> GameSummary:
    return GameSummary.model_validate(card.as_json())


def _detail(game: OfferedGame, faults: list[dict[str, object]]) -> GameDetail:
    return GameDetail.model_validate(
        game.card.as_json() | {"rules": game.text, "faults": faults, "owner": game.owner}
    )
