"""Plans and strategies for a position by logic, computed in a process of its own.

``processes.service`` hands a ``LogicThinker`` the game once, then positions, each with a number of seconds.
The thinker reports after every level of a tree and every plan. So the caller has the best answer so far when
the time is over, even if grounding has to be killed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from ..engine.game import JointMove, State
from ..engine.lifted import LiftedGame
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from .command_line import ProgramPlanner
from .goals import every_goal_value, goal_values
from .horizon import OutOfTime, Unrolled
from .opponents import OpponentModel, Opponents
from .planner import JointPlan, Order, PlanAnswer, Planner
from .selection import Assessment, plan_value
from .strategy_search import StrategyNode, StrategySearch
from .tree_leaves import LeafWeights, leaf_values

Tell = Callable[[object], None]


@dataclass(frozen=True)
class ThinkerConfig:
    """Settings that may be changed, with their defaults."""

    seed: int = 0
    tree_share: float = 0.7
    """The share of the time for strategy trees; plans have the rest."""
    most_plans: int = 120
    """The most plans that are compared, over all first moves."""
    model: OpponentModel = OpponentModel.SAMPLED
    program: bool = False
    """Whether plans are made by the clingo program instead of its library."""
    leaves: LeafWeights | None = None
    """The heuristic that values states where a tree cannot be closed."""
    leaves_share: float = 0.4
    """The share of the time left to trees that goes to valuing their leaves."""


@dataclass(frozen=True)
class Advice:
    """What is known about the moves of a role in a position."""

    assessments: tuple[Assessment, ...]
    strategy: StrategyNode | None = None
    """A strategy for the highest guaranteed value, where that is above the worst."""
    plan: JointPlan | None = None
    """The best plan found, assuming that the others help."""
    complete: bool = False
    """Whether no plan has a higher value."""
    solves: int = 0
    depth: int = 0
    """Levels of the deepest tree, or moves of the longest plays that were searched."""


class LogicThinker:
    """Plans and strategies of one role; an instance is kept in another process by ``processes.service``."""

    def __init__(self) -> None:
        self._game: LiftedGame | None = None
        self._role = Term("nobody")
        self._config = ThinkerConfig()

    def begin(self, _tell: Tell, rules: Ruleset, role: Term, config: ThinkerConfig) -> None:
        """Takes the game, and the role whose moves are wanted."""
        self._game = LiftedGame(rules, "thought")
        self._role = role
        self._config = config

    def think(self, tell: Tell, facts: Iterable[Term], seconds: float) -> Advice:
        """All that is found in the time; ``tell`` is called with intermediate answers."""
        assert self._game is not None
        thought = _Thought(self._game, self._game.state(facts), self._role, self._config, seconds, tell)
        return thought.run()


class _Thought:
    """One position."""

    def __init__(
        self, game: LiftedGame, state: State, role: Term, config: ThinkerConfig, seconds: float, tell: Tell
    ) -> None:
        assert game.rules is not None
        self.rules = game.rules
        self.state = state
        self.role = role
        self.config = config
        self.watch = Stopwatch(Budget(seconds=seconds))
        self.tell = tell
        self.values = goal_values(self.rules, role)
        self.are_all = every_goal_value(self.rules, role) is not None
        best, worst = self.values[0], self.values[-1]
        self.known = {move: Assessment(move, worst, best) for move in state.legal(role)}
        self.searches: list[StrategySearch] = []
        self.plan: JointPlan | None = None
        self.complete = False
        self.plan_solves = 0
        self.looked_at = 0

    def run(self) -> Advice:
        if len(self.rules.roles) > 1:
            self._grow_trees()
            self._value_leaves()
        if not all(its.is_exact for its in self.known.values()):
            self._make_plans()
        elif all(its.at_most == self.values[-1] for its in self.known.values()):
            self._ask_for_help()
        return self.advice()

    def advice(self) -> Advice:
        held = [each for each in self.searches if each.strategy is not None]
        strategy = max(held, key=lambda each: each.value).strategy if held else None
        return Advice(
            tuple(self.known.values()),
            strategy,
            self.plan,
            self.complete,
            self.plan_solves + sum(each.solves for each in self.searches),
            max([self.looked_at, *(each.depth for each in self.searches)]),
        )

    def _grow_trees(self) -> None:
        """Searches all values level by level, so that each has an answer when the time is over."""
        seconds = self.watch.seconds_left
        watch = Stopwatch(Budget(seconds=(seconds or 0.0) * self.config.tree_share))
        facts = self.state.facts()
        self.searches = [
            StrategySearch(self.rules, facts, self.role, value, self.config.seed)
            for value in self.values[:-1]
        ]
        growing = list(self.searches)
        while growing:
            for search in tuple(growing):
                try:
                    search.deepen(watch)
                except OutOfTime:
                    growing.remove(search)
                    continue
                if search.is_settled:
                    growing.remove(search)
                self._note_verdicts(search)
                self.tell(self.advice())
            if all(its.is_exact for its in self.known.values()):
                return

    def _value_leaves(self) -> None:
        """Where trees stay open: the heuristic value that each move keeps at their leaves."""
        leaves = self.config.leaves
        if leaves is None or not self.searches or not self.searches[-1].unsettled:
            return
        seconds = (self.watch.seconds_left or 0.0) * self.config.leaves_share
        found = leaf_values(self.searches[-1], leaves, Stopwatch(Budget(seconds=seconds)))
        for move, points in found.items():
            self.known[move] = replace(self.known[move], estimate=float(points))
        self.tell(self.advice())

    def _note_verdicts(self, search: StrategySearch) -> None:
        # Values between two of a sample are possible as well.
        below = self.values[self.values.index(search.value) + 1] if self.are_all else search.value - 1
        for move, verdict in search.verdicts.items():
            its = self.known[move]
            if verdict.holds and search.value > its.guaranteed:
                its = replace(its, guaranteed=search.value, wins_in=verdict.depth)
            elif verdict.holds is False:
                its = replace(its, at_most=min(its.at_most, below))
                if below == self.values[-1]:
                    its = replace(its, lasts=verdict.depth)
            self.known[move] = its

    def _make_plans(self) -> None:
        left = Budget(seconds=self.watch.seconds_left)
        alone = len(self.rules.roles) == 1
        if self.config.program:
            self._note_plan(ProgramPlanner(self.rules, self.state.facts()).plan(self.role, left))
            return
        planner = Planner(self._unrolled())
        share = 1.0 if alone else 0.5
        budget = Budget(seconds=(left.seconds or 0.0) * share)
        self._note_plan(planner.plan(self.role, budget, order=Order.LENGTH))
        if not alone and self.plan is not None and self.plan.goal > self.values[-1]:
            self._weigh_plans(planner, self.plan)

    def _unrolled(self) -> Unrolled:
        return Unrolled(self.rules, self.state.facts(), self.config.seed)

    def _ask_for_help(self) -> None:
        """Whether a lost position could be won if all others helped."""
        planner = Planner(self._unrolled())
        answer = planner.plan(self.role, Budget(seconds=self.watch.seconds_left), order=Order.LENGTH)
        self.plan, self.complete = answer.plan, answer.complete
        self.plan_solves += answer.solves

    def _note_plan(self, answer: PlanAnswer) -> None:
        self.plan, self.complete = answer.plan, answer.complete
        self.plan_solves += answer.solves
        self.looked_at = max(self.looked_at, answer.horizon)
        if self.plan is None or not self.plan.moves:
            return
        first = self.plan.moves[0][self.rules.roles.index(self.role)]
        its = self.known[first]
        worth = plan_value(self.plan.goal, len(self.plan))
        its = replace(its, worth=its.worth + worth, shortest=len(self.plan))
        if len(self.rules.roles) == 1:  # no other role can spoil it
            its = replace(its, guaranteed=max(its.guaranteed, self.plan.goal), wins_in=len(self.plan))
        self.known[first] = its
        if self.complete:
            most = self.plan.goal
            self.known = {
                move: replace(each, at_most=min(each.at_most, most)) for move, each in self.known.items()
            }
        self.tell(self.advice())

    def _weigh_plans(self, planner: Planner, plan: JointPlan) -> None:
        """Values first moves by plans as short and as good, weighted by how likely the others' moves are."""
        opponents = Opponents(self.rules, self.role, self.config.model)
        try:
            first = planner.first_moves(plan, Budget(seconds=self.watch.seconds_left))
        except OutOfTime:
            return
        each = max(1, self.config.most_plans // max(1, len(first)))
        for move in first:
            plays = self._plays(planner, plan, move, each)
            weights = [self._weight(opponents, play) for play in plays if not self.watch.is_up()]
            if not weights:
                return
            worths = [plan_value(plan.goal, len(plan), [weight]) for weight in weights]
            its = self.known[move]
            self.known[move] = replace(
                its,
                worth=min(worths) if opponents.worst_counts else sum(worths),
                plausible=1.0 in weights,
                shortest=len(plan),
            )
        self.tell(self.advice())

    def _plays(self, planner: Planner, plan: JointPlan, move: Term, most: int) -> list[tuple[JointMove, ...]]:
        found: list[tuple[JointMove, ...]] = []

        def keep(model: object) -> bool:
            found.append(planner.unrolled.read_play(model, len(plan)))  # type: ignore[arg-type]
            return len(found) < most

        query = planner.query(len(plan), self.role, plan.goal, {self.role: move})
        with suppress(OutOfTime):  # the plans found so far count
            planner.unrolled.solve(query, self.watch, keep)
        return found

    def _weight(self, opponents: Opponents, play: tuple[JointMove, ...]) -> float:
        weight, state, seat = 1.0, self.state, self.rules.roles.index(self.role)
        for joint in play:
            weight *= opponents.weight(state, tuple(each for at, each in enumerate(joint) if at != seat))
            state = state.play(joint)
        return weight


__all__ = ["Advice", "LogicThinker", "ThinkerConfig"]
