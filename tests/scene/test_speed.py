"""Scenes are made quickly: a server makes one for each viewer after every move."""

from __future__ import annotations

import time
from itertools import islice

import pytest

from ludorum.engine.load import load_game
from ludorum.scene import Watcher, choices_of, scene_of, to_json


@pytest.mark.parametrize(("name", "milliseconds"), [("chess", 5.0), ("connect_four", 2.0), ("hearts", 5.0)])
def test_a_scene_takes_few_milliseconds(name: str, milliseconds: float) -> None:
    game = load_game(name)
    role = game.info.players[0]
    states = list(islice(game.playout(1), 61))
    watcher = Watcher(game, role)
    half = len(states) // 2
    scene_of(game, watcher.sight(states[:half]))
    best = float("inf")
    for length in range(half + 1, len(states)):
        start = time.process_time()
        sight = watcher.sight(states[:length])
        to_json(scene_of(game, sight))
        choices_of(game, states[length - 1], role, sight)
        best = min(best, time.process_time() - start)
    assert 1000 * best < milliseconds, "the quickest of some positions: others may run beside the test"
