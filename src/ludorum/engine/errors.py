"""What games refuse."""

from __future__ import annotations


class GameError(Exception):
    """A question the game has no answer to."""


class IllegalMoveError(GameError):
    """A move that the rules do not allow in this state."""


class MalformedStateError(GameError):
    """A text that does not write a state."""
