"""Card games in every verb that shows moves or states: cards by their faces, tables as people see them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeGuard

from ..rules.terms import Term

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from ..engine.game import Game

Lines = tuple[str, ...]


def is_card_game(game: Game) -> TypeGuard[CardGame]:
    """Whether the game is a flow chart."""
    if game.rules is not None:  # in logic: the readers of charts need not be imported
        return False
    from ..cards.machine.game import CardGame

    return isinstance(game, CardGame)


def said_moves(moves: Iterable[tuple[str, Term]]) -> tuple[tuple[str, str], ...]:
    """Roles and what they did, in words; roles without a choice are left out."""
    from ..cards.show.faces import move_text

    return tuple((role, move_text(move)) for role, move in moves if move.name != "noop")


def joint_text(game: Game, joint: Sequence[Term]) -> str:
    """What all roles did in one step, as a line of a match shows it."""
    moves = [(str(role), move) for role, move in zip(game.roles, joint, strict=True)]
    said = said_moves(moves) if is_card_game(game) else [(role, str(move)) for role, move in moves]
    return ", ".join(f"{role} {text}" for role, text in said)


def wrapped(lines: Iterable[str], width: int) -> str:
    """A table for a screen of the given width."""
    return "\n".join(part for line in lines for part in textwrap.wrap(line, width))
