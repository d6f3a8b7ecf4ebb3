"""How many worlds a second the packed sampler gives that agree with all a role was told, on one core.

    python bench/worlds.py [GAME ...]

A random match is followed for every role. "A step" counts the worlds that agree after each step and the time
of its update; "whole matches" counts those after the last step and the time of all updates before it.
"""

from __future__ import annotations

import sys
import time

from ludorum.engine.compiled import CompiledGame
from ludorum.engine.load import load_game
from ludorum.knowledge.knower import ImpossiblePerceptsError
from ludorum.knowledge.worlds import PackedWorlds
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term

WORLDS = 100_000
STEPS = 8
"""Steps of a match that are followed."""


def measure(game: CompiledGame, role: Term, seed: int) -> tuple[int, int, float]:
    """Worlds after all steps together, worlds after the last, and seconds."""
    sampler = PackedWorlds(game, role, seed, most=WORLDS, most_joints=2 * WORLDS)
    seat = game.roles.index(role)
    total, seconds = 0, 0.0
    for state in list(game.playout(seed))[1 : STEPS + 1]:
        assert state.joint is not None
        begin = time.perf_counter()
        try:
            sampler.update(state.joint[seat], state.percepts(role))
        except ImpossiblePerceptsError:
            break
        seconds += time.perf_counter() - begin
        total += sampler.drawn
    return total, sampler.drawn, seconds


def main() -> None:
    names = sys.argv[1:] or sorted(sheet.name for sheet in library_sheets() if sheet.language == "gdl2")
    print(f"{'game':22} {'role':12} {'worlds/s, a step':>18} {'worlds/s, whole matches':>24}")
    for name in names:
        game = load_game(name, "compiled")
        assert isinstance(game, CompiledGame)
        for role in game.info.players:
            total, last, seconds = measure(game, role, 1)
            print(f"{name:22} {role!s:12} {total / seconds:18,.0f} {last / seconds:24,.0f}", flush=True)


if __name__ == "__main__":
    main()
