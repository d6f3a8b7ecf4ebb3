"""A searcher for one player that plans by all methods of ``ludorum plan``, and follows the best plan.

Search goes on at every move until a plan is proved to be best. The other methods are asked where the clock
has some seconds for them; where they find nothing they are asked again after more and more moves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..asp.ground import GroundingError
from ..engine.errors import GameError, IllegalMoveError
from ..engine.game import Game, State
from ..engine.words import Named
from ..processes.session import ChildLimitError
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Decision, Searcher
from ..search.plan import Plan, play_plan
from ..search.single_player import SinglePlayer, SinglePlayerConfig
from .horizon import OutOfTime
from .planner import JointPlan
from .portfolio import GRACE, PlanTask, best_plan

LEAST_SECONDS = 2.0
"""Below this the other methods would hardly have begun."""
SEARCH_SHARE = 0.25
"""The share of the time of a first search: most games are solved by then."""
IN_TURN = (("any-order", 0.2), ("logic", 0.35))
"""The methods that are asked one after the other with one thread, with their shares of the time left."""
SIDE_BY_SIDE = ("logic", "search", "any-order", "bound")
SIDE_SHARE = 0.9
"""The share of the time of methods that run side by side; the rest is for their end, and for the choice."""


@dataclass(frozen=True)
class PortfolioConfig:
    """Settings that may be changed, with their defaults."""

    seed: int = 0
    threads: int = 1
    """With several, the methods run side by side."""

    def __post_init__(self) -> None:
        if self.threads < 1:
            raise ValueError(f"threads: {self.threads}; there is at least one")


class PortfolioSearcher:
    """Makes a plan by several methods, follows it, and improves it until it is proved to be best."""

    def __init__(self, game: Game, config: PortfolioConfig | None = None) -> None:
        self.game = game
        self.config = config or PortfolioConfig()
        self._search = SinglePlayer(game, SinglePlayerConfig(seed=self.config.seed))
        self._pause = self._paused = 0
        """For how many searches the other methods rest after they were asked in vain, and those since."""

    def forget(self) -> None:
        """Drop the plan, and what has been played."""
        self._search.forget()
        self._pause = self._paused = 0

    def take_over(self, before: Searcher) -> None:
        """Keep the plan of a searcher of the same game on another engine."""
        if isinstance(before, PortfolioSearcher):
            self._search.take_over(before._search)

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The next move of the best plan; time is spent only while it can still be improved."""
        role = state.game.role(role)
        watch = Stopwatch(budget)
        if not state.is_terminal and self._may_ask(state, budget):
            if self.config.threads > 1:
                self._ask(state, role, SIDE_BY_SIDE, SIDE_SHARE, watch)
            else:
                self._ask_in_turn(state, role, watch)
            if not self._search.is_settled(state):
                self._pause, self._paused = 2 * self._pause + 1, 0
        found = self._search.search(state, role, replace(budget, seconds=watch.seconds_left))
        return replace(found, seconds=watch.seconds)

    def _may_ask(self, state: State, budget: Budget) -> bool:
        """Whether the other methods are asked; where work is counted they are not: they have only clocks."""
        if budget.seconds is None or budget.nodes is not None or budget.playouts is not None:
            return False
        if budget.seconds < LEAST_SECONDS or self.game.rules is None or self._search.is_settled(state):
            return False
        self._paused += 1
        return self._paused > self._pause

    def _ask_in_turn(self, state: State, role: Term, watch: Stopwatch) -> None:
        self._ask(state, role, ("search",), SEARCH_SHARE, watch)
        for way, share in IN_TURN:
            if self._search.is_settled(state) or watch.is_up():
                return
            self._ask(state, role, (way,), share, watch)

    def _ask(self, state: State, role: Term, ways: tuple[str, ...], share: float, watch: Stopwatch) -> None:
        """Ask some methods, side by side, and keep a plan that is better than the own one."""
        left = watch.seconds_left
        if left is None:
            return
        task = PlanTask(self.game, role, state.facts(), seed=self.config.seed, searcher=self._search)
        part = replace(watch.budget, seconds=max(0.0, left * share - GRACE))
        try:
            found = best_plan(task, part, ways)
        except (GameError, GroundingError, ChildLimitError, OutOfTime, MemoryError):
            return  # search goes on without them
        answer = found[0].answer
        if answer is not None and answer.plan is not None:
            plan = _as_plan(state, role, answer.plan, found[0].method or found[0].way)
            if plan is not None:
                self._search.adopt(state, plan)


def _as_plan(state: State, role: Term, found: JointPlan, method: str) -> Plan | None:
    """The plan as search has it; None where it does not lead where it says, or play is over."""
    moves = tuple(move for (move,) in found.moves)
    try:
        end = play_plan(state, moves)
    except IllegalMoveError:
        return None
    if not moves or not end.is_terminal or end.goal(role) != found.goal:
        return None
    return Plan(moves, found.goal, found.optimal, found.shortest, method=method)
