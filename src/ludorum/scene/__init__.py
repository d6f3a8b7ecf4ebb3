"""What a person sees of a position, as plain values: boards, card tables, facts, and moves in words.

In comes a match as the viewer may see it (``Watcher``, ``sight_of``), out come a ``Scene``, the choices of a
role, and lines of moves. Pages draw them, and readers speak them, without knowing the game.
"""

from .asked import asked
from .choices import choices_of
from .model import (
    BoardScene,
    CardFace,
    CardHand,
    CardPile,
    CardScene,
    Dice,
    FactAmount,
    FactGroup,
    MoveChoice,
    PieceLook,
    Scene,
)
from .premoves import premoves_of
from .scene import scene_of, to_json
from .sight import ViewerSight, Watcher, sight_of
from .step_words import StepLine, StepLines
from .waiting import Asking

__all__ = [
    "Asking",
    "BoardScene",
    "CardFace",
    "CardHand",
    "CardPile",
    "CardScene",
    "Dice",
    "FactAmount",
    "FactGroup",
    "MoveChoice",
    "PieceLook",
    "Scene",
    "StepLine",
    "StepLines",
    "ViewerSight",
    "Watcher",
    "asked",
    "choices_of",
    "premoves_of",
    "scene_of",
    "sight_of",
    "to_json",
]
