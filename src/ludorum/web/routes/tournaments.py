"""Tournaments: made, watched, stopped, and taken along as files."""

from __future__ import annotations

import asyncio
import secrets
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response, StreamingResponse

from ...arena.tournament import PlanError, ScheduleKind
from ..errors import ApiError, is_plain_id, not_found
from ..games.catalogue import OfferedGame
from ..live import REMOTE, check_player
from ..site import Site, site_of
from ..store.accounts import Account, note_act
from ..store.tournaments import TooManyTournaments, TournamentRow, find_tournament, list_tournaments, new_row
from ..tournaments import (
    KeptPlan,
    entered,
    expected_matches,
    final_standings,
    listed,
    matches_page,
    plan_of,
    shown,
    standings_csv,
    zip_of,
)
from ..tournaments.contract import (
    FinalStandings,
    MadeTournament,
    NewTournament,
    TournamentList,
    TournamentMatches,
    TournamentView,
)
from ..tournaments.views import MatchesInSight
from ..visitor import address_of, signed_up, visitor_of
from .games import find_game
from .matches import MOST_PAGES, player_name

router = APIRouter(tags=["tournaments"])

WORDS = {
    ScheduleKind.ROUND_ROBIN: "Round robin",
    ScheduleKind.GAUNTLET: "Gauntlet",
    ScheduleKind.SWISS: "Swiss tournament",
    ScheduleKind.ELIMINATION: "Knockout",
    ScheduleKind.LADDER: "Ladder",
}
Page = Annotated[int, Query(ge=1, le=MOST_PAGES)]


@router.post("/tournaments", status_code=201)
async def make(
    request: Request, sent: NewTournament, account: Annotated[Account, Depends(signed_up)]
) -> MadeTournament:
    """Begin a tournament between players of the server."""
    site = site_of(request)
    limits = site.config.limits
    site.limit("tournaments", account.id, limits.tournaments)
    for player in map(player_name, sent.players):
        if not player.startswith(REMOTE):
            await asyncio.to_thread(check_player, player)
        elif await site.remotes.find(player) is None:
            raise ApiError(409, f"no player is registered as {player}")
    games = [await find_game(site, game) for game in sent.games]
    try:
        plan = plan_of(sent, games)
        count = expected_matches(plan)
        if count > limits.tournament_matches:
            hint = "take fewer games, players or matches for each meeting"
            most = f"a tournament has {limits.tournament_matches} matches at most"
            raise ApiError(422, f"{most}, and this one would have {count}", hint=hint)
        known = [entered(game) for game in games]
        row = new_row(
            "t" + secrets.token_hex(10), _title(sent, games), account, KeptPlan.of(plan, known).as_json()
        )
        await site.tournaments.begin(
            row, plan, known, most_own=limits.tournaments_own, most=limits.tournaments_all
        )
    except PlanError as error:
        raise ApiError(422, str(error)) from error
    except TooManyTournaments as error:
        raise ApiError(409, str(error)) from error
    site.counters.events["tournaments_made"] += 1
    return MadeTournament(id=row.id)


@router.get("/tournaments")
async def tournaments(request: Request, page: Page = 1) -> TournamentList:
    """All tournaments, the newest first."""
    rows, pages = await site_of(request).database.read(list_tournaments, page)
    return TournamentList(tournaments=[listed(row) for row in rows], pages=pages)


@router.get("/tournaments/{tournament_id}")
async def tournament(request: Request, tournament_id: str) -> TournamentView:
    """The standings of a tournament, how far it is, and the matches that are played now."""
    site, row = await _known(request, tournament_id)
    account = (await visitor_of(request)).account
    may_stop = row.state == "running" and account is not None and _may_stop(row, account)
    return shown(await site.tournament_sights.see(row), may_stop)


@router.get("/tournaments/{tournament_id}/matches")
async def matches(request: Request, tournament_id: str, page: Page = 1) -> TournamentMatches:
    """The matches of a tournament, the last to begin first."""
    return matches_page(await _sight(request, tournament_id), page)


@router.post("/tournaments/{tournament_id}/stop", status_code=204)
async def stop(request: Request, tournament_id: str, account: Annotated[Account, Depends(signed_up)]) -> None:
    """End a tournament and its matches; its owner and administrators may."""
    site, row = await _known(request, tournament_id)
    if not _may_stop(row, account):
        raise ApiError(403, "the tournament belongs to another")
    if row.owner != account.id:
        await site.database.write(note_act, account, "stop-tournament", row.id)
    if not await site.tournaments.stop(row.id):
        raise ApiError(409, "the tournament has ended already")


@router.get("/tournaments/{tournament_id}/standings.json")
async def standings_json(request: Request, tournament_id: str, response: Response) -> FinalStandings:
    """Settings, standings and results, as a file."""
    sight = await _sight(request, tournament_id)
    response.headers["Content-Disposition"] = _file(sight.row.id, "json")
    return final_standings(sight)


@router.get(
    "/tournaments/{tournament_id}/standings.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}}},
)
async def standings_as_csv(request: Request, tournament_id: str) -> Response:
    """The standings, for spreadsheets."""
    sight = await _sight(request, tournament_id)
    headers = {"Content-Disposition": _file(sight.row.id, "csv")}
    return Response(standings_csv(sight.table), media_type="text/csv", headers=headers)


@router.get(
    "/tournaments/{tournament_id}/records.zip",
    response_class=Response,
    responses={200: {"content": {"application/zip": {}}}},
)
async def records(request: Request, tournament_id: str) -> Response:
    """The records of all matches that are over, for ``ludorum replay``, with the standings."""
    site = site_of(request)
    account = (await visitor_of(request)).account
    site.limit("records", account.id if account else address_of(request), site.config.limits.record_files)
    sight = await _sight(request, tournament_id)
    headers = {"Content-Disposition": _file(sight.row.id, "zip")}
    return StreamingResponse(zip_of(sight, site.hub), media_type="application/zip", headers=headers)


async def _known(request: Request, tournament_id: str) -> tuple[Site, TournamentRow]:
    site = site_of(request)
    found = await site.database.read(find_tournament, tournament_id) if is_plain_id(tournament_id) else None
    if found is None:
        raise not_found("tournament")
    return site, found


async def _sight(request: Request, tournament_id: str) -> MatchesInSight:
    site, row = await _known(request, tournament_id)
    return await site.tournament_sights.see(row)


def _may_stop(row: TournamentRow, account: Account) -> bool:
    return account.is_admin or account.id == row.owner


def _title(sent: NewTournament, games: list[OfferedGame]) -> str:
    if title := " ".join(sent.title.split()):
        return title
    more = f" and {len(games) - 1} more" if len(games) > 1 else ""
    return f"{WORDS[sent.schedule]}: {games[0].card.title}{more}"[:120]


def _file(tournament: str, ending: str) -> str:
    return f'attachment; filename="{tournament}.{ending}"'
