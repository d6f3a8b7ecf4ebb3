"""A searcher for one player whose game falls into independent parts: it plans each part by itself.

The names of fluents show cheaply whether a game may have parts; where it has none, NoAdviceError lets other
searchers decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..asp.ground import GroundingError
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.ruleset import Rule, Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from ..search.decision import Choice, Decision
from ..search.mixed import NoAdviceError
from .horizon import OutOfTime
from .plan_by_parts import plan_by_parts
from .planner import JointPlan
from .prove.subgames import may_split


@dataclass(frozen=True)
class PartsConfig:
    """Settings; there are none yet."""


class PartsSearcher:
    """Makes a plan once and follows it. NoAdviceError where the game has no parts, or no plan is found."""

    def __init__(self, game: Game, config: PartsConfig | None = None) -> None:
        self.game = game
        self.config = config or PartsConfig()
        rules = game.rules
        alone = len(game.roles) == 1 and rules is not None and not rules.has_hidden_information
        self._rules = rules if alone and rules is not None and may_split(rules) else None
        self._plan: dict[State, tuple[JointPlan, int]] = {}
        """States on the plan, with the number of its moves already made."""
        self._in_vain = 0.0
        """Seconds in which nothing was found: less time is not tried again."""

    def forget(self) -> None:
        """Drop the plan."""
        self._plan = {}

    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        role = state.game.role(role)
        if self._rules is None:
            raise NoAdviceError("the game does not fall into parts")
        watch = Stopwatch(budget)
        if state not in self._plan:
            self._make_plan(self._rules, state, budget, watch)
        plan, behind = self._plan[state]
        rest = plan.moves[behind:]
        choice = Choice(rest[0][0], len(rest), float(plan.goal), proven=True)
        return Decision(
            role, rest[0][0], (choice,), 0, 0, watch.seconds, depth=len(rest), proven=True, line=rest
        )

    def _make_plan(self, rules: Ruleset, state: State, budget: Budget, watch: Stopwatch) -> None:
        seconds = watch.seconds_left
        if seconds is not None and seconds <= self._in_vain:
            raise NoAdviceError("there was more time before, and not enough")
        try:
            plan = plan_by_parts(rules_from(rules, state), budget)
        except (OutOfTime, GameError, GroundingError) as error:
            self._in_vain = max(self._in_vain, math.inf if seconds is None else seconds)
            raise NoAdviceError(str(error) or "no time") from error
        if plan is None or not plan.moves:
            self._rules = None
            raise NoAdviceError("the game does not fall into parts")
        self._plan = {}
        for behind, joint in enumerate(plan.moves):
            self._plan[state] = (plan, behind)
            state = state.play(joint)


def rules_from(rules: Ruleset, state: State) -> Ruleset:
    """The rules with this state as the initial one."""
    kept = [rule for rule in rules.rules if rule.signature != ("init", 1)]
    return rules.with_rules(
        [*kept, *(Rule(Term("init", (fact,))) for fact in sorted(state.facts(), key=str))]
    )
