"""What a person sees of a position, as plain values: boards, card tables, facts, and moves in words.

In comes a match as the viewer may see it (``Watcher``, ``sight_of``), out come a ``Scene``, the choices of a
role, and lines of moves. Pages draw them, and readers speak them, without knowing the game.
"""

from .choices import choices_of
from .model import (
    BoardScene,
    CardFace,
    CardHand,
    CardPile,
    CardScene,
    FactGroup,
    MoveChoice,
    PieceLook,
    Scene,
)
from .scene import scene_of, to_json
from .sight import ViewerSight, Watcher, sight_of

__all__ = [
    "BoardScene",
    "CardFace",
    "CardHand",
    "CardPile",
    "CardScene",
    "FactGroup",
    "MoveChoice",
    "PieceLook",
    "Scene",
    "ViewerSight",
    "Watcher",
    "choices_of",
    "scene_of",
    "sight_of",
    "to_json",
]
