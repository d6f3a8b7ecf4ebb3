"""Schedules: which matches are played, with which seats and seeds.

A schedule is a pure function of the plan and of the results so far, asked round by round: a resumed
tournament asks the same questions and gets the same matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Protocol

from ..match.seeds import seed_from
from .plan import PlanError, PlannedGame, ScheduleKind, Seatings, TournamentPlan
from .result import MatchResult, seat_points


@dataclass(frozen=True)
class Fixture:
    """One match that is to be played."""

    match_id: str
    """Contains all of it: game, players by seat, set, round."""
    game: str
    players: tuple[str, ...]
    """In the order of the roles of players."""
    seed: int
    """The seed of the opening and of nature; the same for all seatings and players of a set."""
    group: str
    """Matches of one group share opening and seed, and differ in their seating."""
    round: int = 0

    def player_seed(self, seat: int) -> int:
        return seed_from("player", self.match_id, seat)


@dataclass(frozen=True)
class Encounter:
    """Some players meet: in one game, or in each game that so many can play."""

    players: tuple[str, ...]
    round: int = 0
    games: tuple[str, ...] | None = None
    """Which games; None for all of the plan."""


Results = Mapping[str, MatchResult]
"""By match id."""


class Schedule(Protocol):
    """Gives the encounters of a round, from the results of all rounds before; None when it is over."""

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None: ...

    def placing(self, results: Results) -> list[tuple[str, str]] | None:
        """The players, best first, with a word on why; None where the points alone decide."""


def seat_orders(players: Sequence[str], seatings: Seatings) -> list[tuple[str, ...]]:
    """The seating of each match, so that every player has every seat equally often.

    >>> seat_orders("AB", Seatings.ALL)
    [('A', 'B'), ('B', 'A')]
    """
    if seatings is Seatings.ALL:
        return list(permutations(players))
    return [(*players[turn:], *players[:turn]) for turn in range(len(players))]


def seatings_of(plan: TournamentPlan) -> Seatings:
    """How seats are changed; on a ladder all seats but one are the same player's: rotations are all there
    is."""
    return Seatings.ROTATIONS if plan.schedule is ScheduleKind.LADDER else plan.seatings


def sets_of(plan: TournamentPlan, game: PlannedGame) -> int:
    """How many sets of seatings give at least the matches that were asked for."""
    size = len(seat_orders(game.roles, seatings_of(plan)))
    return -(-plan.matches // size)


def fixtures_of(plan: TournamentPlan, encounter: Encounter) -> Iterator[Fixture]:
    """The matches of an encounter: each set with one seed, in all seatings, the games in turn.

    Sets of different games alternate, so that a tournament which ends early has seen them all.
    """
    games = [plan.game(name) for name in encounter.games or [game.name for game in plan.games]]
    most = max(sets_of(plan, game) for game in games)
    for number in range(most):
        for game in games:
            if number < sets_of(plan, game):
                yield from _set(plan, encounter, game, number)


def _set(plan: TournamentPlan, encounter: Encounter, game: PlannedGame, number: int) -> Iterator[Fixture]:
    seed = seed_from("set", plan.seed, game.name, encounter.round, number)
    # Players of a game for one role are compared with each other: their group is the whole set.
    who = "alone" if len(game.roles) == 1 else "-".join(encounter.players)
    group = f"{game.name}/r{encounter.round}/{who}/{number}"
    for order in seat_orders(encounter.players, seatings_of(plan)):
        match_id = f"{game.name}/r{encounter.round}/{'-'.join(order)}/{number}"
        yield Fixture(match_id, game.name, order, seed, group, encounter.round)


@dataclass(frozen=True)
class RoundRobin:
    """Every player meets every other: in each game every set of as many players as it has roles."""

    plan: TournamentPlan

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None:
        if number > 0:
            return None
        return [
            Encounter(who, games=(game.name,))
            for game in self.plan.games
            for who in combinations(self.plan.players, len(game.roles))
        ]

    def placing(self, results: Results) -> list[tuple[str, str]] | None:
        return None


@dataclass(frozen=True)
class Gauntlet(RoundRobin):
    """The player that is named first meets every other: in each game with every set of the others that fills
    its seats."""

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None:
        found = super().encounters(number, results)
        first = self.plan.players[0]
        return None if found is None else [one for one in found if first in one.players]


@dataclass(frozen=True)
class LadderSchedule(RoundRobin):
    """The player that is named first meets every other, alone: in games of several roles the other one takes
    all seats but one. So two players can be compared in every game."""

    def encounters(self, number: int, results: Results) -> Sequence[Encounter] | None:
        if number > 0:
            return None
        first, *others = self.plan.players
        found = []
        for game in self.plan.games:
            seats = len(game.roles)
            if seats == 1:
                found += [Encounter((name,), games=(game.name,)) for name in self.plan.players]
            else:
                found += [Encounter((first, *[one] * (seats - 1)), games=(game.name,)) for one in others]
        return found


def encounter_points(plan: TournamentPlan, encounter: Encounter, results: Results) -> dict[str, float]:
    """The points of both sides of a duel over all its matches; matches not played or void count nothing."""
    points = dict.fromkeys(encounter.players, 0.0)
    for fixture in fixtures_of(plan, encounter):
        result = results.get(fixture.match_id)
        if result is not None and result.counts:
            for player, share in zip(fixture.players, seat_points(result.goals), strict=True):
                points[player] += share
    return points


def round_fixtures(
    plan: TournamentPlan, schedule: Schedule, number: int, results: Results
) -> list[Fixture] | None:
    """The matches of a round, encounters side by side: the first sets of all before the second of any."""
    encounters = schedule.encounters(number, results)
    if encounters is None:
        return None
    rows = [list(fixtures_of(plan, encounter)) for encounter in encounters]
    found = [fixture for row in rows for fixture in row]
    if len({fixture.match_id for fixture in found}) < len(found):
        raise PlanError("names of players run into each other when joined by hyphens: rename one")
    order = {fixture.group: 0 for fixture in found}
    for row in rows:
        for place, group in enumerate(dict.fromkeys(fixture.group for fixture in row)):
            order[group] = place
    return sorted(found, key=lambda fixture: order[fixture.group])  # stable: sets stay together


def grouped(fixtures: Iterable[Fixture]) -> list[list[Fixture]]:
    """The sets of matches that share opening and seed, in the order of their first."""
    groups: dict[str, list[Fixture]] = {}
    for fixture in fixtures:
        groups.setdefault(fixture.group, []).append(fixture)
    return list(groups.values())
