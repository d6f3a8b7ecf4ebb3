"""Worlds of rule sheets: states that agree with a role's moves and percepts, with their probabilities.

``worlds_for`` picks the sampler for a game. ``PackedWorlds`` follows thousands of states at once where the
game has a circuit, ``PlainWorlds`` is its readable twin for every engine. Both are exact while the states are
few, and draw some of them where they are many.
"""

from .choose import worlds_for
from .packed import PackedWorlds
from .plain import PlainWorlds
from .sampler import History, MoveModel, NoWorldYetError, PossibleState, Reinvent, ToldStep, WorldSampler

__all__ = [
    "History",
    "MoveModel",
    "NoWorldYetError",
    "PackedWorlds",
    "PlainWorlds",
    "PossibleState",
    "Reinvent",
    "ToldStep",
    "WorldSampler",
    "worlds_for",
]
