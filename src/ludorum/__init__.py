"""Ludorum reads the rules of any game, checks them, runs them and plays them.

The rooms, from logic towards people: `ludorum.rules` reads and checks rule sheets, `ludorum.engine` runs
them, `ludorum.players` and `ludorum.arena` play them, `ludorum.cli` is the command line.
"""

__version__ = "0.1.0"

__all__ = ["__version__"]
