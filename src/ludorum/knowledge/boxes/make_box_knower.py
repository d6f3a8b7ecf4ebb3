"""The knower with a box that suits a sheet: ground once, not ground at all, or ground step by step."""

from __future__ import annotations

from ...engine.game import Game
from ...rules.terms import Term
from .box_game import Ladder, box_game
from .box_knower import BoxKnower
from .flat_rules import NotLiftedError
from .ground_sheet import MOST_RULES, TooManyRulesError
from .lifted_knower import LiftedKnower
from .stepwise_knower import StepwiseKnower


def make_box_knower(
    game: Game,
    role: Term,
    level: int | Ladder = 0,
    engine: str = "clingo",
    nonpercepts: bool = True,
    most_rules: int = MOST_RULES,
) -> BoxKnower | LiftedKnower:
    """A knower with a box: ground once where the sheet allows it.

    Else the published method needs no ground rules at all, and every other one grounds step by step.
    """
    try:
        return BoxKnower(box_game(game, most_rules), role, level, engine, nonpercepts)
    except TooManyRulesError:
        rules = game.rules
        assert rules is not None  # else there was nothing to ground
    if level in (0, Ladder()) and engine == "clingo" and nonpercepts:
        try:
            return LiftedKnower(rules, role)
        except NotLiftedError:
            pass
    return StepwiseKnower(rules, role, level, engine, nonpercepts)
