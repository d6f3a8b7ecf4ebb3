"""Which moves only wait for another role, and which have to be made by hand."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.game import Game
from ..rules.terms import Term

WAITING = frozenset({"noop", "pass", "wait", "skip", "nil", "none"})
"""Names of moves that do nothing."""
DEEDS = frozenset({"pass", "skip"})
"""Those of them by which a role lets its turn go by, so that it had one."""


def waits(move: Term) -> bool:
    """Whether a move does nothing."""
    return move.name.lower() in WAITING and not move.args


def is_asked(game: Game, legal: Sequence[Term]) -> bool:
    """Whether a role makes its move itself; all other moves are forced and pass by themselves.

    It does so where it has a choice. Where the rules hide something, it also makes the only move that they
    leave it, as at a card table: a card that is there at once would tell that there was no other.
    """
    if len(legal) != 1:
        return bool(legal)
    is_secret = not game.info.is_open and len(game.info.players) > 1
    return is_secret and (not waits(legal[0]) or legal[0].name.lower() in DEEDS)
