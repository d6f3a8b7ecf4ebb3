"""Ways to make players that can be sent to the process of a match: it imports this file, and little else."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ludorum.players import Player, make_player


def named(name: str) -> Callable[[int], Player]:
    """The player of that name, with the seed of the match."""
    return partial(make_player, name)


def always(make: Callable[..., Player], *args: object) -> Callable[[int], Player]:
    """The same player whatever the seed."""
    return partial(_make, make, args)


def _make(make: Callable[..., Player], args: tuple[object, ...], seed: int) -> Player:
    return make(*args)
