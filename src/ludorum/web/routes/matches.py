"""Matches: made, joined, listed, seen and understood. Moves come over the websocket (``live_socket.py``)."""

from __future__ import annotations

import re
import secrets
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import JSONResponse

from ..contract import (
    AnalysisView,
    AskedStep,
    KnowledgeView,
    ListedMatch,
    ListedRole,
    MadeMatch,
    MatchList,
    MatchView,
    NewMatch,
    Premoves,
    StepView,
    TakenSeat,
)
from ..errors import ApiError, is_plain_id, not_found
from ..games.catalogue import OfferedGame
from ..live import REMOTE, MatchPlan, SeatPlan, new_match_id
from ..names import is_remote_name
from ..site import Site, site_of
from ..store.accounts import Account, digest
from ..store.matches import ListingRow, find_match, list_matches, seat_token
from ..visitor import Visitor, acting, visitor_of
from .games import find_game

router = APIRouter(tags=["matches"])

_PLAYER = re.compile(r"[a-z0-9_]{1,60}(:(playouts|nodes)=[0-9]{1,7})?")
"""Players as people may choose them: other settings could take all processors, and files are ours."""
MOST_PAGES = 10_000
MOST_STEPS = 1_000_000


@router.post("/matches", status_code=201)
async def make(request: Request, sent: NewMatch, account: Annotated[Account, Depends(acting)]) -> MadeMatch:
    """Begin a match. Open seats get links; whoever follows one may take the seat."""
    site = site_of(request)
    site.limit("matches", account.id, site.config.limits.matches)
    game = await find_game(site, sent.game)
    plan = MatchPlan(
        id=new_match_id(),
        game=game.as_text(),
        seats=_seats(game, sent.seats, account),
        base=sent.clock.base,
        increment=sent.clock.increment,
        think=sent.think,
        seed=_seed(game, sent),
        chat=sent.chat,
        prepare=sent.prepare,
    )
    tokens = {role: secrets.token_urlsafe(18) for role, seat in plan.seats.items() if seat.kind == "open"}
    site.lists.announce(plan.id, sent.private, tokens)
    try:
        await site.hub.create(plan)
    finally:
        site.lists.withdraw(plan.id)
    site.counters.events["matches_made"] += 1
    links = {role: f"/match/{plan.id}?seat={token}" for role, token in tokens.items()}
    return MadeMatch(id=plan.id, links=links)


@router.get("/matches")
async def matches(
    request: Request,
    state: Literal["open", "live", "over"] | None = None,
    game: Annotated[str | None, Query(max_length=200)] = None,
    page: Annotated[int, Query(ge=1, le=MOST_PAGES)] = 1,
) -> MatchList:
    """Matches, the last to change first; private ones are not listed."""
    rows, pages = await site_of(request).database.read(list_matches, state, _text(game), page)
    return MatchList(matches=[listed(row) for row in rows], pages=pages)


@router.get("/matches/{match_id}", response_model=MatchView)
async def match(request: Request, match_id: str) -> JSONResponse:
    """A match as the sender of the request may see it."""
    site, visitor = await _known(request, match_id)
    return JSONResponse(await site.hub.view_for(match_id, visitor.key))


@router.post("/matches/{match_id}/seat", response_model=MatchView)
async def take_seat(
    request: Request, match_id: str, sent: TakenSeat, account: Annotated[Account, Depends(acting)]
) -> JSONResponse:
    """Take an open seat: by the token of its link, or without one where the match is not private."""
    site = site_of(request)
    await take(site, match_id, sent.role, sent.token, account)
    return JSONResponse(await site.hub.view_for(match_id, account.key))


@router.get("/matches/{match_id}/steps/{step}", response_model=StepView)
async def step(request: Request, match_id: str, step: int) -> JSONResponse:
    """A step of a match as the sender of the request may see it."""
    site, visitor = await _known(request, match_id)
    if not 0 <= step <= MOST_STEPS:
        raise not_found("step")
    return JSONResponse(await site.hub.step_for(match_id, visitor.key, step))


@router.get("/matches/{match_id}/premoves", response_model=Premoves)
async def premoves(request: Request, match_id: str) -> JSONResponse:
    """The moves that the sender can prepare while others choose."""
    site, visitor = await _known(request, match_id)
    return JSONResponse(await site.hub.premoves_for(match_id, visitor.key))


@router.get("/matches/{match_id}/record")
async def record(request: Request, match_id: str) -> JSONResponse:
    """The record of a match: while it runs, only what the sender's role may know."""
    site, visitor = await _known(request, match_id)
    headers = {"Content-Disposition": f'attachment; filename="{match_id}.json"'}
    return JSONResponse(await site.hub.record_for(match_id, visitor.key), headers=headers)


