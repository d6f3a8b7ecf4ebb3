"""Followers of rule sheets that hide something: they keep worlds that agree, and decide by them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from .._core import SplitMix64
from ..engine.auto import best_engine
from ..engine.compiled import CompiledGame
from ..engine.game import Game
from ..knowledge.possible_states import HiddenTrack
from ..knowledge.worlds import PlainWorlds, PossibleState, ToldStep, WorldSampler, worlds_for
from ..knowledge.worlds.choose import FEW_PLAYS, FEW_TRIED, FEW_WORLDS
from ..knowledge.worlds.reasoned import reasoned_histories
from ..knowledge.worlds.sampler import CallerClock
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision, NoWorldError
from ..search.ismcts import Ismcts, IsmctsConfig
from ..search.mixed import NoAdviceError
from .world_methods import WholeMatchMethod, WorldMethod

MakeMethods = Callable[[Game, Term], Sequence[WorldMethod]]
"""The methods to ask for a game and a role, in their order."""

CATCH_UP_SHARE = 0.4
"""The share of a clock in which worlds are found; the rest is for the search in them."""
TRACK_PLAYS = 1_200
"""Joint moves tried for one step where nothing but some states that fit is left."""


class _WorldFollower:
    """Notes what it observes; its worlds take those steps when there is a clock for it."""

    worlds: WorldSampler

    def __init__(self, role: Term, seed: int) -> None:
        self.role = role
        self._random = SplitMix64(seed)
        self._told: list[ToldStep] = []

    def observe(self, percepts: Iterable[Term], move: Term | None) -> None:
        """What the role perceived in the last step, and its own move; without a move nothing is known."""
        self._told.append(ToldStep(move, None if move is None else frozenset(percepts)))

    def catch_up(self, budget: Budget) -> None:
        """Take the steps that the worlds have not been told; each has the same share of the time."""
        watch = Stopwatch(budget)
        behind = self._told[len(self.worlds.steps) :]
        for done, step in enumerate(behind):
            left = watch.seconds_left
            share = None if left is None else left * CATCH_UP_SHARE / (len(behind) - done)
            self.worlds.update(step.move, step.percepts, CallerClock(share, budget.stop))


class SheetFollower(_WorldFollower):
    """Follows one match by its worlds, and asks methods in turn, until one has an answer.

    A circuit that becomes ready during the match is taken: the worlds are followed anew, in lanes.
    """

    def __init__(self, game: Game, role: Term, make: MakeMethods, seed: int = 0) -> None:
        super().__init__(role, seed)
        self.game = game
        self._make = make
        self._seed = seed
        self._engine = best_engine(game)
        self.worlds = self._new_worlds()
        self._methods = tuple(make(self._engine, role))

    def prepare(self, seconds: float | None) -> None:
        """Get ready before the match; None where work is counted."""
        if self._histories is not None and not isinstance(self._engine, CompiledGame):
            self._histories.prepare()  # of the worlds of slow engines soon none agrees
        for method in self._methods:
            method.prepare(seconds)
            if isinstance(method, WholeMatchMethod) and method.is_ready:
                break

    def catch_up(self, budget: Budget) -> None:
        best = best_engine(self.game)
        if best is not self._engine:
            self._engine = best
            self.worlds = self._new_worlds()
            self._methods = tuple(self._make(best, self.role))
        super().catch_up(budget)

    def decide(self, budget: Budget) -> Decision:
        """The decision of the first method that has one; NoAdviceError where none has."""
        watch = Stopwatch(budget)
        self.catch_up(budget)
        seed = self._random.next() >> 1
        for method in self._methods:
            try:
                found = method.decide(self.worlds, replace(budget, seconds=watch.seconds_left), seed)
            except NoAdviceError:
                continue
            return replace(found, seconds=watch.seconds)
        raise NoAdviceError("no method has any advice")

    def _new_worlds(self) -> WorldSampler:
        self._histories = reasoned_histories(self._engine, self.role, self._seed)
        return worlds_for(self._engine, self.role, self._seed, reinvent=self._histories, keep_views=True)


class PlainSheetSearch(_WorldFollower):
    """Worlds one by one and plain search over information sets: it needs no circuit, and no lanes."""

    def __init__(self, game: Game, role: Term, seed: int = 0) -> None:
        super().__init__(role, seed)
        self.worlds = PlainWorlds(
            best_engine(game),
            role,
            seed,
            most=FEW_WORLDS,
            most_plays=FEW_PLAYS,
            most_tried=FEW_TRIED,
            keep_views=True,
        )

    def decide(self, budget: Budget) -> Decision:
        watch = Stopwatch(budget)
        self.catch_up(budget)
        worlds = self.worlds.sample(FEW_WORLDS, self._random.next() >> 1)
        search = Ismcts(IsmctsConfig(seed=self._random.next(), observers="all"))
        return search.search_worlds(worlds, self.role, replace(budget, seconds=watch.seconds_left))


class TrackSearch:
    """Search over a few states that agree with what was told, as far as any do: percepts that nothing
    explains are ignored."""

    def __init__(self, game: Game, role: Term, seed: int = 0) -> None:
        self.track = HiddenTrack(best_engine(game), role, seed, TRACK_PLAYS)
        self._random = SplitMix64(seed)
        self._told: list[ToldStep] = []

    def observe(self, percepts: Iterable[Term], move: Term | None) -> None:
        """Note what the role perceived; ``catch_up`` works on it."""
        self._told.append(ToldStep(move, None if move is None else frozenset(percepts)))

    def catch_up(self, budget: Budget) -> None:
        """Take all steps that were observed; each has the same share of the time."""
        watch = Stopwatch(budget)
        behind = self._told[self.track.step :]
        for done, step in enumerate(behind):
            left = watch.seconds_left
            share = math.inf if left is None else left * CATCH_UP_SHARE / (len(behind) - done)
            self.track.advance(step.move, step.percepts, time.monotonic() + share)

    def decide(self, budget: Budget) -> Decision:
        watch = Stopwatch(budget)
        self.catch_up(budget)
        states = [state for state in self.track.states if not state.is_terminal]
        if not states:
            raise NoWorldError("every state that agrees with what was told is over")
        worlds = [PossibleState(state, 1.0 / len(states)) for state in states]
        search = Ismcts(IsmctsConfig(seed=self._random.next()))
        return search.search_worlds(worlds, self.track.role, replace(budget, seconds=watch.seconds_left))
