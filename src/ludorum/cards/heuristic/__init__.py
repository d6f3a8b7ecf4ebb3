"""Card play by pseudo-heuristics as the source of the method describes it: worlds, one pass ahead.

``HeuristicThinker`` decides for one player from that player's knowledge; ``judge_of`` values positions with
the compiled machine or, where a chart has no bytecode, with the readable one; ``explain`` gives the reasons.
"""

from __future__ import annotations

from .choose_judge import judge_of
from .config import GREEDY, USUAL, ThinkingConfig
from .explain import MoveExplanation, explain
from .judge import Instance, Judge, Outcome, value_of_cards
from .scheme import Scheme, analysis_of, schemes_of
from .select import best_moves, choose_best, expected_values
from .thinker import CardDecision, HeuristicThinker

__all__ = [
    "GREEDY",
    "USUAL",
    "CardDecision",
    "HeuristicThinker",
    "Instance",
    "Judge",
    "MoveExplanation",
    "Outcome",
    "Scheme",
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
