"""The goal values of a match, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ...rules.kif import parse_term
from ...rules.ruleset import is_nature


def goals_text(goals: Iterable[tuple[object, object]]) -> str:
    """The goals of all roles but nature, which plays for nothing.

    >>> goals_text([("white", 100), ("black", 0), ("random", None)])
    'white 100, black 0'
    """
    return ", ".join(
        f"{role} {'?' if goal is None else goal}"
        for role, goal in goals
        if not is_nature(parse_term(str(role)))
    )


__all__ = ["goals_text"]