@router.post("/matches/{match_id}/analysis", response_model=AnalysisView)
async def analysis(
    request: Request, match_id: str, sent: AskedStep, account: Annotated[Account, Depends(acting)]
) -> JSONResponse:
    """What a player thinks of a position; never during a match between people."""
    site, _ = await _known(request, match_id)
    site.limit("analyses", account.id, site.config.limits.analyses)
    return JSONResponse(await site.hub.analysis_for(match_id, account.key, sent.step))


@router.get("/matches/{match_id}/knowledge", response_model=KnowledgeView)
async def knowledge(request: Request, match_id: str) -> JSONResponse:
    """What the sender's role knows, and what it holds for possible."""
    site, visitor = await _known(request, match_id)
    key = visitor.key or (request.client.host if request.client else "")
    site.limit("analyses", key, site.config.limits.analyses)
    return JSONResponse(await site.hub.knowledge_for(match_id, visitor.key))


async def take(site: Site, match_id: str, role: str, token: str | None, account: Account) -> None:
    """Let a person take a seat whose token is right; ApiError where it is not."""
    row = await site.database.read(find_match, match_id) if is_plain_id(match_id) else None
    if row is None:
        raise not_found("match")
    kept = await site.database.read(seat_token, match_id, role)
    is_right = token is not None and kept is not None and secrets.compare_digest(digest(token), kept)
    if not is_right and (token is not None or row.is_private):
        raise ApiError(403, "the link to this seat is not right", code="seat-token")
    await site.hub.take_seat(match_id, role, account.key, account.name)


def listed(row: ListingRow) -> ListedMatch:
    """A match as lists show it."""
    roles = [
        ListedRole.model_validate(
            {"role": seat.role, "label": seat.role, "kind": seat.kind, "name": seat.name}
        )
        for seat in row.seats
    ]
    goals = {seat.role: seat.goal for seat in row.seats if seat.goal is not None}
    return ListedMatch.model_validate(
        {
            "id": row.id,
            "game": {"id": row.game, "title": row.title},
            "roles": roles,
            "phase": row.how or row.state,
            "step": row.step,
            "open": [seat.role for seat in row.seats if seat.kind == "open"],
            "result": goals or None,
        }
    )


def _seed(game: OfferedGame, sent: NewMatch) -> int:
    """The seed of chance: a person that knew it would know what chance will do to other people."""
    if sent.seed is None:
        return secrets.randbits(62)
    if game.card.chance and any(sent.seats.get(role, "open") == "open" for role in game.card.roles):
        hint = "leave the seed out, or give every seat to yourself or to players"
        raise ApiError(422, "nobody chooses the seed of chance in a match with other people", hint=hint)
    return sent.seed


def _seats(game: OfferedGame, asked: dict[str, str], account: Account) -> dict[str, SeatPlan]:
    """The seats of a match by role; those that are not named are open."""
    roles = game.card.roles
    unknown = [role for role in asked if role not in roles]
    if unknown:
        raise ApiError(
            422, f"{game.card.title} has no role {unknown[0]}", hint=f"there are {', '.join(roles)}"
        )
    return {role: _seat(asked.get(role, "open"), account) for role in roles}


def _seat(text: str, account: Account) -> SeatPlan:
    if text == "me":
        return SeatPlan("person", account.name, account.key)
    if text == "open":
        return SeatPlan("open")
    kind, _, name = text.partition(":")
    if kind != "player":
        hint = "a seat is me, open, or player: with a name of GET /api/v1/players"
        raise ApiError(422, f"{text} is no seat", hint=hint)
    return SeatPlan("player", player_name(name))


def player_name(text: str) -> str:
    """The name of a player as people may choose it."""
    is_remote = text.startswith(REMOTE) and is_remote_name(text.removeprefix(REMOTE))
    if not (is_remote or _PLAYER.fullmatch(text)):
        raise ApiError(422, f"{text} is no player", hint="take a name of GET /api/v1/players")
    return text


async def _known(request: Request, match_id: str) -> tuple[Site, Visitor]:
    """The site, and who asks."""
    if not is_plain_id(match_id):
        raise not_found("match")
    return site_of(request), await visitor_of(request)


def _text(text: str | None) -> str | None:
    """Text that a database can be asked for: PostgreSQL knows no character zero."""
    if text is not None and "\0" in text:
        raise ApiError(422, "has characters that are no text", code="invalid")
    return text
