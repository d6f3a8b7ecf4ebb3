"""Card games in every verb that shows moves or states: cards by their faces, tables as people see them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeGuard

from ..rules.terms import Term

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from ..engine.game import Game

Lines = tuple[str, ...]
IDLE = "noop"
"""The name that rule sheets give to the move of a role without a choice; not shown beside a real move."""


def is_card_game(game: Game) -> TypeGuard[CardGame]:
    """Whether the game is a flow chart."""
    if game.rules is not None:  # in logic: the readers of charts need not be imported
        return False
    from ..cards.machine.game import CardGame

    return isinstance(game, CardGame)


def said_moves(moves: Iterable[tuple[str, Term]]) -> tuple[tuple[str, str], ...]:
    """Roles and what they did, in words; roles without a choice are left out."""
    from ..cards.show.faces import move_text

    return tuple((role, move_text(move)) for role, move in moves if move.name != IDLE)


def wrapped(lines: Iterable[str], width: int) -> str:
    """A table for a screen of the given width."""
    return "\n".join(part for line in lines for part in textwrap.wrap(line, width))
