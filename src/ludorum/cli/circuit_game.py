"""A game with a circuit where one can be built in the time of a verb: everything is faster with it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..engine.game import Game

START_SECONDS = 0.3
"""Processor seconds that building may take beyond the time of the verb: enough for small sheets."""


def load_with_circuit(name: str, lenient: bool, seconds: float) -> tuple[Game, float]:
    """The game, and how much of the time is left; GameError where building takes longer.

    Processor seconds: on a busy machine building takes longer, and the supervisor allows for that as well.
    Where there is no circuit for another reason, the lifted engine plays.
    """
    from ..engine.circuit import CircuitError
    from ..engine.compiled import CompiledGame
    from ..engine.errors import GameError
    from ..engine.load import load_rules, make_game
    from ..processes.session import ChildLimitError, Limit, children_seconds
    from ..rules.library import CHARTS, find_sheet

    sheet = find_sheet(name)
    if sheet.language == CHARTS:
        return make_game(sheet, "compiled", lenient), seconds
    begin = time.process_time() + children_seconds()
    rules = load_rules(sheet, lenient)
    game: Game | None = None
    try:
        game = CompiledGame(rules, sheet.name, seconds=seconds + START_SECONDS, processor_time=True)
    except GameError as error:
        reason = error.__cause__
        limit = reason.__cause__ if isinstance(reason, CircuitError) else None
        if isinstance(limit, ChildLimitError) and limit.limit is Limit.TIME:
            raise GameError(f"no answer within {seconds:g} s; more --seconds may do") from error
    spent = time.process_time() + children_seconds() - begin
    left = max(0.0, min(seconds, seconds + START_SECONDS - spent))
    return game or make_game(sheet, "lifted", lenient), left
