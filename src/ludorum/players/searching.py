"""A player that asks a searcher: the time manager, the fallback and the start clock are the same for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeAlias

from .._core import SplitMix64
from ..engine.auto import best_engine
from ..engine.game import Game, State
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import FollowedGame, Follower, Learner, NoWorldError, Searcher
from ..search.time_manager import TimeManager
from .player import Player, Position

MakeSearcher: TypeAlias = Callable[[Game, Term, float], Searcher]
"""Makes a searcher for a game and a role, and may use so many seconds for it."""

CIRCUIT_SHARE = 0.6
"""How much of a start clock to wait for the circuit: playing on without it is slow for the whole match."""


class SearchPlayer(Player):
    """Searches as long as the clock allows. What it learnt in one move serves the next."""

    def __init__(self, name: str, make: MakeSearcher, seed: int = 0, work: Budget | None = None) -> None:
        """``work`` bounds each search in playouts or nodes besides the clock, which makes play repeatable."""
        self.name = name
        self.time = TimeManager()
        self.searcher: Searcher | None = None
        self.game: Game | None = None
        self._make = make
        self._work = work
        self._seed = seed
        self._follower: Follower | None = None
        self._chooser = SplitMix64(seed)
        self._hurry = threading.Event()

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self._follower = None
        if isinstance(game, FollowedGame):
            # Something is hidden, and the game knows how to search all the same, whatever the recipe says.
            self._follower = game.follower(role, self._seed)
            return
        begin = time.monotonic()
        planned = self.time.thinking_seconds(seconds)
        best = best_engine(game, planned * CIRCUIT_SHARE)
        left = planned - (time.monotonic() - begin)
        self._prepare(best, role, max(0.0, left / 2))
        state = best.initial()
        left = planned - (time.monotonic() - begin)
        if left > 0 and state.view(role).facts is not None and state.legal(role) and not state.is_terminal:
            assert self.searcher is not None
            self.decision = self.searcher.search(state, role, self._budget(left))

    def observe(self, position: Position) -> None:
        if self._follower is not None and position.hidden_view is not None:
            self._follower.observe(position.hidden_view.percepts)

    def choose(self, position: Position, seconds: float) -> Term:
        begin = time.monotonic()
        self._hurry.clear()
        self.decision = None
        self.observe(position)
        if len(position.legal) == 1:
            return position.legal[0]
        if self._follower is not None:
            with suppress(NoWorldError):  # any legal move, then
                planned = max(0.0, self.time.thinking_seconds(seconds) - (time.monotonic() - begin))
                self.decision = self._follower.decide(self._budget(planned))
                self.time.observe_overrun(planned, self.decision.seconds)
                return self.decision.move
        if position.state is None:
            # What the rules hide is not for this kind of search.
            return position.legal[self._chooser.below(len(position.legal))]
        planned = self.time.thinking_seconds(seconds)
        state = self._settle(position.state, position.role, planned)
        assert self.searcher is not None
        ready = time.monotonic()
        left = max(0.0, planned - (ready - begin))
        self.decision = self.searcher.search(state, position.role, self._budget(left))
        # What was prepared before is not done again: it says nothing about the next move.
        self.time.observe_overrun(left, time.monotonic() - ready)
        return self.decision.move

    def hurry(self) -> None:
        self._hurry.set()

    def ended(self, role: Term, goal: int) -> None:
        if isinstance(self.searcher, Learner):
            self.searcher.ended(role, goal)

    def stop(self) -> None:
        self.searcher = None
        self.game = None
        self._follower = None

    def _settle(self, state: State, role: Term, seconds: float) -> State:
        """The state in the engine we search with; a better engine that came meanwhile is taken."""
        best = best_engine(state.game, 0.0)
        if self.searcher is None or self.game is not best:
            self._prepare(best, role, seconds / 4)
        return state if state.game is best else best.state(state.facts())

    def _prepare(self, game: Game, role: Term, seconds: float) -> None:
        self.game = game
        self.searcher = self._make(game, role, seconds)

    def _budget(self, seconds: float) -> Budget:
        work = self._work or Budget(seconds=seconds)
        return replace(work, seconds=seconds, stop=self._hurry)
