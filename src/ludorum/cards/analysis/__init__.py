"""Static analysis of card games: from the chart alone, without a single game.

``analyse(rules)`` finds the loops of the chart, the main loop among them, the properties to aim at, and the
pseudo-heuristics: a weight and conditions for every path through one pass of the main loop.
"""

from __future__ import annotations

from .analyse import analyse
from .loops import ChartPart, Loop, find_loops
from .normalise import normalise
from .result import ChartAnalysis, ChartProperty, MainLoop, Path, PlayedCard, PseudoHeuristic
from .seats import by_number, card_symbol, player_symbol, seat_of
from .walk import NotFinite, WalkConfig

__all__ = [
    "ChartAnalysis",
    "ChartPart",
    "ChartProperty",
    "Loop",
    "MainLoop",
    "NotFinite",
    "Path",
    "PlayedCard",
    "PseudoHeuristic",
    "WalkConfig",
    "analyse",
    "by_number",
    "card_symbol",
    "find_loops",
    "normalise",
    "player_symbol",
    "seat_of",
]
