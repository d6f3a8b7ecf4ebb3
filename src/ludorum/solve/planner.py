"""Plans found by logic: the best value a role can reach if all others help, and the shortest way there.

Horizons grow one step at a time, so the first plan is a shortest one; it has no moves where the game is over.
Values are tried from the highest down, or all of them at each horizon (asp-player, section 11). An end counts
only where the rules give the role exactly one value, as in ``State.goal``.

With ``hurry`` a horizon that is not decided soon is postponed, and resumed later with a higher limit: proving
that no plan is one move shorter is often harder than finding one (Rintanen, Heljanko, Niemela, AIJ 2006). The
plan found that way need not be shortest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from ..engine.errors import GameError
from ..engine.game import JointMove
from ..rules.ruleset import Ruleset
from ..rules.terms import Term, as_integer
from ..search.budget import Budget, Stopwatch
from .horizon import Assumption, OutOfTime, Query, Undecided, Unrolled, does, not_over

LONGEST = 10_000
"""Steps after which the search for a plan is given up."""


HURRIED_CONFLICTS = 1_000
"""Conflicts after which a hurried search postpones a horizon, the first time."""
MORE_PATIENCE = 4
"""The factor by which this limit grows at each return."""
FIRST_LANDMARK = 32
"""The horizon at which it first returns to postponed ones; then at each twice as far."""
FIRST_DOUBT = 8
"""The horizon at which it is first asked whether play goes on where none can end; then twice as far."""


class Order(Enum):
    """The order of questions."""

    VALUE = "value"
    """The highest value at any horizon before the next lower one: the best plan, in the end."""
    LENGTH = "length"
    """Every value at a horizon before the next longer one: some plan, soon."""


@dataclass(frozen=True)
class JointPlan:
    """Moves of all roles from a state to an end of the game; none where the game is over there."""

    role: Term
    moves: tuple[JointMove, ...]
    goal: int
    """The least goal value of the role at the end."""
    shortest: bool = True
    optimal: bool = False
    """Whether the role cannot get more, even if all others help."""

    def __len__(self) -> int:
        return len(self.moves)


@dataclass(frozen=True)
class PlanAnswer:
    """What a search for a plan has found, and whether that is proved to be best."""

    plan: JointPlan | None
    complete: bool
    """Whether the answer is proved: the best plan, or that there is none, of at most the length asked for."""
    horizon: int
    """The length below which every play has been searched."""
    solves: int
    seconds: float
    bound: int = 100
    """The value that the role cannot exceed even if all others help."""


@dataclass(frozen=True)
class PlanNews:
    """Progress of a search."""

    horizon: int
    """The length of plays that has been searched, for some value."""
    plan: JointPlan | None
    """The best so far."""


class Planner:
    """Plans from one state on. Moves that were made since are assumptions; see ``after``."""

    def __init__(self, game: Ruleset | Unrolled) -> None:
        """``game``: an unrolled game, from any state, or rules, from their initial state."""
        self.unrolled = Unrolled(game) if isinstance(game, Ruleset) else game
        self.roles = self.unrolled.roles
        self._past: tuple[JointMove, ...] = ()
        self._ended: int | None = None

    @property
    def past(self) -> tuple[JointMove, ...]:
        """The joint moves made so far."""
        return self._past

    def after(self, joint: JointMove) -> None:
        """Note a joint move: plans go on from there, and the solver keeps what it learned."""
        if len(joint) != len(self.roles):
            raise GameError(f"{len(joint)} moves for {len(self.roles)} roles")
        self._past += (joint,)
        self._ended = None

    def plan(
        self,
        role: Term,
        budget: Budget,
        *,
        values: Sequence[int] | None = None,
        order: Order = Order.VALUE,
        longest: int = LONGEST,
        given: Mapping[Term, Term] | None = None,
        hurry: bool = False,
        on_news: Callable[[PlanNews], None] | None = None,
    ) -> PlanAnswer:
        """The best plan within the budget: of the highest value, and the shortest of those.

        ``given`` fixes the next moves of some roles. In a ``hurry``, a plan need not be shortest
        (by value only). ``on_news`` is called with every horizon that was searched.
        """
        search = _PlanSearch(self, role, Stopwatch(budget), values, longest, given or {}, hurry, on_news)
        return search.run(order)

    def plans(self, plan: JointPlan, budget: Budget) -> Iterator[tuple[JointMove, ...]]:
        """Every play as long as a plan with at least its value: the plan is one of them."""
        query = self.query(len(plan), plan.role, plan.goal)
        past = len(self._past)
        for play in self.unrolled.plays(query, Stopwatch(budget)):
            yield play[past:]

    def count_plans(self, plan: JointPlan, budget: Budget) -> int:
        """The number of these plays."""
        return self.unrolled.count(self.query(len(plan), plan.role, plan.goal), Stopwatch(budget))

    def first_moves(self, plan: JointPlan, budget: Budget) -> tuple[Term, ...]:
        """The first moves of the role in all plays as short and as good as a plan (brave reasoning)."""
        if not plan.moves:
            return ()
        watch = Stopwatch(budget)
        query = self.query(len(plan), plan.role, plan.goal)
        now, seat = len(self._past), self.roles.index(plan.role)
        found: list[Term] = []
        while (play := self.unrolled.play(query, watch)) is not None:
            found.append(play[now][seat])
            other = (does(plan.role, found[-1], now), False)
            query = replace(query, assumptions=(*query.assumptions, other))
        return tuple(found)

    def forced_move(self, plan: JointPlan, budget: Budget) -> Term | None:
        """The first move common to all of these plays, if there is one (cautious reasoning)."""
        if not plan.moves:
            return None
        seat = self.roles.index(plan.role)
        move = plan.moves[0][seat]
        now = len(self._past)
        query = self.query(len(plan), plan.role, plan.goal)
        without = replace(query, assumptions=(*query.assumptions, (does(plan.role, move, now), False)))
        return move if self.unrolled.play(without, Stopwatch(budget)) is None else None

    def longest_play(self, budget: Budget, most: int = LONGEST) -> int | None:
        """The number of moves in the longest play; None where some play is longer than ``most``."""
        watch = Stopwatch(budget)
        for length in range(len(self._past), most + 1):
            if not self.goes_on(length, watch):
                return length - len(self._past)
        return None

    def goes_on(self, length: int, watch: Stopwatch, conflicts: int | None = None) -> bool:
        """Whether some play has more than so many moves, those made already among them."""
        if self._ended is not None and length >= self._ended:
            return False
        self.unrolled.extend(length + 1)
        if self.unrolled.decide((*self._assumptions(), not_over(length)), watch, conflicts=conflicts):
            return True
        self._ended = length
        return False

    def query(self, length: int, role: Term, value: int, given: Mapping[Term, Term] | None = None) -> Query:
        """Plays with so many moves from now on; ``given`` are moves that some roles make now."""
        now = len(self._past)
        first = tuple((does(who, move, now), True) for who, move in (given or {}).items())
        return Query(now + length, role, value, (*self._assumptions(), *first))

    def _assumptions(self) -> tuple[Assumption, ...]:
        return tuple(
            (does(role, move, step), True)
            for step, joint in enumerate(self._past)
            for role, move in zip(self.roles, joint, strict=True)
        )


class _PlanSearch:
    """One search for a plan: which question comes next."""

    def __init__(
        self,
        planner: Planner,
        role: Term,
        watch: Stopwatch,
        values: Sequence[int] | None,
        longest: int,
        given: Mapping[Term, Term],
        hurry: bool = False,
        on_news: Callable[[PlanNews], None] | None = None,
    ) -> None:
        self.planner = planner
        self.on_news = on_news
        self.given = given
        self.conflicts = HURRIED_CONFLICTS if hurry else None
        self.undecided: list[int] = []
        """Postponed horizons."""
        self.role = role
        self.watch = watch
        self.longest = longest
        self.asked = None if values is None else sorted(values, reverse=True)
        self.looked_at = 0
        self.bound = 100
        self.best: JointPlan | None = None

    def run(self, order: Order) -> PlanAnswer:
        solves = self.planner.unrolled.work.solves
        try:
            complete = self._by_value() if order is Order.VALUE else self._by_length()
        except OutOfTime:
            complete = False
        plan = self.best and replace(self.best, optimal=complete, shortest=not self.undecided)
        complete = complete and not self.undecided
        spent = self.planner.unrolled.work.solves - solves
        horizon = min([self.looked_at, *(length - 1 for length in self.undecided)])
        return PlanAnswer(plan, complete, horizon, spent, self.watch.seconds, self.bound)

    def _by_value(self) -> bool:
        value = self._highest()
        while value is not None:
            if self.asked is None:
                self.bound = value
            found = self._at_any_length(value)
            if found is not False:
                return found is True
            value = self._next_below(value)
        return True

    def _at_any_length(self, value: int) -> bool | None:
        """Whether there is a plan for a value; None where plays may be longer than the limit."""
        for length in range(self.longest + 1):
            if self._look(length, value) or (_is_power(length, FIRST_LANDMARK) and self._come_back(value)):
                return True
            if not self._goes_on(length):
                break
        else:
            if self.longest >= LONGEST:
                return None
        while self.undecided:
            if self._come_back(value):
                return True
        return False

    def _come_back(self, value: int) -> bool:
        """Whether a higher limit finds a plan at a postponed horizon."""
        if not self.undecided or self.conflicts is None:
            return False
        self.conflicts *= MORE_PATIENCE
        again, self.undecided = self.undecided, []
        for at, length in enumerate(again):
            if self._look(length, value):
                self.undecided += again[at + 1 :]
                self._forget_longer(length)
                return True
        return False

    def _forget_longer(self, length: int) -> None:
        """Drops longer postponed horizons: only a shorter one leaves open whether a plan is shortest."""
        self.undecided = [each for each in self.undecided if each < length]

    def _by_length(self) -> bool:
        self.conflicts = None  # a value postponed here would never be asked about again
        for length in range(self.longest + 1):
            value = self._next_below(101, length)
            while value is not None and (self.best is None or value > self.best.goal):
                if self._look(length, value):
                    if value == self._highest():
                        return True
                    break
                value = self._next_below(value, length)
            if not self._goes_on(length):
                return True
        return self.longest < LONGEST

    def _look(self, length: int, value: int) -> bool:
        """Whether there is a plan of that length and value; it is kept."""
        planner = self.planner
        if self.watch.is_up():
            raise OutOfTime
        query = planner.query(length, self.role, value, self.given)
        self.looked_at = max(self.looked_at, length)
        try:
            play = planner.unrolled.play(query, self.watch, self.conflicts)
        except Undecided:
            self.undecided.append(length)
            play = None
        if play is not None:
            self.best = JointPlan(self.role, play[len(planner.past) :], value)
        if self.on_news is not None:
            self.on_news(PlanNews(length, self.best))
        return play is not None

    def _goes_on(self, length: int) -> bool:
        """Whether longer plays may exist. Horizons at which nothing can end are passed with few questions.

        Few, not none: where every play gets stuck, nothing ends at any horizon.
        """
        step = len(self.planner.past) + length
        if not self.planner.unrolled.can_end(step) and not _is_power(length, FIRST_DOUBT):
            return True
        try:
            return self.planner.goes_on(step, self.watch, self.conflicts)
        except Undecided:
            return True

    def _highest(self) -> int | None:
        """The best value that the rules can give the role at all."""
        if self.asked is not None:
            return self.asked[0] if self.asked else None
        rules = self.planner.unrolled.rules.by_signature.get(("goal", 2), ())
        heads = [
            rule.head.args
            for rule in rules
            if rule.head.args[0] in (self.role,) or not _is_ground(rule.head.args[0])
        ]
        values = [as_integer(value) if isinstance(value, Term) else 100 for _, value in heads]
        return max((value for value in values if value is not None and value <= 100), default=None)

    def _next_below(self, value: int, length: int | None = None) -> int | None:
        if self.asked is not None:
            return next((each for each in self.asked if each < value), None)
        if length is not None:
            self.planner.unrolled.extend(len(self.planner.past) + length)
        return max((each for each in self.planner.unrolled.values(self.role) if each < value), default=None)


def _is_power(length: int, least: int) -> bool:
    """Whether a length is a power of two, and no less than ``least``."""
    return length >= least and length & (length - 1) == 0


def _is_ground(pattern: object) -> bool:
    return isinstance(pattern, Term) and pattern.is_ground
