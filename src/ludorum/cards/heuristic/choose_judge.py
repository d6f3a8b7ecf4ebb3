"""Chooses the judge of a game."""

from __future__ import annotations

from ..analysis import ChartAnalysis
from ..compiled import NotCompiled
from ..machine.game import CardGame
from .compiled_judge import CompiledJudge
from .config import ThinkingConfig
from .judge import Judge
from .readable_judge import ReadableJudge


def judge_of(game: CardGame, analysis: ChartAnalysis | None, config: ThinkingConfig) -> Judge:
    """The quick judge of a game, or the readable one where its chart has no bytecode."""
    try:
        return CompiledJudge(game, analysis, config)
    except NotCompiled:
        return ReadableJudge(game, analysis, config)
