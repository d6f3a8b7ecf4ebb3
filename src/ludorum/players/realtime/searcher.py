"""A player that compares what it could do now with doing nothing yet, by playing on at random."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from ...engine.wdl_master import MasterState, WdlMaster
from ...engine.wdl_packed import PackedMaster, PackedState
from ...rules.terms import Pattern, Term, as_integer
from .actor import RealtimePlayer

PAUSE = 4
"""Hundredths of a second between two moves of a random continuation, on average."""
WARM_UP = 5
"""Continuations before a match: the first ones choose how rules are joined, and take their time."""
LONGEST = 40
"""Moves of a random continuation."""
EXPLORATION = 0.6
UNTRIED = 1000.0
"""What a choice promises that was never tried: more than any other."""
NUMBER = Term("0")
LEAST_TIMES = 4
"""How often every choice is tried before any is made."""
KEPT = 0.95
"""How much of what was tried still counts after numbers in facts have changed."""
MARGIN = 0.02
"""By how much acting must be better than waiting, in shares of the goal, to be done at once."""
PATIENCE = 20
"""Hundredths of a second after which acting need only be no worse: few games are won by waiting."""
FADING = 0.001
"""How much less each signal of the clock makes a result worth that comes later."""
RANDOM_GOAL = 0.5
"""The worth of a continuation that was broken off where rules give no goal yet."""


@dataclass
class Tried:
    """What continuations have shown of one choice."""

    times: int = 0
    visits: float = 0.0
    """The same, where what was tried long ago counts for less."""
    total: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.visits if self.visits else 0.0

    def add(self, worth: float) -> None:
        self.times += 1
        self.visits += 1
        self.total += worth

    def fade(self) -> None:
        """Count for less, since the present is another."""
        self.visits *= KEPT
        self.total *= KEPT


@dataclass
class _Thoughts:
    """What is known of the choices since the last move of anybody."""

    legal: tuple[Term, ...]
    facts: frozenset[Term]
    shapes: frozenset[Pattern]
    """The facts without the numbers in them, which clocks and counters change all the time."""
    since: int
    waiting: Tried = field(default_factory=Tried)
    moves: dict[Term, Tried] = field(default_factory=dict)


class RealtimeSearcher(RealtimePlayer):
    """Plays on at random from every choice, and acts as soon as that is better than waiting."""

    name = "realtime"

    def __init__(self, seed: int = 0, playouts: int | None = None) -> None:
        """``playouts``: continuations in each moment, instead of as many as there is time for."""
        self._random = Random(seed)
        self._playouts = playouts
        self._thoughts: _Thoughts | None = None

    def start(self, master: WdlMaster, role: Term) -> None:
        self._packed = PackedMaster(master)
        self._role = role
        self._thoughts = None
        self._tick = master.sheet.settings.tick
        begin = self._packed.pack(master.initial())
        for _ in range(WARM_UP):
            self._worth(begin, None)

    def think(self, state: MasterState, legal: Sequence[Term], seconds: float) -> Term | None:
        deadline = time.monotonic() + seconds
        if self._packed.is_full:
            self._packed = PackedMaster(self._packed.master)
        thoughts = self._thoughts_of(state, tuple(legal))
        packed = self._packed.pack(state)
        done = 0
        while done < self._playouts if self._playouts is not None else time.monotonic() < deadline:
            self._try_one(packed, thoughts)
            done += 1
        return self._decide(state.clock, thoughts)

    def _thoughts_of(self, state: MasterState, legal: tuple[Term, ...]) -> _Thoughts:
        """Older thoughts, as long as nothing but numbers has changed: those make them fade."""
        old = self._thoughts
        if old is not None and old.legal == legal and old.facts == state.facts:
            return old
        shapes = frozenset(map(_shape, state.facts))
        if old is None or old.legal != legal or old.shapes != shapes:
            tried = {move: Tried() for move in legal}
            old = self._thoughts = _Thoughts(legal, state.facts, shapes, state.clock, moves=tried)
        else:
            for one in (old.waiting, *old.moves.values()):
                one.fade()
            old.facts = state.facts
        return old

    def _decide(self, clock: int, thoughts: _Thoughts) -> Term | None:
        is_due = (clock - thoughts.since) * self._tick >= PATIENCE
        least = min(one.times for one in (thoughts.waiting, *thoughts.moves.values()))
        if least < (1 if is_due else LEAST_TIMES):
            return None
        best = max(thoughts.moves, key=lambda move: thoughts.moves[move].mean)
        gain = thoughts.moves[best].mean - thoughts.waiting.mean
        if gain < (-MARGIN if is_due else MARGIN):
            return None
        self._thoughts = None  # the move will change the state, or was not legal any more
        return best

    def _try_one(self, state: PackedState, thoughts: _Thoughts) -> None:
        """Play on from the choice that promises most, or was tried least."""
        choices = [thoughts.waiting, *thoughts.moves.values()]
        visits = math.log(1 + sum(one.visits for one in choices))

        def promise(index: int) -> float:
            one = choices[index]
            if one.times < LEAST_TIMES:
                return UNTRIED - one.times
            return one.mean + EXPLORATION * math.sqrt(visits / one.visits)

        index = max(range(len(choices)), key=promise)
        move = None if index == 0 else thoughts.legal[index - 1]
        choices[index].add(self._worth(state, move))

    # -- continuations -----------------------------------------------------------------------------------

    def _worth(self, state: PackedState, move: Term | None) -> float:
        """The own goal, as a share, where play goes on at random after a move, or after waiting."""
        packed, begin = self._packed, state.clock
        if move is not None:
            state = packed.act(state, self._role, move, self._random)
        for _ in range(LONGEST):
            state, is_over = self._waited(state)
            if is_over:
                break
            state = self._somebody_acts(state)
        goal = packed.goal(state, self._role)
        worth = RANDOM_GOAL if goal is None else min(goal, 100) / 100
        return RANDOM_GOAL + (worth - RANDOM_GOAL) * (1 - FADING) ** (state.clock - begin)

    def _waited(self, state: PackedState) -> tuple[PackedState, bool]:
        """The state after a pause, or at the end where that comes before; and whether it is the end."""
        packed = self._packed
        for _ in range(1 + int(self._random.expovariate(self._tick / PAUSE))):
            if packed.is_terminal(state):
                return state, True
            state = packed.tick(state)
        return state, packed.is_terminal(state)

    def _somebody_acts(self, state: PackedState) -> PackedState:
        packed = self._packed
        for role in self._random.sample(packed.master.roles, len(packed.master.roles)):
            if legal := packed.legal(state, role):
                return packed.act(state, role, self._random.choice(legal), self._random)
        return state


def _shape(fact: Pattern) -> Pattern:
    """A fact with 0 for every number in it."""
    assert isinstance(fact, Term)
    if not fact.args:
        return NUMBER if as_integer(fact) is not None else fact
    return Term(fact.name, tuple(map(_shape, fact.args)))
