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
from ..engine.information import has_no_secret
from ..engine.sight import Position
from ..knowledge.worlds import NoWorldYetError
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision, Follower, Learner, NoWorldError, Ponderer, Searcher, Successor
from ..search.mixed import NoAdviceError
from ..search.time_manager import TimeManager
from .following import Following, FollowWay, because
from .player import Player

if TYPE_CHECKING:
    from ..cards.machine.game import CardGame
    from .sheet_follower import MakeMethods
    from .world_methods import WorldMethod

MakeSearcher: TypeAlias = Callable[[Game, Term, float], Searcher]
"""Makes a searcher for a game and a role, and may use so many seconds for it."""

CIRCUIT_SHARE = 0.6
"""The share of a start clock to wait for the circuit: play without it is slow for the whole match."""
MOST_FORCED = 100
"""Steps without any choice that are made in advance: more would be a game in which nobody decides."""


class SearchPlayer(Player):
    """Searches as long as the clock allows. The search tree of one move is kept for the next."""

    def __init__(
        self,
        name: str,
        make: MakeSearcher,
        seed: int = 0,
        work: Budget | None = None,
        make_methods: MakeMethods | None = None,
        *,
        ponders: bool = False,
        make_plain: Callable[[Game], Searcher] | None = None,
    ) -> None:
        """``work`` bounds each search in playouts or nodes besides the clock, which makes play repeatable
        with one thread and without pondering.

        ``make_methods`` gives the methods for sheets that hide something; without any, or where they give
        none, its own search is made in each of some worlds. ``make_plain`` gives plain search with what the
        player may use of the machine, for where its own search fails.
        """
        self.name = name
        self.ponders = ponders
        self.time = TimeManager()
        self.searcher: Searcher | None = None
        self.game: Game | None = None
        self._make = make
        self._make_methods = make_methods
        self._work = work
        self._seed = seed
        self._make_plain = make_plain
        self._following: Following | None = None
        self._was_late = False
        """Whether no world was found in time for the last move."""
        self._chooser = SplitMix64(seed)
        self._hurry = threading.Event()

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.fallback, self._following = "", None
        self._hurry.clear()
        begin = time.monotonic()
        planned = self.time.thinking_seconds(seconds)
        if (cards := _card_game(game)) is not None:
            # Something is hidden: worlds that agree with the percepts are searched, whatever the recipe.
            self._follow(self._ways_for_cards(cards, role))
            return
        if not game.info.is_open:
            best_engine(game, planned * CIRCUIT_SHARE)
            self._follow(self._ways_for_sheet(game, role))
            self._prepare_to_follow(max(0.0, planned - (time.monotonic() - begin)))
            return
        if seconds <= 0:
            return  # the preparation happens in the first move's clock
        best = best_engine(game, planned * CIRCUIT_SHARE)
        left = planned - (time.monotonic() - begin)
        self._prepare(best, role, max(0.0, left / 2))
        state = best.initial()
        left = planned - (time.monotonic() - begin)
        if left > 0 and state.legal(role) and not state.is_terminal:
            self.decision = self._search(state, role, self._budget(left))
            if len(state.legal(role)) == 1 and self._work is None:
                # Others move first: searches answer at once there, and the clock is left for the tree.
                left = planned - (time.monotonic() - begin)
                self._search_on(state, role, self._budget(max(0.0, left)))

    def observe(self, position: Position) -> None:
        if self._following is None or position.hidden_view is None:
            return
        try:
            self._following.observe(position.hidden_view)
        finally:
            self.fallback = self._following.fallback or self.fallback

    def choose(self, position: Position, seconds: float) -> Term:
        begin = time.monotonic()
        self._hurry.clear()
        self.decision = None
        self.observe(position)
        if len(position.legal) == 1:
            self._catch_up(self.time.thinking_seconds(seconds))
            return position.legal[0]
        if self._following is not None and not _was_told_all(position):
            planned = max(0.0, self.time.thinking_seconds(seconds) - (time.monotonic() - begin))
            move = self._follow_to_a_move(self._following, position, planned)
            if move is not None:
                return move
        if position.state is None:
            return position.legal[self._chooser.below(len(position.legal))]
        planned = self.time.thinking_seconds(seconds)
        state = self._settle(position.state, position.role, planned)
        ready = time.monotonic()
        left = max(0.0, planned - (ready - begin))
        self.decision = self._search(state, position.role, self._budget(left))
        # Preparation is not counted, since it is not repeated: it says nothing about the next move.
        self.time.observe_overrun(left, time.monotonic() - ready)
        return self.decision.move

    def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        state = position.state
        if state is None or not (self._following is None or _was_told_all(position)):
            return  # worlds are followed when there is a clock for it
        if self.decision is not None and self.decision.proven:
            return  # what follows is known as well, or soon will be
        best = best_engine(state.game, 0.0)
        if self.game is not best:
            return  # not prepared yet, or not for the better engine: that has to wait for a clock of its own
        state = _foreseen(state if state.game is best else best.state(state.facts()), position.role, move)
        if not state.is_terminal:
            self._search_on(state, position.role, replace(self._budget(seconds), stop=stop))

    def hurry(self) -> None:
        self._hurry.set()

    def ended(self, role: Term, goal: int) -> None:
        if isinstance(self.searcher, Learner):
            self.searcher.ended(role, goal)

    def stop(self) -> None:
        self.searcher = None
        self.game = None
        self._following = None

    def _settle(self, state: State, role: Term, seconds: float) -> State:
        """The state in the engine of the search; a better engine that has become ready is taken."""
        best = best_engine(state.game, 0.0)
        if self.searcher is None or self.game is not best:
            before = self.searcher
            self._prepare(best, role, seconds / 4)
            if before is not None and isinstance(self.searcher, Successor):
                self.searcher.take_over(before)
        return state if state.game is best else best.state(state.facts())

    def _prepare(self, game: Game, role: Term, seconds: float) -> None:
        self.game = game
        try:
            self.searcher = self._make(game, role, seconds)
        except Exception as error:
            self._search_plainly(game, error)

    def _search(self, state: State, role: Term, budget: Budget) -> Decision:
        """The searcher's decision; where it fails, that of plain search in the time that is left."""
        assert self.searcher is not None
        watch = Stopwatch(budget)
        try:
            return self.searcher.search(state, role, budget)
        except NoAdviceError:
            raise  # a method that is asked for alone and has no answer here: logic without search
        except Exception as error:
            searcher = self._search_plainly(state.game, error)
            return searcher.search(state, role, replace(budget, seconds=watch.seconds_left))

    def _search_on(self, state: State, role: Term, budget: Budget) -> None:
        """Search where no answer is wanted, if the searcher keeps anything of it for the next question."""
        if isinstance(self.searcher, Ponderer):
            with suppress(
                Exception
            ):  # what is wrong shows when an answer is wanted, and has its fallback there
                self.searcher.ponder(state, role, budget)

    def _search_plainly(self, game: Game, error: Exception) -> Searcher:
        """Go on with plain search; raises the error where plain search has failed."""
        from ..search.mcts import Mcts
        from ..search.mcts_config import MctsConfig

        if isinstance(self.searcher, Mcts):
            raise error
        plain = self._make_plain
        self.searcher = Mcts(game, MctsConfig(seed=self._seed)) if plain is None else plain(game)
        self.fallback = because("Monte Carlo tree search", error)
        return self.searcher

    # -- where something is hidden ------------------------------------------------------------------------

    def _follow(self, ways: list[FollowWay]) -> None:
        self._following = Following(ways)
        self.fallback = self._following.fallback

    def _ways_for_cards(self, game: CardGame, role: Term) -> list[FollowWay]:
        from .world_search import WorldSearch

        return [
            FollowWay("its own method", lambda: self._make_follower(game, role)),
            FollowWay("plain search over worlds", lambda: WorldSearch.of(game, role, self._seed)),
        ]

    def _make_follower(self, game: CardGame, role: Term) -> Follower:
        from ..cards.mind.mind import CardMind  # imports bytecode and worlds: only for this search

        return CardMind(game, role, self._seed)

    def _ways_for_sheet(self, game: Game, role: Term) -> list[FollowWay]:
        from .sheet_follower import PlainSheetSearch, SheetFollower, TrackSearch

        return [
            FollowWay(
                "its own method", lambda: SheetFollower(game, role, self._methods_for_sheet, self._seed)
            ),
            FollowWay("plain search over worlds", lambda: PlainSheetSearch(game, role, self._seed)),
            FollowWay("some states that fit", lambda: TrackSearch(game, role, self._seed)),
        ]

    def _methods_for_sheet(self, game: Game, role: Term) -> list[WorldMethod]:
        """The methods for worlds; its own search where it has none, or where all is known at every step."""
        from .world_methods import OwnSearch

        found = [] if self._make_methods is None or has_no_secret(game) else self._make_methods(game, role)
        return list(found) or [OwnSearch(_OwnSearcher(self, role))]

    def _prepare_to_follow(self, seconds: float) -> None:
        from .sheet_follower import SheetFollower

        following = self._following
        if following is None or not isinstance(following.follower, SheetFollower):
            return
        try:
            following.follower.prepare(None if self._work is not None else seconds)
        except Exception as error:
            following.take_next(error)
            self.fallback = following.fallback

    def _catch_up(self, seconds: float) -> None:
        """Let worlds be found where there is nothing to choose: there is time for it."""
        if self._following is None:
            return
        try:
            self._following.catch_up(self._budget(seconds))
        finally:
            self.fallback = self._following.fallback or self.fallback

    def _follow_to_a_move(self, following: Following, position: Position, seconds: float) -> Term | None:
        """The follower's move; None, with the reason in ``fallback``, where any legal move must do."""
        try:
            found = following.decide(self._budget(seconds))
        except NoWorldYetError as error:
            self.fallback, self._was_late = f"plays any legal move: {error}", True
            return None
        except NoWorldError:
            self.fallback = "plays any legal move: no world agrees with what was told"
            return None
        except Exception as error:
            if position.hidden_view is None and position.state is not None:
                return None  # the state is known: it is searched
            self.fallback = because("any legal move", error)
            return None
        if self._was_late:  # worlds were found again
            self.fallback, self._was_late = "", False
        self.fallback = following.fallback or self.fallback
        self.time.observe_overrun(seconds, found.seconds)
        legal = next((choice.move for choice in found.choices if choice.move in position.legal), None)
        self.decision = found if legal is found.move else None
        if legal is None:
            self.fallback = "plays any legal move: no move of its worlds is legal"
        return legal

    def _budget(self, seconds: float) -> Budget:
        work = self._work or Budget(seconds=seconds)
        return replace(work, seconds=seconds, stop=self._hurry)


