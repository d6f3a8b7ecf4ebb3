"""Players of card games as the source of the method has them: worlds, one pass ahead, pseudo-heuristics.

``judge_of`` says what positions are worth, by the compiled machine or, where a chart has no bytecode, by the
readable one; ``choose_best`` takes a move.
"""

from __future__ import annotations

from .config import GREEDY, USUAL, ThinkingConfig
from .judge import Instance, Judge, Outcome, judge_of, value_of_cards
from .scheme import Scheme, analysis_of, schemes_of
from .select import best_moves, choose_best, expected_values

__all__ = [
    "GREEDY",
    "USUAL",
    "Instance",
    "Judge",
    "Outcome",
    "Scheme",
    "ThinkingConfig",
    "analysis_of",
    "best_moves",
    "choose_best",
    "expected_values",
    "judge_of",
    "schemes_of",
    "value_of_cards",
]
