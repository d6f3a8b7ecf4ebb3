"""The first position of a game, for small pictures in lists; a function that runs in another process."""

from __future__ import annotations

from ...rules.library import Sheet, read_header
from ...rules.source import Source
from ...scene import scene_of, sight_of, to_json
from .card import drawn_game


def first_scene(game_id: str, language: str, text: str) -> dict[str, object]:
    """What a spectator sees of the first position."""
    game = drawn_game(Sheet(game_id, language, Source(game_id, text), read_header(text)))
    return to_json(scene_of(game, sight_of(game, [game.initial()], None, False)))
