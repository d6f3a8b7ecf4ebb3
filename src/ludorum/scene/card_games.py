"""Tells card games from games in logic, without loading the readers of charts for the latter."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from ..engine.game import Game

IDLE = "noop"
"""The name that rule sheets give to the move of a role without a choice; not shown beside a real move."""


def is_card_game(game: Game) -> TypeGuard[CardGame]:
    """Whether the game is a flow chart."""
    if game.rules is not None:  # in logic: the readers of charts need not be imported
        return False
    from ..cards.machine.game import CardGame

    return isinstance(game, CardGame)
