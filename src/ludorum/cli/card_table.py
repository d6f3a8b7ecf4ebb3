"""Card games in every verb that shows moves or states: cards by their faces, tables as people see them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ..rules.terms import Term
from ..scene.card_games import IDLE

Lines = tuple[str, ...]


def said_moves(moves: Iterable[tuple[str, Term]]) -> tuple[tuple[str, str], ...]:
    """Roles and what they did, in words; roles without a choice are left out."""
    from ..cards.show.faces import move_text

    return tuple((role, move_text(move)) for role, move in moves if move.name != IDLE)


def wrapped(lines: Iterable[str], width: int) -> str:
    """A table for a screen of the given width."""
    return "\n".join(part for line in lines for part in textwrap.wrap(line, width))
