"""Errors of games."""

from __future__ import annotations


class GameError(Exception):
    """A question that the game cannot answer."""


class IllegalMoveError(GameError):
    """A move that the rules do not allow in this state."""


class MalformedStateError(GameError):
    """A text that is no state."""
