"""A player that asks a searcher: time management, fallback and start clock are the same for all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from .._core import SplitMix64
from ..engine.auto import best_engine
from ..engine.game import Game, State
from ..engine.sight import Position
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.decision import Decision, Follower, Learner, NoWorldError, Searcher
from ..search.mixed import NoAdviceError
from ..search.time_manager import TimeManager
from .guard import said
from .player import Player

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame

MakeSearcher: TypeAlias = Callable[[Game, Term, float], Searcher]
"""Makes a searcher for a game and a role, and may use so many seconds for it."""

CIRCUIT_SHARE = 0.6
"""The share of a start clock to wait for the circuit: play without it is slow for the whole match."""


def because(method: str, error: BaseException) -> str:
    """The report of a player that uses another method, since its own failed."""
    return f"plays by {method}: {type(error).__name__}: {said(error)}".rstrip(": ")


class SearchPlayer(Player):
    """Searches as long as the clock allows. The search tree of one move is kept for the next."""

    def __init__(self, name: str, make: MakeSearcher, seed: int = 0, work: Budget | None = None) -> None:
        """``work`` bounds each search in playouts or nodes besides the clock, which makes play repeatable."""
        self.name = name
        self.time = TimeManager()
        self.searcher: Searcher | None = None
        self.game: Game | None = None
        self._make = make
        self._work = work
        self._seed = seed
        self._role: Term | None = None
        self._follower: Follower | None = None
        self._hidden_game: CardGame | None = None
        self._heard: list[frozenset[Term]] = []
        """The role's percepts of each step, for a follower that replaces another."""
        self._chooser = SplitMix64(seed)
        self._hurry = threading.Event()

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.fallback, self._role = "", role
        self._follower, self._heard = None, []
        if (hidden := _card_game(game)) is not None:
            # Something is hidden: worlds that agree with the percepts are searched, whatever the recipe.
            self._begin_to_follow(hidden, role)
            return
        if seconds <= 0:
            return  # the preparation happens in the first move's clock
        begin = time.monotonic()
        planned = self.time.thinking_seconds(seconds)
        best = best_engine(game, planned * CIRCUIT_SHARE)
        left = planned - (time.monotonic() - begin)
        self._prepare(best, role, max(0.0, left / 2))
        state = best.initial()
        left = planned - (time.monotonic() - begin)
        if left > 0 and state.view(role).facts is not None and state.legal(role) and not state.is_terminal:
            self.decision = self._search(state, role, left)

    def observe(self, position: Position) -> None:
        if self._follower is None or position.hidden_view is None:
            return
        percepts = position.hidden_view.percepts
        self._heard.append(percepts)
        try:
            self._follower.observe(percepts)
        except Exception as error:
            self._follow_plainly(error)

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
                self.decision = self._decide(planned)
                self.time.observe_overrun(planned, self.decision.seconds)
                return self.decision.move
            self.fallback = "plays any legal move: no world agrees with what was told"
        if position.state is None:
            # This kind of search does not handle hidden information.
            return position.legal[self._chooser.below(len(position.legal))]
        planned = self.time.thinking_seconds(seconds)
        state = self._settle(position.state, position.role, planned)
        ready = time.monotonic()
        left = max(0.0, planned - (ready - begin))
        self.decision = self._search(state, position.role, left)
        # Preparation is not counted, since it is not repeated: it says nothing about the next move.
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
        """The state in the engine of the search; a better engine that has become ready is taken."""
        best = best_engine(state.game, 0.0)
        if self.searcher is None or self.game is not best:
            self._prepare(best, role, seconds / 4)
        return state if state.game is best else best.state(state.facts())

    def _prepare(self, game: Game, role: Term, seconds: float) -> None:
        self.game = game
        try:
            self.searcher = self._make(game, role, seconds)
        except Exception as error:
            self._search_plainly(game, error)

    def _search(self, state: State, role: Term, seconds: float) -> Decision:
        """The searcher's decision; where it fails, that of plain search in the time that is left."""
        assert self.searcher is not None
        begin = time.monotonic()
        try:
            return self.searcher.search(state, role, self._budget(seconds))
        except NoAdviceError:
            raise  # a method that is asked for alone and has no answer here: logic without search
        except Exception as error:
            searcher = self._search_plainly(state.game, error)
            left = max(0.0, seconds - (time.monotonic() - begin))
            return searcher.search(state, role, self._budget(left))

    def _search_plainly(self, game: Game, error: Exception) -> Searcher:
        """Go on with plain search; raises the error where plain search has failed."""
        from ..search.mcts import Mcts
        from ..search.mcts_config import MctsConfig

        if isinstance(self.searcher, Mcts):
            raise error
        self.searcher = Mcts(game, MctsConfig(seed=self._seed))
        self.fallback = because("Monte Carlo tree search", error)
        return self.searcher

    # -- where something is hidden ------------------------------------------------------------------------

    def _begin_to_follow(self, game: CardGame, role: Term) -> None:
        self._hidden_game = game
        try:
            self._follower = self._make_follower(game, role)
        except Exception as error:
            self._follow_plainly(error)

    def _make_follower(self, game: CardGame, role: Term) -> Follower:
        from ..cards.mind.mind import CardMind  # imports bytecode and worlds: only for this search

        return CardMind(game, role, self._seed)

    def _decide(self, seconds: float) -> Decision:
        """The follower's decision; where it fails, that of plain search over worlds in the time left."""
        assert self._follower is not None
        begin = time.monotonic()
        try:
            return self._follower.decide(self._budget(seconds))
        except Exception as error:
            self._follow_plainly(error)
            left = max(0.001, seconds - (time.monotonic() - begin))
            return self._follower.decide(self._budget(left))

    def _follow_plainly(self, error: Exception) -> None:
        """Go on with plain search over worlds, which is told all percepts; else raise the error."""
        from .world_search import WorldSearch

        if isinstance(self._follower, WorldSearch) or self._hidden_game is None:
            raise error
        assert self._role is not None
        follower = WorldSearch.of(self._hidden_game, self._role, self._seed)
        for percepts in self._heard:
            follower.observe(percepts)
        self._follower = follower
        self.fallback = because("plain search over worlds", error)

    def _budget(self, seconds: float) -> Budget:
        work = self._work or Budget(seconds=seconds)
        return replace(work, seconds=seconds, stop=self._hurry)


def _card_game(game: Game) -> CardGame | None:
    """The game, if it is a flow chart."""
    if game.rules is not None:
        return None
    from ..cards.machine.game import CardGame  # a large package, not loaded for other games

    return game if isinstance(game, CardGame) else None
