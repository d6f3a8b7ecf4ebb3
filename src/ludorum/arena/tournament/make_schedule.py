"""Makes the schedule of a plan."""

from __future__ import annotations

from .elimination import Elimination
from .plan import ScheduleKind, TournamentPlan
from .schedule import Gauntlet, LadderSchedule, RoundRobin, Schedule
from .swiss import Swiss


def schedule_of(plan: TournamentPlan) -> Schedule:
    """The schedule that a plan asks for."""
    match plan.schedule:
        case ScheduleKind.ROUND_ROBIN:
            return RoundRobin(plan)
        case ScheduleKind.GAUNTLET:
            return Gauntlet(plan)
        case ScheduleKind.SWISS:
            return Swiss(plan)
        case ScheduleKind.ELIMINATION:
            return Elimination(plan)
        case ScheduleKind.LADDER:
            return LadderSchedule(plan)
