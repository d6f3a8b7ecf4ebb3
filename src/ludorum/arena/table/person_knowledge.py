"""What a person at a table knows where the rules hide something, and what the sampled worlds say.

Everything here comes from the own moves and percepts of the person's role: states of the match are asked for
nothing else. All bounds but the clock of an opinion are counted, so that the same match shows the same facts
on every machine.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...engine.auto import best_engine
from ...engine.errors import GameError
from ...engine.game import Game, State
from ...knowledge.complete_knower import CompleteKnower
from ...knowledge.worlds import worlds_for
from ...knowledge.worlds.reasoned import reasoned_histories
from ...knowledge.worlds.sampler import CallerClock
from ...rules.terms import Term
from ...search.budget import Budget
from ...search.decision import Choice
from ...search.hyperplay import HyperPlay, HyperPlayConfig

Told: TypeAlias = tuple[Term, tuple[Term, ...]]
"""A role's own move and its percepts in one step."""

CONFLICTS = 200
"""Conflicts of the solver for one question: the screen waits for the answer."""
MOST_LISTED = 1_000
"""Possible states that are listed."""
WORLDS = 200
PLAYOUTS = 4_000
"""Worlds and random games of an opinion."""


@dataclass(frozen=True)
class PersonFacts:
    """Facts that hold for certain, and those that may hold."""

    known: frozenset[Term]
    possible: frozenset[Term]

    @property
    def uncertain(self) -> frozenset[Term]:
        """Facts that may hold or not."""
        return self.possible - self.known


class PersonKnowledge:
    """Follows one match for one role."""

    def __init__(self, role: Term) -> None:
        self.role = role
        self._first: State | None = None
        self._knower: CompleteKnower | None = None
        self._taken = 0
        """States of the match that have been taken into account."""
        self._facts: PersonFacts | None = None

    def facts(self, states: Sequence[State]) -> PersonFacts | None:
        """What is known in the last of a match's states; None where that cannot be found out."""
        if self._first is not states[0] or len(states) < self._taken:
            self._first, self._taken, self._facts = states[0], 1, None
            engine = best_engine(states[0].game)
            self._knower = CompleteKnower(engine, self.role, conflicts=CONFLICTS, most_listed=MOST_LISTED)
        if len(states) > self._taken or self._facts is None:
            try:
                self._facts = self._asked(states)
            except GameError:  # too many states of a game without rules in logic
                self._knower, self._facts = None, None
            self._taken = len(states)
        return self._facts

    def _asked(self, states: Sequence[State]) -> PersonFacts | None:
        if self._knower is None:
            return None
        for state in states[self._taken :]:
            self._knower.update(*told_of(state, self.role))
            if not state.is_terminal:
                self._knower.asked()
        return PersonFacts(self._knower.known_facts(), self._knower.possible_facts())


@dataclass(frozen=True)
class WorldsOpinion:
    """What some worlds say that agree with all that a role was told."""

    worlds: int
    is_all: bool
    """Whether these are all worlds that agree, with their exact probabilities."""
    shares: tuple[tuple[Term, float], ...]
    """Facts that hold in some of the worlds, the likely ones first, and how likely each is."""
    choices: tuple[Choice, ...]
    """Own moves with the mean goal of random games after them, the best first."""


def worlds_opinion(
    states: Sequence[State], role: Term, seconds: float, seed: int = 0, stop: threading.Event | None = None
) -> WorldsOpinion:
    """The opinion of worlds in the last of a match's states, in which the role is asked for a move.

    GameError where no world was found, or none in time.
    """
    told = [told_of(state, role) for state in states[1:]]
    return told_opinion(states[0].game, role, told, seconds, seed, stop)


def told_opinion(
    game: Game,
    role: Term,
    told: Iterable[Told],
    seconds: float,
    seed: int = 0,
    stop: threading.Event | None = None,
) -> WorldsOpinion:
    """The same, from a role's own moves and percepts alone."""
    game = best_engine(game)
    worlds = worlds_for(game, role, seed, reinvent=reasoned_histories(game, role, seed))
    clock = CallerClock(seconds / 2, stop)
    for step in told:
        worlds.update(*step, clock)
    found = worlds.sample(WORLDS, seed)
    likely: dict[Term, float] = {}
    for world in found:
        for fact in world.state.facts():
            likely[fact] = likely.get(fact, 0.0) + world.weight
    uncertain = [(fact, share) for fact, share in likely.items() if share < 1 - 1e-9]
    judged = HyperPlay(game, HyperPlayConfig(seed=seed))
    budget = Budget(seconds=seconds / 2, playouts=PLAYOUTS, stop=stop)
    return WorldsOpinion(
        len(found),
        worlds.is_exact and worlds.size <= WORLDS,
        tuple(sorted(uncertain, key=lambda one: (-one[1], one[0]))),
        judged.search_worlds(found, role, budget).choices,
    )


def told_of(state: State, role: Term) -> Told:
    """A role's own move and percepts of the step that led to a state."""
    assert state.joint is not None
    return state.joint[state.game.roles.index(role)], state.percepts(role)
