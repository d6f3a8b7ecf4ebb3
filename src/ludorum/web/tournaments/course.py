"""The course of a tournament: which matches were begun, which are over, and which comes next."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import chain

from ...arena.tournament import Ending, Fixture, MatchResult, TournamentPlan
from ...arena.tournament.make_schedule import schedule_of
from ...arena.tournament.schedule import round_fixtures


class TournamentCourse:
    """A tournament as its schedule and its results so far make it; changed by ``begin`` and ``finish``."""

    def __init__(self, plan: TournamentPlan, begun: Mapping[str, str] | None = None) -> None:
        """PlanError where the plan gives matches that cannot be told apart."""
        self.plan = plan
        self.matches: dict[str, str] = dict(begun or {})
        """The live matches of fixtures that were begun, in this order."""
        self.results: dict[str, MatchResult] = {}
        self.is_over = False
        self._schedule = schedule_of(plan)
        self._rounds: list[list[Fixture]] = []
        self._waiting: deque[Fixture] = deque()
        self._go_on()

    @property
    def fixtures(self) -> list[Fixture]:
        """All matches of the rounds so far."""
        return list(chain.from_iterable(self._rounds))

    @property
    def placing(self) -> list[tuple[str, str]] | None:
        """The players, best first, with a word on why; None before the end, or where points alone decide."""
        return self._schedule.placing(self.results) if self.is_over else None

    def next_fixture(self) -> Fixture | None:
        """The match that can begin now; None where others have to end first."""
        return self._waiting[0] if self._waiting else None

    def begin(self, fixture: Fixture, match_id: str) -> None:
        """The next match has begun."""
        assert self._waiting.popleft() is fixture
        self.matches[fixture.match_id] = match_id

    def finish(self, result: MatchResult) -> None:
        """A match is over."""
        self.results[result.match_id] = result
        self._go_on()

    def _go_on(self) -> None:
        """Begin the next round where this one is over."""
        while not self.is_over and all(one.match_id in self.results for one in self._round):
            found = round_fixtures(self.plan, self._schedule, len(self._rounds), self.results)
            if found is None:
                self.is_over = True
            else:
                self._rounds.append(found)
                self._waiting = deque(one for one in found if one.match_id not in self.matches)

    @property
    def _round(self) -> list[Fixture]:
        return self._rounds[-1] if self._rounds else []


def result_of(plan: TournamentPlan, fixture: Fixture, goals: Mapping[str, int] | None) -> MatchResult:
    """The result of a match from its goal values by role; one without them counts nothing."""
    roles = plan.game(fixture.game).roles
    if goals is None or set(goals) != set(roles):
        return MatchResult(fixture.match_id, (0,) * len(roles), Ending.VOID)
    return MatchResult(fixture.match_id, tuple(goals[role] for role in roles))
