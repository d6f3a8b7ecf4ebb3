"""Every game of the library has scenes, and words for every move."""

from __future__ import annotations

import json
from itertools import islice

import pytest

import ludorum
from ludorum.engine.load import load_game
from ludorum.scene import StepLines, Watcher, choices_of, scene_of, to_json

STEPS = 70
"""Steps of a random match: a deal of cards takes 52."""
SHOWN = 4
"""Positions of it that are shown."""
LONG = {
    "amazons",
    "auction",
    "bazaar",
    "black_jack",
    "blind_breakthrough_6",
    "chess",
    "five_dice",
    "forecast",
    "hidden_connect",
    "krieg_tictactoe",
    "pig",
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if name in LONG else name for name in ludorum.list_games()],
)
def test_every_viewer_has_scenes_and_every_move_has_words(name: str) -> None:
    game = load_game(name)
    states = list(islice(game.playout(5), STEPS))
    ends = sorted({len(states) * part // SHOWN or 1 for part in range(1, SHOWN + 1)})
    for role in (*game.info.players, None):
        watcher, lines = Watcher(game, role), StepLines(game, role)
        for end in ends:
            sight = watcher.sight(states[:end])
            scene = scene_of(game, sight)
            assert json.loads(json.dumps(to_json(scene))) == to_json(scene)
            assert scene.spoken
            assert scene.board is None or scene.cards is None
            told = lines.lines(states[:end], sight.is_open)
            assert all(line.words and line.first <= line.step < end for line in told)
            if role is not None:
                choices = choices_of(game, states[end - 1], role, sight)
                words = [choice.words for choice in choices]
                assert all(words)
                assert len(set(words)) == len(words)
                assert json.loads(json.dumps(list(map(to_json, choices)))) == list(map(to_json, choices))
                assert {choice.move for choice in choices} == {
                    str(move) for move in states[end - 1].legal(role) if not states[end - 1].is_terminal
                }
