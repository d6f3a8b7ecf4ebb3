"""Players: recipes that choose a move, and the registry of their names. May import the packages below arena.

A player is handed a ``Position``: its role, its legal moves, what it may know, and never more.
"""

from ..engine.sight import Position, past_of, position_of
from .guard import Answer, Guard, Lapse
from .player import DelegatingPlayer, Player
from .registry import STRONGEST, describe_player, describe_players, make_player, player_names, split_names
from .simple import GreedyPlayer, LegalPlayer, RandomPlayer

__all__ = [
    "STRONGEST",
    "Answer",
    "DelegatingPlayer",
    "GreedyPlayer",
    "Guard",
    "Lapse",
    "LegalPlayer",
    "Player",
    "Position",
    "RandomPlayer",
    "describe_player",
    "describe_players",
    "make_player",
    "past_of",
    "player_names",
    "position_of",
    "split_names",
]
