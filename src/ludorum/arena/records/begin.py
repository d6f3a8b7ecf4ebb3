"""Begins a match: a new one, or the continuation of a record."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Literal

from ...engine.game import Game
from ..match.match import Match
from .spectator import PublishedMatch, match_name

_MATCH_ID = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,199}")


def begin_match(
    game: Game,
    seed: int = 0,
    name: str = "",
    first: PublishedMatch | None = None,
    replace_by: Literal["first", "random"] = "first",
) -> Match:
    """A new match, or the continuation of ``first``; ValueError where ``first`` cannot be continued.

    ``seed`` is nature's seed in a new match, and in one whose record does not name any.
    """
    if first is None:
        match = Match(game, seed, replace_by=replace_by)
        match.match_id = check_match_id(name or match_name(game.name, match.times[0]))
        return match
    if name:
        raise ValueError("a continued match keeps its name: leave --id out")
    record = first.record
    if record.roles is not None and set(record.roles) != set(game.roles):
        roles = ", ".join(map(str, record.roles))
        raise ValueError(f"the record is not of {game.name}: its roles are {roles}")
    record = replace(record, seed=seed if record.seed is None else record.seed)
    match = Match.resumed(game, record, replace_by=replace_by)
    if match.is_over or first.aborted:
        how = "is over" if match.is_over else "was aborted"
        raise ValueError(f"the match {record.match_id} {how}: it cannot be continued")
    return match


def check_match_id(name: str) -> str:
    """The name of a match, if all players can read it; else ValueError."""
    if not _MATCH_ID.fullmatch(name):
        raise ValueError(f"a match id is a letter and letters, digits or dots, not {name!r}")
    return name
