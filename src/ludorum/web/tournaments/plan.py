"""The plan of a tournament: made from what a person asks for, and kept without the rules of its games."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import comb

from ...arena.tournament import PlanError, PlannedGame, ScheduleKind, Seatings, TournamentPlan
from ...arena.tournament.plan import plan_from_json
from ...arena.tournament.schedule import seat_orders, seatings_of, sets_of
from ...arena.tournament.swiss import Swiss
from ...players.realtime import realtime_names
from ..games.catalogue import OfferedGame
from ..live import GameText
from .contract import NewTournament

MOST_ORDERED = 3
"""Seats of which all orders are played; with more, each player has each seat once."""


@dataclass(frozen=True)
class EnteredGame:
    """A game of a tournament with its rules."""

    text: GameText
    has_secrets: bool
    """Whether it has chance or hides something: then one match must not tell the draws of another."""

    def as_json(self) -> dict[str, object]:
        return {"text": asdict(self.text), "has_secrets": self.has_secrets}


def entered_from_json(data: dict[str, object]) -> EnteredGame:
    """The game that ``as_json`` wrote."""
    return EnteredGame(GameText(**data["text"]), bool(data["has_secrets"]))  # type: ignore[arg-type]


def entered(game: OfferedGame) -> EnteredGame:
    return EnteredGame(game.as_text(), game.card.hides or game.card.chance)


def plan_of(sent: NewTournament, games: Sequence[OfferedGame]) -> TournamentPlan:
    """The plan that a person asks for; PlanError where it cannot be played."""
    cards = [game.card for game in games]
    planned = [
        PlannedGame(card.id, card.language, game.text, card.roles, card.realtime)
        for card, game in zip(cards, games, strict=True)
    ]
    is_realtime = any(card.realtime for card in cards)
    if is_realtime:
        _check_realtime(sent, games)
    seatings = Seatings.ALL if max(card.seats for card in cards) <= MOST_ORDERED else Seatings.ROTATIONS
    return TournamentPlan(
        tuple(planned),
        tuple(sent.players),
        matches=sent.matches,
        schedule=sent.schedule,
        seatings=seatings,
        rounds=sent.rounds,
        play_seconds=sent.seconds,
        opening=0 if is_realtime else sent.opening,
        seed=secrets.randbits(32) if sent.seed is None else sent.seed,
    )


def _check_realtime(sent: NewTournament, games: Sequence[OfferedGame]) -> None:
    """PlanError where a tournament by the clock asks for more than live matches of its games can do."""
    known = realtime_names()
    for player in sent.players:
        if player not in known:
            raise PlanError(
                f"{player} plays in no tournament of realtime games: there are {', '.join(known)}"
            )
    for game in games:
        # Few matches of strangers are played at once, so that a tournament could not count on its place.
        if game.card.realtime and not game.as_text().is_trusted:
            raise PlanError(
                f"{game.card.title} is not of the library: there are no realtime tournaments of it"
            )


@dataclass(frozen=True)
class KeptPlan:
    """A plan without rules, for schedules and lists, and the titles of its games."""

    plan: TournamentPlan
    titles: dict[str, str]
    digests: dict[str, str]
    """Of the rules."""

    @classmethod
    def of(cls, plan: TournamentPlan, games: Sequence[EnteredGame]) -> KeptPlan:
        bare = replace(plan, games=tuple(replace(game, text="") for game in plan.games))
        titles = {game.text.id: game.text.title for game in games}
        return cls(bare, titles, {game.name: game.digest for game in plan.games})

    def as_json(self) -> dict[str, object]:
        return {"plan": self.plan.as_json(), "titles": self.titles, "digests": self.digests}


def kept_from_json(data: dict[str, object]) -> KeptPlan:
    """The plan that ``as_json`` wrote."""
    return KeptPlan(plan_from_json(data["plan"]), data["titles"], data["digests"])  # type: ignore[arg-type]


def expected_matches(plan: TournamentPlan) -> int:
    """How many matches a tournament has; drawn encounters of an elimination, which are played again, add to
    them. Counted, since there may be too many to be listed."""
    return sum(
        _meetings(plan, len(game.roles))
        * sets_of(plan, game)
        * len(seat_orders(game.roles, seatings_of(plan)))
        for game in plan.games
    )


def _meetings(plan: TournamentPlan, seats: int) -> int:
    players = len(plan.players)
    match plan.schedule:
        case ScheduleKind.ROUND_ROBIN:
            return comb(players, seats)
        case ScheduleKind.GAUNTLET:
            return comb(players - 1, seats - 1)
        case ScheduleKind.LADDER:
            return players if seats == 1 else players - 1
        case ScheduleKind.SWISS:
            return Swiss(plan).rounds * (players // 2)
        case ScheduleKind.ELIMINATION:
            return players - 1
