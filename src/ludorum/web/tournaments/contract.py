"""The values of the API of tournaments, as its OpenAPI description has them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from ...arena.tournament import ScheduleKind
from ..contract import GameName, SentBody, Text, Word


class NewTournament(SentBody):
    games: Annotated[list[Word], Field(min_length=1, max_length=8)]
    players: Annotated[list[Word], Field(min_length=2, max_length=16)]
    """As in ``GET /players``; the first plays the gauntlet, or is the first seed of an elimination."""
    schedule: ScheduleKind = ScheduleKind.ROUND_ROBIN
    matches: Annotated[int, Field(ge=1, le=1000)] = 2
    """For each game and each meeting, rounded up until every player has had every seat equally often."""
    rounds: Annotated[int, Field(ge=1, le=30)] | None = None
    """Of a Swiss tournament."""
    seconds: Annotated[float, Field(ge=0.01, le=10)] = 1.0
    """For each move."""
    opening: Annotated[int, Field(ge=0, le=10)] = 2
    """Random moves at first, the same in all seatings."""
    seed: Annotated[int, Field(ge=0, lt=2**53)] | None = None
    title: Annotated[Text, Field(max_length=100)] = ""


class MadeTournament(BaseModel):
    id: str


class ListedTournament(BaseModel):
    id: str
    title: str
    owner: str
    state: Literal["running", "over", "stopped", "failed"]
    schedule: ScheduleKind
    games: list[GameName]
    players: list[str]
    done: int
    total: int
    created: int


class TournamentList(BaseModel):
    tournaments: list[ListedTournament]
    pages: int


class StandingLine(BaseModel):
    place: int
    player: str
    rating: float | None
    """In Elo, 1500 being the mean; none before any match counts."""
    low: float | None
    high: float | None
    points: float
    wins: int
    draws: int
    losses: int
    note: str
    """How far the player came, where the schedule says so."""


class CrossCell(BaseModel):
    points: float
    matches: int


class TournamentMatch(BaseModel):
    id: str
    game: GameName
    round: int
    players: list[str]
    """By seat."""
    roles: list[str]
    state: Literal["live", "over", "stopped"]
    goals: list[int] | None
    """By seat; none without a result."""


class TournamentView(ListedTournament):
    why: str
    """Why it has failed."""
    matches: int
    rounds: int | None
    seconds: float
    opening: int
    seed: int
    seconds_left: float | None
    may_stop: bool
    standings: list[StandingLine]
    cross: list[list[CrossCell | None]]
    """In the order of the standings: the points of the row's player against the column's."""
    live: list[TournamentMatch]
    """Matches that are played now."""


class TournamentMatches(BaseModel):
    matches: list[TournamentMatch]
    """The last to begin first."""
    pages: int


class FinalStandings(BaseModel):
    tournament: str
    title: str
    state: str
    settings: dict[str, object]
    """Everything that determines the matches, rules by their digests."""
    standings: list[StandingLine]
    cross: list[list[CrossCell | None]]
    matches: list[TournamentMatch]
