"""Ludorum reads the rules of any game, checks them, runs them and plays them.

The rooms, from logic towards people: `ludorum.rules` reads and checks rule sheets, `ludorum.engine` runs
them, `ludorum.players` and `ludorum.arena` play them, `ludorum.cli` is the command line. `ludorum.load_game`
is the way in for most.
"""

from .engine import Game, State, load_game

__version__ = "0.1.0"

__all__ = ["Game", "State", "__version__", "load_game"]
