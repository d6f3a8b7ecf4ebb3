"""Facts that only count steps: the same in every game after as many steps, and never the same twice.

Sheets for one player often limit the number of moves by such a counter, which makes one position as many
states as there are steps in which it can occur.
"""

from __future__ import annotations

from itertools import islice

import numpy as np
from numpy.typing import NDArray

from .._core import SplitMix64
from ..engine.compiled import CompiledGame
from ..engine.game import State, random_states

GAMES = 6
"""Random games that are looked at."""
LONGEST = 300
"""Steps of them that are."""


def step_counter(game: CompiledGame, state: State) -> NDArray[np.uint8] | None:
    """The packed bits of the counters' fluents, as seen in some random games; None where there is none."""
    seen: dict[str, list[set[str]]] = {}
    longest = 0
    for seed in range(GAMES):
        for step, each in enumerate(islice(random_states(state, SplitMix64(seed)), LONGEST)):
            longest = max(longest, step + 1)
            named: dict[str, set[str]] = {}
            for fact in each.facts():
                named.setdefault(fact.name, set()).add(str(fact))
            for name, facts in named.items():
                steps = seen.setdefault(name, [])
                steps.extend(set() for _ in range(len(steps), step + 1))
                steps[step] |= facts
    counters = {name for name, steps in seen.items() if _counts(steps, longest)}
    if not counters:
        return None
    bits = np.array([fluent.name in counters for fluent in game.circuit.fluents])
    return np.packbits(bits, bitorder="little")


def _counts(steps: list[set[str]], longest: int) -> bool:
    """Whether there is one fact a step, another one each time."""
    if len(steps) < max(2, longest) or any(len(facts) != 1 for facts in steps):
        return False
    return len(set.union(*steps)) == len(steps)
