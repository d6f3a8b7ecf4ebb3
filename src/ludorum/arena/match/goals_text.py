"""The goal values of a match, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.game import RANDOM


def goals_text(goals: Iterable[tuple[object, object]]) -> str:
    """The goals of all roles but nature, which plays for nothing.

    >>> goals_text([("white", 100), ("black", 0), ("random", None)])
    'white 100, black 0'
    """
    return ", ".join(
        f"{role} {'?' if goal is None else goal}" for role, goal in goals if not _is_nature(role)
    )


def _is_nature(role: object) -> bool:
    """As ``is_nature``, also for roles of records, which are any text."""
    return str(role) == str(RANDOM) or str(role).startswith(f"({RANDOM} ")


__all__ = ["goals_text"]
