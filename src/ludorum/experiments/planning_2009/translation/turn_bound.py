"""The number of turns of a game, guessed from the name of a relation (asp-player, section 6.5)."""

from __future__ import annotations

from collections.abc import Iterable

from .reading import parts

DEFAULT_BOUND = 20
"""Turns of a game without a successor relation."""


def turn_bound(statements: Iterable[str]) -> int:
    """The last argument of the last statement whose name begins with ``succ``, not the largest."""
    bound = DEFAULT_BOUND
    for statement in statements:
        if statement.startswith("(succ") and (last := parts(statement)[-1]).isdigit():
            bound = int(last)
    return bound