def _foreseen(state: State, role: Term, move: Term) -> State:
    """The state after the role's move and all steps in which nobody has a choice; the state itself where
    others choose at the same time."""
    own: tuple[Term, ...] = (move,)
    for _ in range(MOST_FORCED):
        moves = [own if one == role else state.legal(one) for one in state.game.roles]
        if any(len(options) != 1 for options in moves):
            break
        state = state.play([options[0] for options in moves])
        if state.is_terminal:
            break
        own = state.legal(role)
    return state


def _was_told_all(position: Position) -> bool:
    """Whether a host told the whole state although its rules have no percepts: there is only chance."""
    if position.state is None or position.hidden_view is None:
        return False
    rules = position.state.game.rules
    return rules is not None and not rules.has_hidden_information


class _OwnSearcher:
    """A player's own search, for each of its worlds: with its preparation, and its fallback."""

    def __init__(self, player: SearchPlayer, role: Term) -> None:
        self._player = player
        self._role = role

    def search(self, state: State, role: Term, budget: Budget) -> Decision:
        seconds = 0.0 if budget.seconds is None else budget.seconds
        return self._player._search(self._player._settle(state, role, seconds), role, budget)

    def forget(self) -> None:
        if self._player.searcher is not None:
            self._player.searcher.forget()


def _card_game(game: Game) -> CardGame | None:
    """The game, if it is a flow chart."""
    if game.rules is not None:
        return None
    from ..cards.machine.game import CardGame  # a large package, not loaded for other games

    return game if isinstance(game, CardGame) else None
