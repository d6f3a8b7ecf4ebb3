"""Step counters: facts that depend on the number of steps alone, and differ at every step.

Sheets for one player often limit the number of moves by such a counter, which multiplies each position by the
steps at which it can occur.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from .._core import SplitMix64
from ..engine.circuit import Circuit, Literal
from ..engine.compiled import CompiledGame
from ..engine.game import State, random_states

GAMES = 6
"""Random games in which counters are looked for."""
LONGEST = 300
"""Steps of these games that are looked at."""


MOST_LITERALS = 3_000_000
"""The most literals of a circuit that is searched for the effects of a counter: about a second."""


@dataclass(frozen=True)
class StepCounter:
    """Facts that count steps."""

    bits: NDArray[np.uint8]
    """Their positions in a packed state."""
    only_limits: bool
    """Whether it is proved that they only end the game after some steps: moves, their effects and goals do
    not depend on the count, and neither does the end until the count itself ends the game."""


def known_step_counter(game: CompiledGame, state: State) -> StepCounter | None:
    """The counters of a game, looked for once: in games that begin where it is asked for first."""
    if game not in _KNOWN:
        _KNOWN[game] = step_counter(game, state)
    return _KNOWN[game]


_KNOWN: WeakKeyDictionary[CompiledGame, StepCounter | None] = WeakKeyDictionary()


def step_counter(game: CompiledGame, state: State) -> StepCounter | None:
    """The counters seen in some random games; None where there are none."""
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
    return StepCounter(np.packbits(bits, bitorder="little"), only_limits(game.circuit, bits))


def _counts(steps: list[set[str]], longest: int) -> bool:
    """Whether there is exactly one fact at each step, a new one each time."""
    if len(steps) < max(2, longest) or any(len(facts) != 1 for facts in steps):
        return False
    return len(set.union(*steps)) == len(steps)


COUNTER, OTHER = 1, 2
"""What a node of a circuit may depend on."""


def only_limits(circuit: Circuit, counter: NDArray[np.bool_]) -> bool:
    """Whether these fluents count whatever is done, and affect only the end of the game.

    The end must be a disjunction of conditions on the count alone and conditions without it: then every play
    ends when the count says so, and until then a position has the same value at any step.
    """
    if len(circuit.gate_literals) > MOST_LITERALS:
        return False
    on = _dependencies(circuit, counter)
    following = [on[literal >> 1] for literal in circuit.next.tolist()]
    if any(here & ~(COUNTER if own else OTHER) for here, own in zip(following, counter, strict=True)):
        return False
    free = [*circuit.legal.tolist(), *(literal for _, _, literal in circuit.goals)]
    if any(on[literal >> 1] & COUNTER for literal in free):
        return False
    return all(on[leaf >> 1] != COUNTER | OTHER for leaf in _disjuncts(circuit, circuit.terminal))


def _dependencies(circuit: Circuit, counter: NDArray[np.bool_]) -> list[int]:
    on = [OTHER] * circuit.first_gate + [0] * circuit.gates
    on[: len(counter)] = [COUNTER if own else OTHER for own in counter]
    on[circuit.true >> 1] = 0
    gates = list(circuit.gate_lists())
    changed = True
    while changed:  # again for each back edge of a loop
        changed = False
        for node, literals in enumerate(gates, circuit.first_gate):
            found = 0
            for literal in literals:
                found |= on[literal >> 1]
            if found != on[node]:
                on[node], changed = found, bool(circuit.loops)
    return on


def _disjuncts(circuit: Circuit, literal: Literal) -> list[Literal]:
    """Literals of which one must hold for this to hold; a disjunction is a negated gate of negations."""
    found: list[Literal] = []
    waiting, seen = [literal], {literal}
    while waiting:
        one = waiting.pop()
        gate = (one >> 1) - circuit.first_gate
        if one & 1 and gate >= 0:
            inside = {each ^ 1 for each in circuit.gate(gate)} - seen
            seen |= inside
            waiting += inside
        else:
            found.append(one)
    return found
