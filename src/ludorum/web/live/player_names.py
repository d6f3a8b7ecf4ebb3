"""The names of players that people on the web may ask for."""

from __future__ import annotations

from functools import cache

from ...players import make_player
from ...players.registry import is_foreign, player_names
from .plan import Refused

LONGEST = 200


def check_player(name: str) -> None:
    """Refused where there is no such player, or only one that a file of this machine describes."""
    base = name.partition(":")[0]
    if len(name) > LONGEST or base not in _known_names():
        raise Refused(f"there is no player {name[:LONGEST]!r}")
    if is_foreign(name):  # making it would start its process
        return
    try:
        make_player(name).close()
    except ValueError as error:
        raise Refused(str(error)) from error


@cache
def _known_names() -> frozenset[str]:
    """Kept: to look for the players of other packages takes milliseconds, for each match that is made."""
    return frozenset(player_names())
