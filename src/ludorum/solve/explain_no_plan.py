"""Why there is no plan, in words: the move that ruled it out, too few moves, or a rule that ends the game.

Each reason is minimal: it was found by taking one thing away and asking again, and without it there would be
a plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..engine.game import JointMove
from ..rules.ruleset import Rule, Ruleset
from ..rules.terms import Term
from ..search.budget import Budget, Stopwatch
from .horizon import OutOfTime
from .planner import LONGEST, JointPlan, Planner

TERMINAL = ("terminal", 0)
FURTHER = 20
"""Moves beyond the longest play that are tried where a rule that ends the game is taken away."""


@dataclass(frozen=True)
class MissingCondition:
    """Something without which there would be a plan."""

    kind: str
    """``past``, ``horizon``, ``ending`` or ``value``."""
    text: str
    plan: JointPlan | None = None
    """The plan there would be."""
    rule: Rule | None = None
    line: int | None = None

    def as_json(self) -> dict[str, object]:
        found: dict[str, object] = {"kind": self.kind, "text": self.text}
        if self.line is not None:
            found["line"] = self.line
        if self.plan is not None:
            found["moves"] = len(self.plan)
        return found


@dataclass(frozen=True)
class NoPlan:
    """A plan that was asked for and does not exist."""

    rules: Ruleset
    role: Term
    value: int
    past: tuple[JointMove, ...] = ()
    longest: int = LONGEST


def explain_no_plan(question: NoPlan, budget: Budget) -> list[MissingCondition]:
    """Every reason of the first kind that applies; empty where the time was not enough to find one."""
    watch = Stopwatch(budget)
    for look in (_blame_horizon, _blame_past, _blame_ending, _blame_value):
        try:
            found = look(question, watch)
        except OutOfTime:
            return []
        if found:
            return found
    return []


def _plan(
    question: NoPlan,
    past: Sequence[JointMove],
    watch: Stopwatch,
    rules: Ruleset | None = None,
    longest: int = LONGEST,
    given: Mapping[Term, Term] | None = None,
) -> JointPlan | None:
    planner = Planner(rules or question.rules)
    for joint in past:
        planner.after(joint)
    budget = Budget(seconds=_left(watch))
    return planner.plan(question.role, budget, values=[question.value], longest=longest, given=given).plan


def _blame_horizon(question: NoPlan, watch: Stopwatch) -> list[MissingCondition]:
    """The reason that there were too few moves: more would suffice."""
    if question.longest >= LONGEST:
        return []
    found = _plan(question, question.past, watch)
    if found is None:
        return []
    text = (
        f"{question.role} needs at least {len(found)} moves for {question.value}; "
        f"{question.longest} were allowed"
    )
    return [MissingCondition("horizon", text, found)]


def _blame_past(question: NoPlan, watch: Stopwatch) -> list[MissingCondition]:
    """The joint move after which no plan was left, and the role whose other move would have kept one."""
    for count in range(len(question.past) - 1, -1, -1):
        before = question.past[:count]
        if _plan(question, before, watch) is None:
            continue
        reasons = []
        joint = dict(zip(question.rules.roles, question.past[count], strict=True))
        for role, move in joint.items():
            others = {who: what for who, what in joint.items() if who is not role}
            found = _plan(question, before, watch, given=others)
            if found is None:
                continue
            instead = found.moves[0][question.rules.roles.index(role)]
            text = (
                f"move {count + 1}, {move} by {role}, ruled it out: with {instead} "
                f"there would be a plan for {question.value} of {count + len(found)} moves in all"
            )
            reasons.append(MissingCondition("past", text, found))
        return reasons or [MissingCondition("past", f"what all did in move {count + 1} ruled it out")]
    return []


def _blame_ending(question: NoPlan, watch: Stopwatch) -> list[MissingCondition]:
    """Rules that end the game too early: without one of them there would be a plan."""
    ends = question.rules.by_signature.get(TERMINAL, ())
    longest = Planner(question.rules).longest_play(Budget(seconds=_left(watch)), 500)
    if longest is None or len(ends) < 2:
        return []
    reasons = []
    for rule in ends:
        others = question.rules.with_rules(each for each in question.rules.rules if each is not rule)
        found = _plan(question, question.past, watch, others, longest + FURTHER)
        if found is None:
            continue
        line, _ = question.rules.source.position(rule.node.span.start)
        written = " ".join(str(rule).split())
        text = (
            f"the game ends too early: without the rule in line {line}, {written}, "
            f"{question.role} could have {question.value} after {len(found)} moves"
        )
        reasons.append(MissingCondition("ending", text, found, rule, line))
    return reasons


def _blame_value(question: NoPlan, watch: Stopwatch) -> list[MissingCondition]:
    """The reason that even all roles together cannot reach the value, with the best they can."""
    planner = Planner(question.rules)
    for joint in question.past:
        planner.after(joint)
    found = planner.plan(question.role, Budget(seconds=_left(watch)))
    if not found.complete:
        raise OutOfTime
    best = "nothing at all" if found.plan is None else str(found.plan.goal)
    text = f"{question.value} is out of reach for {question.role} whatever all do; the most is {best}"
    return [MissingCondition("value", text, found.plan)]


def _left(watch: Stopwatch) -> float:
    if watch.is_up():
        raise OutOfTime
    return 60.0 if watch.seconds_left is None else watch.seconds_left
