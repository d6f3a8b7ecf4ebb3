"""From what a viewer sees to the scene that a page draws."""

from __future__ import annotations

from dataclasses import asdict

from ..engine.game import Game
from .board_scene import board_scene
from .fact_groups import fact_groups, fact_words
from .game_look import look_of_game
from .model import MoveChoice, Scene
from .sight import ViewerSight
from .spoken import spoken_scene


def scene_of(game: Game, sight: ViewerSight) -> Scene:
    """The scene of one position for one viewer."""
    look = look_of_game(game)
    board = board_scene(look, sight)
    facts = fact_groups(look, sight)
    told = () if sight.is_open else tuple(map(fact_words, sight.percepts))
    is_hidden = not sight.is_open and sight.step > 0
    return Scene(
        board=board,
        cards=None,
        facts=facts,
        told=told,
        is_hidden=is_hidden,
        spoken=spoken_scene(board, None, facts, told, is_hidden),
    )


def to_json(value: Scene | MoveChoice) -> dict[str, object]:
    """A scene or a choice as JSON: dictionaries, lists, texts and numbers."""
    found = _plain(asdict(value))
    assert isinstance(found, dict)
    return found


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value
