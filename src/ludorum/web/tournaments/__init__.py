"""Tournaments between players of the server: what they ask for, how they go on, and what is shown of them.

Pairings and ratings are those of ``ludorum.arena.tournament``; matches are live matches like all others.
"""

from .plan import EnteredGame, KeptPlan, entered, expected_matches, plan_of
from .records import zip_of
from .running import RunningTournaments
from .views import TournamentSights, final_standings, listed, matches_page, shown, standings_csv

__all__ = [
    "EnteredGame",
    "KeptPlan",
    "RunningTournaments",
    "TournamentSights",
    "entered",
    "expected_matches",
    "final_standings",
    "listed",
    "matches_page",
    "plan_of",
    "shown",
    "standings_csv",
    "zip_of",
]
