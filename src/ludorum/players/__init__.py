"""Players: recipes that choose a move, and the registry of their names. May import the rooms below arena.

A player is handed a ``Position``: its role, its legal moves, what it may know, and never more.
"""

from .lookahead import LookaheadPlayer
from .player import LegalPlayer, Player, Position, RandomPlayer, make_player, player_names, position_of

__all__ = [
    "LegalPlayer",
    "LookaheadPlayer",
    "Player",
    "Position",
    "RandomPlayer",
    "make_player",
    "player_names",
    "position_of",
]
