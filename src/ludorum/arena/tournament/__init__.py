"""Tournaments: pairings, seats and seeds of matches, and the strength of players by the results.

Comes in: a ``TournamentPlan``; goes out: logged ``MatchResult``s, tables, ratings and a page. Matches are
played by ``ludorum.arena.match.local``, in this process, in others, or on a Ray cluster, with the same
results.
"""

from .log import LogError, MatchLog, read_log
from .on_ray import OnRay
from .plan import PlanError, PlannedGame, ScheduleKind, Seatings, Sequential, TournamentPlan, planned_game
from .result import Ending, MatchResult
from .run import Here, Played, Processes, Progress, Runner, run_tournament
from .schedule import Fixture
from .worker import Patience

__all__ = [
    "Ending",
    "Fixture",
    "Here",
    "LogError",
    "MatchLog",
    "MatchResult",
    "OnRay",
    "Patience",
    "PlanError",
    "PlannedGame",
    "Played",
    "Processes",
    "Progress",
    "Runner",
    "ScheduleKind",
    "Seatings",
    "Sequential",
    "TournamentPlan",
    "planned_game",
    "read_log",
    "run_tournament",
]
