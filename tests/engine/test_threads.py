"""Several threads ask one game: every answer is the one a lone thread gets, and nobody waits for ever."""

import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import pytest

from ludorum.engine import LiftedGame
from ludorum.engine.auto import AutoGame
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game
from ludorum.engine.load import load_rules
from ludorum.rules.library import find_sheet
from tests.own_process import PYTHON

MAKERS: dict[str, Callable[[str], Game]] = {
    "lifted": lambda name: LiftedGame(load_rules(find_sheet(name)), name),
    "compiled": lambda name: CompiledGame(load_rules(find_sheet(name)), name),
    "auto": lambda name: AutoGame(load_rules(find_sheet(name)), name),
}
GAMES = ("connect_four", "krieg_tictactoe", "blackjack")
"""Turns, percepts, chance."""

Story = list[tuple[object, ...]]


def story(game: Game, seed: int) -> Story:
    """Everything that is said in one random game."""
    return [
        (
            state.facts(),
            state.is_terminal,
            state.goals(),
            *(state.legal(role) for role in game.roles),
            *(state.percepts(role) for role in game.roles),
        )
        for state in game.playout(seed)
    ]


@cache
def expected(name: str, seeds: int) -> list[Story]:
    game = MAKERS["lifted"](name)
    return [story(game, seed) for seed in range(seeds)]


@pytest.mark.parametrize("engine", MAKERS)
@pytest.mark.parametrize("name", GAMES)
def test_threads_share_a_game(name: str, engine: str) -> None:
    game = MAKERS[engine](name)
    with ThreadPoolExecutor(4) as threads:
        told = list(threads.map(lambda seed: story(game, seed), range(12)))
    assert told == expected(name, 12)


# A stand-still would hold the interpreter lock for good, so these run where they can be killed.
BUSY = """
import sys, threading, time
from ludorum.engine.load import load_game
game = load_game("connect_four", sys.argv[1])
play = game.measure_playouts if sys.argv[1] == "lifted" else game.single.playouts
alone = play(300, seed=1)
found = []
worker = threading.Thread(target=lambda: found.append(play(seconds=0.8)))
worker.start()
began, answers = time.monotonic(), 0
while worker.is_alive():
    for state in game.playout(answers):
        answers += len(state.legal(game.roles[0]))
worker.join()
assert found and answers
steps = lambda counts: counts.steps if sys.argv[1] == "lifted" else counts["steps"]
assert steps(play(300, seed=1)) == steps(alone)
print("done")
"""


@pytest.mark.long
@pytest.mark.parametrize("engine", ["lifted", "compiled"])
def test_questions_and_random_play_at_once(engine: str) -> None:
    run = [*PYTHON, "-c", BUSY, engine]
    told = subprocess.run(run, capture_output=True, text=True, timeout=120, check=False)
    assert told.stdout.split() == ["done"], told.stderr
