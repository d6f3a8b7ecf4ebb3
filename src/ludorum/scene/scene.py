"""From what a viewer sees to the scene that a page draws."""

from __future__ import annotations

from dataclasses import asdict

from ..engine.game import Game
from .board_scene import board_scene
from .fact_groups import TURN, fact_groups
from .game_look import look_of_game
from .model import FactGroup, MoveChoice, Scene
from .sight import ViewerSight
from .spoken import spoken_scene
from .step_words import percept_words


def scene_of(game: Game, sight: ViewerSight) -> Scene:
    """The scene of one position for one viewer."""
    look = look_of_game(game)
    board = board_scene(look, sight)
    cards = None if look.cards is None or board is not None else look.cards.scene(sight)
    facts = fact_groups(look, sight)
    told = () if sight.is_open else tuple(filter(None, (percept_words(game, one) for one in sight.percepts)))
    if sight.cards is not None:
        from .card_scene import card_scene
        from .card_words import happened

        viewer = None if sight.is_open else len(look.players) if sight.seat is None else sight.seat
        cards = card_scene(sight.cards, look.roles, viewer, sight.seat)
        told = tuple(filter(None, happened(sight.cards.events, viewer).split("; ")))
        if sight.cards.asked is not None:
            facts = (FactGroup(TURN, (look.roles[sight.cards.asked],)),)
    is_hidden = not sight.is_open and (sight.step > 0 or sight.cards is not None)
    return Scene(
        board=board,
        cards=cards,
        facts=facts,
        told=told,
        is_hidden=is_hidden,
        spoken=spoken_scene(board, cards, facts, told, is_hidden),
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
