"""Players of card games as the source of the method has them: worlds, one pass ahead, pseudo-heuristics.

``Thinker`` decides for one player from what that player knows; ``judge_of`` says what positions are worth,
by the compiled machine or, where a chart has no bytecode, by the readable one; ``explain`` tells why.
"""

from __future__ import annotations

from .choose_judge import judge_of
from .config import GREEDY, USUAL, ThinkingConfig
from .explain import Explanation, explain
from .judge import Instance, Judge, Outcome, value_of_cards
from .scheme import Scheme, analysis_of, schemes_of
from .select import best_moves, choose_best, expected_values
from .thinker import CardDecision, Thinker

__all__ = [
    "GREEDY",
    "USUAL",
    "CardDecision",
    "Explanation",
    "Instance",
    "Judge",
    "Outcome",
    "Scheme",
    "Thinker",
    "ThinkingConfig",
    "analysis_of",
    "best_moves",
    "choose_best",
    "expected_values",
    "explain",
    "judge_of",
    "schemes_of",
    "value_of_cards",
]
