"""Proofs by induction about one game: invariants proved first are given in later questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ...asp.ground import GroundProgram
from ...engine.game import JointMove
from ...rules.terms import Term
from ...search.budget import Budget, Stopwatch
from ..horizon import OutOfTime
from .families import Family, find_families
from .invariants import latches, prove_families
from .pairs import Pair, prove_pairs
from .plays import Plays
from .transitions import Bad, Literal, Transitions

MOST_INDUCTION = 2
"""Steps of k-induction: more copies of the rules cost more than they gain."""
MOST_COPIED_RULES = 1_500_000
"""Ground rules in all copies together: bounds the memory."""


@dataclass(frozen=True)
class Seen:
    """What random plays have shown, by the numbers of the fluents in the ground program."""

    states: NDArray[np.bool_]
    steps: NDArray[np.int8]
    """For each fluent: 1 it was seen to become true, 2 false, 3 both."""
    followers: tuple[tuple[frozenset[int], frozenset[int]], ...]
    """Some pairs of states, one after the other."""


class Proof:
    """Questions to ``Transitions``, answered under the invariants proved so far."""

    def __init__(self, program: GroundProgram, seen: Seen, watch: Stopwatch) -> None:
        self.program = program
        self.seen = seen
        self.watch = watch
        self.transitions = Transitions(program, watch)
        self.with_pairs = False
        """Whether pairs of fluents are tried where families do not suffice, which can take long."""

    @cached_property
    def families(self) -> list[Family]:
        """Families of which at most one fluent holds, proved; given in every question from then on."""
        return prove_families(self.transitions, find_families(self.transitions.fluents, self.seen.states))

    @cached_property
    def latches(self) -> list[tuple[int, bool]]:
        """Fluents that stay true once true, or false once false; proved."""
        self.prepare()
        return latches(self.transitions, self.seen.steps)

    def prepare(self) -> None:
        """Prove the families first: they strengthen all other questions."""
        _ = self.families

    @cached_property
    def pairs(self) -> list[Pair]:
        """Pairs of fluents that exclude or imply each other, proved; none where that takes too long."""
        whole = self.watch
        if whole.seconds_left is not None:
            self.watch = self.transitions.watch = Stopwatch(Budget(seconds=whole.seconds_left / 2))
        try:
            return prove_pairs(self.transitions, self.seen.states, self.families)
        except OutOfTime:
            return []
        finally:
            self.watch = self.transitions.watch = whole

    def never(self, bad: Bad) -> str | None:
        """How it was proved that no reachable state is faulty, in words; None where it was not proved."""
        given = _count(self.families)
        found = self._never(bad, given)
        if found is None and self.with_pairs and self.pairs:
            return self._never(bad, f"{given} and {len(self.pairs)} of pairs")
        return found

    def _never(self, bad: Bad, given: str) -> str | None:
        if not self.transitions.possible(bad(self.transitions, 0)):
            return f"no state that satisfies {given} can break it"
        for depth in range(1, MOST_INDUCTION + 1):
            if not self.affordable(depth):
                break
            moving = [self.transitions.moves_from(step) for step in range(depth)]
            fine = [-bad(self.transitions, step) for step in range(depth)]
            if self.breaks_within(bad, depth - 1) is not None:
                return None
            if not self.transitions.possible(*moving, *fine, bad(self.transitions, depth)):
                return f"by induction over {depth} steps, given {given}"
        return None

    def breaks_within(self, bad: Bad, depth: int) -> tuple[JointMove, ...] | None:
        """A shortest play of at most so many moves that ends in a faulty state."""
        for length in range(depth + 1):
            self.transitions.extend(length)
            play = self.transitions.play(length, bad(self.transitions, length))
            if play is not None:
                return play
        return None

    def search(
        self, wanted: Callable[[int], Iterable[Literal]], longest: int
    ) -> tuple[tuple[JointMove, ...] | None, bool]:
        """A shortest play that ends as wanted, and whether the search was complete; in growing lengths."""
        for length in range(longest + 1):
            if not self.affordable(length):
                return None, False
            self.transitions.extend(length)
            play = self.transitions.play(length, *wanted(length))
            if play is not None:
                return play, True
            if self.transitions.play(length + 1) is None:
                return None, True
        return None, False

    def affordable(self, steps: int) -> bool:
        """Whether so many copies of the rules fit into the limit."""
        return (steps + 1) * max(1, self.transitions.size) <= MOST_COPIED_RULES


def seen_in(plays: Plays, fluents: list[Term]) -> Seen:
    """What plays have shown, for a proof."""
    number = {fluent: at for at, fluent in enumerate(fluents)}
    rows: list[frozenset[int]] = []
    steps = np.zeros(len(fluents), np.int8)
    followers: list[tuple[frozenset[int], frozenset[int]]] = []
    for play in plays.plays:
        own = [frozenset(number[fact] for fact in state.facts() if fact in number) for state in play]
        rows += own
        for before, after in pairwise(own):
            steps[list(after - before)] |= 1
            steps[list(before - after)] |= 2
            followers.append((before, after))
    distinct = list(dict.fromkeys(rows))
    states = np.zeros((len(distinct), len(fluents)), bool)
    for at, row in enumerate(distinct):
        states[at, list(row)] = True
    return Seen(states, steps, tuple(dict.fromkeys(followers)))


def _count(families: list[Family]) -> str:
    return f"{len(families)} proved families of exclusive fluents"


__all__ = ["OutOfTime", "Proof", "Seen", "seen_in"]
