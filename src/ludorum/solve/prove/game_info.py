"""Proofs as ``GameInfo``: proved values replace observed ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...engine.game import Game, GameInfo, Known, Status
from ...search.budget import Budget
from .prove import prove
from .subject import ProofLimits
from .verdict import Verdict, VerdictStatus

ASKED = ("turn-taking", "constant-sum", "maximum-length")
"""The properties that ``GameInfo`` has fields for."""


def prove_info(game: Game, budget: Budget, limits: ProofLimits | None = None) -> GameInfo:
    """The game's info with what can be proved in the time; the game itself is not changed."""
    if game.rules is None:
        return game.info
    names = ASKED if len(game.info.players) > 1 else tuple(name for name in ASKED if name != "constant-sum")
    return info_with(game.info, prove(game.rules, names, budget, name=game.name, limits=limits))


def info_with(info: GameInfo, verdicts: Iterable[Verdict]) -> GameInfo:
    """The info with the fields that verdicts prove or refute filled in; the others are kept."""
    for verdict in verdicts:
        if verdict.status in (VerdictStatus.PROVED, VerdictStatus.REFUTED):
            info = _noted(info, verdict, holds=verdict.status is VerdictStatus.PROVED)
    return info


def _noted(info: GameInfo, verdict: Verdict, *, holds: bool) -> GameInfo:
    proved = Status.PROVED
    if verdict.property == "turn-taking":
        return replace(info, turn_taking=Known(holds, proved), simultaneous=Known(not holds, proved))
    if verdict.property == "constant-sum":
        total = verdict.value if holds and isinstance(verdict.value, int) else None
        return replace(info, zero_sum=Known(holds, proved), constant_sum=Known(total, proved))
    if verdict.property == "maximum-length" and isinstance(verdict.value, int):
        return replace(info, maximum_length=Known(verdict.value, proved))
    return info
