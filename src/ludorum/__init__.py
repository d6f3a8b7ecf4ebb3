"""Ludorum reads the rules of any game, checks them, runs them and plays them.

The names below are what most people need; each has an example in its docstring. They are loaded when they
are used, so that ``import ludorum`` is quick. The packages are there for those who want more:
``ludorum.rules`` reads and checks rule sheets, ``ludorum.engine`` runs them, ``ludorum.search`` and
``ludorum.solve`` look ahead, ``ludorum.players`` and ``ludorum.arena`` play.

>>> import ludorum
>>> state = ludorum.load_game("tictactoe").initial()
>>> state = state.play({"xplayer": "(mark 2 2)"})
>>> print(state.ascii())
3  . . .
2  .[x].
1  . . .
   1 2 3
control  oplayer
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api.check import check_rules, repair_rules
    from .api.explain import explain_game
    from .api.games import list_games, playouts
    from .api.play import list_players, play_match, play_tournament
    from .api.solve import find_plan, prove_game, solve_game
    from .engine.game import Game, State
    from .engine.load import load_game
    from .players.registry import make_player

__version__ = "0.1.0"

__all__ = [
    "Game",
    "State",
    "__version__",
    "check_rules",
    "explain_game",
    "find_plan",
    "list_games",
    "list_players",
    "load_game",
    "make_player",
    "play_match",
    "play_tournament",
    "playouts",
    "prove_game",
    "repair_rules",
    "solve_game",
]

_PLACES = {
    "Game": "engine.game",
    "State": "engine.game",
    "check_rules": "api.check",
    "explain_game": "api.explain",
    "find_plan": "api.solve",
    "list_games": "api.games",
    "list_players": "api.play",
    "load_game": "engine.load",
    "make_player": "players.registry",
    "play_match": "api.play",
    "play_tournament": "api.play",
    "playouts": "api.games",
    "prove_game": "api.solve",
    "repair_rules": "api.check",
    "solve_game": "api.solve",
}
"""The module of each name."""


def __getattr__(name: str) -> object:
    """Loads what is asked for: a program that only reads rules starts without engines."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{place}", __name__), name)


def __dir__() -> list[str]:
    return list(__all__)
