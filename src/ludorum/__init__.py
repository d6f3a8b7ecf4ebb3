"""Ludorum reads the rules of any game, checks them, runs them and plays them.

The rooms, from logic towards people: `ludorum.rules` reads and checks rule sheets, `ludorum.engine` runs
them, `ludorum.players` and `ludorum.arena` play them, `ludorum.cli` is the command line. `ludorum.load_game`
is the way in for most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .engine import Game, State, load_game

__version__ = "0.1.0"

__all__ = ["Game", "State", "__version__", "load_game"]


def __getattr__(name: str) -> object:
    """The engine is loaded by those who ask for it: a verb that only reads rules starts without it."""
    if name in ("Game", "State", "load_game"):
        from . import engine

        return getattr(engine, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
