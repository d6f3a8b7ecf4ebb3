"""Criteria of good evaluation functions, asked of values from goals: efficiency and quality, with figures.

The criteria are those of Michulke, *Evaluation Functions in General Game Playing* (2012). In a game whose
states can all be looked at they are asked of all of them, and moves are compared with exact values; in larger
games they are asked of states of random games, and what needs exact values stays open.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from itertools import combinations, islice

from ..asp.ground import GroundingError, ground_rules
from ..engine.game import Game, State
from ..evaluate.goals.evaluation import GoalEvaluation
from ..evaluate.goals.goal_theory import MOST_NODES
from ..evaluate.goals.versions import GoalValue
from ..rules.terms import Term
from ..search.budget import Budget
from ..search.exact import Solved, solve
from .state_symmetry import find_state_symmetries

SAME = 1e-9
"""Values that differ by less are one value."""
LONGEST = 1000
"""Steps of a random game."""


@dataclass(frozen=True)
class CriteriaConfig:
    """How much is looked at."""

    most_states: int = 10_000
    """A game with more is not looked at as a whole."""
    plays: int = 20
    """Random games whose states are looked at then."""
    most_asked: int = 1000
    """States in which the game goes on and that are asked about, evenly chosen; ends are all asked about."""
    seconds: float = 60.0
    """For exact values."""


class CriterionVerdict(Enum):
    """What was found."""

    PASSED = "passed"
    FAILED = "failed"
    REPORTED = "reported"
    """There are figures, and no line that they have to cross."""
    OPEN = "open"
    """It could not be asked."""


@dataclass(frozen=True)
class CriterionReport:
    """One criterion, and how an evaluation meets it."""

    name: str
    verdict: CriterionVerdict
    text: str
    figures: Mapping[str, float]

    def as_json(self) -> dict[str, object]:
        return {
            "criterion": self.name,
            "verdict": self.verdict.value,
            "text": self.text,
            "figures": dict(self.figures),
        }


def report_criteria(
    game: Game, make: Callable[[Game], GoalValue], config: CriteriaConfig | None = None
) -> list[CriterionReport]:
    """All criteria of the evaluation that ``make`` makes."""
    config = config or CriteriaConfig()
    begin = time.monotonic()
    value = make(game)
    seconds = time.monotonic() - begin
    seen = look_at(game, config)
    return [
        _compactness(game, value),
        _bounded_cost(_without_caches(value), seen),
        CriterionReport(
            "construction",
            CriterionVerdict.REPORTED,
            f"made in {seconds:.2f} s from the rules, without learning from games",
            {"seconds": round(seconds, 3)},
        ),
        _consistency(value, seen),
        _monotonicity(value, seen, config),
        _symmetry(value, seen),
        _extrapolation(value, seen),
    ]


@dataclass(frozen=True)
class SeenStates:
    """States of a game, each once, with those that come after them."""

    game: Game
    after: Mapping[State, Sequence[State]]
    """Ends of play have none."""
    all: bool
    """Whether these are all states that can be reached."""
    most: int
    """States in which the game goes on and that are asked about."""

    @cached_property
    def ends(self) -> list[State]:
        return [state for state in self.after if state.is_terminal]

    @cached_property
    def open(self) -> Sequence[State]:
        """Evenly chosen ones in which the game goes on."""
        found = [state for state in self.after if not state.is_terminal]
        return found[:: max(1, -(-len(found) // self.most))]


def look_at(game: Game, config: CriteriaConfig) -> SeenStates:
    """All states where these are few enough, else those of some random games."""
    found: dict[State, list[State]] = {}
    waiting = [game.initial()]
    seen = set(waiting)
    for state in waiting:  # grows as it goes
        found[state] = list(_successors(state))
        new = dict.fromkeys(after for after in found[state] if after not in seen)
        seen.update(new)
        waiting += new
        if len(seen) > config.most_states:
            played = (islice(game.playout(seed), LONGEST) for seed in range(config.plays))
            return SeenStates(
                game, {state: () for states in played for state in states}, all=False, most=config.most_asked
            )
    return SeenStates(game, found, all=True, most=config.most_asked)


def _successors(state: State) -> Iterator[State]:
    """Nothing comes after an end, nor where a role has no move."""
    if not state.is_terminal:
        yield from dict.fromkeys(state.play(joint) for joint in state.joint_moves())


# -- efficiency -------------------------------------------------------------------------------------------


def _compactness(game: Game, value: GoalValue) -> CriterionReport:
    theory = value.goals.theory
    leaves = len(theory.leaves)
    nodes = len(theory) - leaves
    rules = 0 if game.rules is None else len(game.rules.rules)
    return CriterionReport(
        "compactness",
        CriterionVerdict.PASSED if nodes <= MOST_NODES else CriterionVerdict.FAILED,
        f"{nodes} nodes over {leaves} leaves, by {rules} rules; {MOST_NODES} nodes are allowed",
        {"nodes": nodes, "leaves": leaves, "rules": rules, "most": MOST_NODES},
    )


def _bounded_cost(value: GoalValue, seen: SeenStates) -> CriterionReport:
    """By counted work, early and late: the clock of a busy machine tells nothing."""
    name, size = "bounded cost", len(value.goals.theory)
    if not seen.open:
        return _open(name, "the game is over at the start")
    costs = [_cost(value, state, role) for state in seen.open for role in seen.game.info.players]
    third = max(1, len(costs) // 3)
    early, late = max(costs[:third]), max(costs[-third:])
    bound = 2 * size  # a look at the end of play, and one at the goals
    return CriterionReport(
        name,
        CriterionVerdict.PASSED if max(costs) <= bound else CriterionVerdict.FAILED,
        f"at most {max(costs)} nodes computed for a state: {early} early in play, {late} late",
        {"most": max(costs), "early": early, "late": late, "bound": bound},
    )


def _cost(value: GoalValue, state: State, role: Term) -> int:
    """The nodes that are computed for a state; all of them, where the evaluation does not say."""
    if not isinstance(value, GoalEvaluation):
        return len(value.goals.theory)
    before = value.computed
    value(state, role)
    return value.computed - before


def _without_caches(value: GoalValue) -> GoalValue:
    """The same evaluation, everything computed anew for each state."""
    if not isinstance(value, GoalEvaluation):
        return value
    fresh = GoalEvaluation(value.goals, value.features, replace(value.config, delta=False, keep=False))
    fresh.learn({}, value.refinement)
    return fresh


def _open(name: str, why: str) -> CriterionReport:
    return CriterionReport(name, CriterionVerdict.OPEN, why, {})


# -- quality ----------------------------------------------------------------------------------------------


def _consistency(value: GoalValue, seen: SeenStates) -> CriterionReport:
    """A value depends on the state and the role: not on what was evaluated before, nor on caches."""
    states, roles = seen.open, seen.game.info.players
    first = {(state, role): value(state, role) for state in states for role in roles}
    fresh = _without_caches(value)
    differing = sum(
        fresh(state, role) != first[state, role] or value(state, role) != first[state, role]
        for state in reversed(states)
        for role in roles
    )
    return CriterionReport(
        "consistency",
        CriterionVerdict.FAILED if differing else CriterionVerdict.PASSED,
        f"{len(states)} states: {differing or 'no'} values differ in another order and without caches",
        {"states": len(states), "differing": differing},
    )


def _monotonicity(value: GoalValue, seen: SeenStates, config: CriteriaConfig) -> CriterionReport:
    """Whether better moves have higher values: of all pairs of moves of one role in one state."""
    name = "monotonicity"
    if not seen.all:
        return _open(name, f"exact values are not known: there are more than {config.most_states} states")
    solved = solve(seen.game, budget=Budget(seconds=config.seconds), limit=config.most_states)
    if solved is None:
        return _open(name, "the game has no exact values by induction")
    counts: Counter[str] = Counter()
    for state in seen.open:
        for role, one, other in _pairs_of_moves(state, seen):
            counts[_order(value, solved, role, one, other)] += 1
    different = counts["right"] + counts["tied"] + counts["wrong"]
    same = counts["same"] + counts["told apart"]
    return CriterionReport(
        name,
        CriterionVerdict.REPORTED,
        f"of {different} pairs of moves, one of which is better, {counts['right']} are in order, "
        f"{counts['tied']} have one value, {counts['wrong']} are the wrong way round; "
        f"of {same} pairs worth the same {counts['same']} have one value",
        {key.replace(" ", "_"): counts[key] for key in ("right", "tied", "wrong", "same", "told apart")},
    )


def _pairs_of_moves(state: State, seen: SeenStates) -> Iterator[tuple[Term, State, State]]:
    """What a role that alone has a choice can make of a state."""
    movers = [role for role in seen.game.roles if len(state.legal(role)) > 1]
    if len(movers) == 1 and movers[0] in seen.game.info.players:
        for one, other in combinations(seen.after[state], 2):
            yield movers[0], one, other


def _order(value: GoalValue, solved: Solved, role: Term, one: State, other: State) -> str:
    if not (solved.knows(one) and solved.knows(other)):
        return "unknown"
    better = solved.value(one, role) - solved.value(other, role)
    higher = value(one, role) - value(other, role)
    tied = abs(higher) <= SAME
    if abs(better) <= SAME:
        return "same" if tied else "told apart"
    return "tied" if tied else "right" if (better > 0) == (higher > 0) else "wrong"


def _symmetry(value: GoalValue, seen: SeenStates) -> CriterionReport:
    """Mirror images have the same value."""
    name, game = "symmetry", seen.game
    assert game.rules is not None
    try:
        symmetries = find_state_symmetries(ground_rules(game.rules))
    except GroundingError:
        return _open(name, "the rules are too large to be ground")
    if not symmetries:
        return _open(name, "the board has no symmetry that was found")
    pairs = differing = 0
    for state in seen.open:
        for symmetry in symmetries:
            image = game.state(symmetry.fluents.get(fact, fact) for fact in state.facts())
            for role in game.info.players:
                pairs += 1
                differing += abs(value(image, role) - value(state, role)) > SAME
    return CriterionReport(
        name,
        CriterionVerdict.FAILED if differing else CriterionVerdict.PASSED,
        f"of {pairs} pairs of mirror images {differing or 'none'} have different values",
        {"pairs": pairs, "differing": differing},
    )


def _extrapolation(value: GoalValue, seen: SeenStates) -> CriterionReport:
    """The value of an end is its goal; and what goals alone say of it is told as well."""
    ends = [
        (state, role, goal)
        for state in seen.ends
        for role in seen.game.info.players
        if (goal := state.goal(role)) is not None
    ]
    if not ends:
        return _open("extrapolation", "no end was seen")
    wrong = sum(value(state, role) != goal for state, role, goal in ends)
    figures: dict[str, float] = {"ends": len(seen.ends), "wrong": wrong}
    text = f"{len(seen.ends)} ends: {wrong or 'no'} values differ from the goal"
    if isinstance(value, GoalEvaluation):  # others have no value of ends but the goal
        own = [(goal, value.of_facts(frozenset(state.facts()), role)) for state, role, goal in ends]
        off = sum(abs(goal - alone) for goal, alone in own) / len(own)
        figures |= {"off_by_network": round(off, 3), "in_order": int(_in_order(own))}
        order = "in order" if _in_order(own) else "not in order"
        text += f"; the network alone is off by {off:.1f} points and has the ends {order}"
    verdict = CriterionVerdict.FAILED if wrong else CriterionVerdict.PASSED
    return CriterionReport("extrapolation", verdict, text, figures)


def _in_order(found: Iterable[tuple[int, float]]) -> bool:
    """Whether all ends with a higher goal have a higher value."""
    highest = -1.0
    by_goal: dict[int, list[float]] = {}
    for goal, own in found:
        by_goal.setdefault(goal, []).append(own)
    for goal in sorted(by_goal):
        if min(by_goal[goal]) <= highest:
            return False
        highest = max(by_goal[goal])
    return True
