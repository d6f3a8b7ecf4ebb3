"""Possible states that earlier questions have shown, played on: each is a witness that costs no solver.

Two of them that differ prove that something is not known, one of them that something is possible
(filtering-gdl2, 9.5). Nothing follows from what no witness shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from math import prod

from .._core import SplitMix64
from ..engine.game import Game, JointMove, State
from ..rules.terms import Term

MOST_WITNESSES = 8
MOST_TRIES = 32
"""Joint moves that are tried for each witness in a step."""


class WitnessPool:
    """Some possible states of a match for one role."""

    def __init__(self, game: Game, role: Term, seed: int = 0) -> None:
        self._game = game
        self._role = role
        self._seat = game.roles.index(role)
        self._chance = SplitMix64(seed)
        self.states: list[State] = []

    def add(self, facts: Iterable[Term]) -> None:
        """Take a possible state; older ones make room for it."""
        state = self._game.state(facts)
        if state not in self.states:
            self.states = [*self.states[-(MOST_WITNESSES - 1) :], state]

    def keep(self, over: bool) -> None:
        """Keep the states that are terminal, or those that are not."""
        self.states = [state for state in self.states if state.is_terminal is over]

    def advance(self, move: Term, percepts: Iterable[Term], heeds_messages: bool) -> None:
        """Play on: one successor of each state that agrees with the step, where one is found soon."""
        wanted = frozenset(percepts)
        found: list[State] = []
        for state in self.states:
            if not (state.is_terminal and heeds_messages):
                fitting = (one for one in self._successors(state, move) if _shows(one, self._role, wanted))
                after = next(fitting, None)
                if after is not None and after not in found:
                    found.append(after)
        self.states = found

    def _successors(self, state: State, move: Term) -> Iterator[State]:
        for joint in self._joints(state, move):
            yield state.play(joint)

    def _joints(self, state: State, move: Term) -> Iterator[JointMove]:
        choices = [state.legal(role) for role in self._game.roles]
        choices[self._seat] = (move,) if move in choices[self._seat] else ()
        count = prod(map(len, choices))
        if count <= MOST_TRIES:
            yield from islice(product(*choices), count)
            return
        for _ in range(MOST_TRIES):
            yield tuple(moves[self._chance.below(len(moves))] for moves in choices)


def _shows(state: State, role: Term, percepts: frozenset[Term]) -> bool:
    return frozenset(state.percepts(role)) == percepts
