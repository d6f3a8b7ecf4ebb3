"""Models of opponents: which moves they may make, which are improbable, and whether a loss is avoidable.

It uses only states and plans, so it works for any game (asp-player, section 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from itertools import product
from math import prod

from .._core import SplitMix64
from ..engine.errors import GameError
from ..engine.game import JointMove, State
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import TO_THE_END, Budget, Stopwatch
from .goals import goal_values
from .horizon import OutOfTime, Query, Unrolled, does
from .planner import Planner
from .strategy_search import StrategySearch

EPSILON = 0.01
"""The weight of an improbable move, beside 1 for any other."""


class OpponentModel(Enum):
    """How the others choose."""

    COOPERATIVE = "cooperative"
    """O0: they help. For one player, as a bound, and as the baseline of 2009."""
    OWN_GOAL = "own-goal"
    """O1: they keep the best value that they could still reach with the help of all."""
    PLAUSIBLE = "plausible"
    """O2: they win where they can at once, and else stop us from winning at once."""
    PARANOID = "paranoid"
    """O3: they are one coalition against us and know our move; exact for two players with opposed goals."""
    SAMPLED = "sampled"
    """O4: they draw their moves, improbable ones rarely."""


class Opponents:
    """A model of the others from the view of one role. Answers are cached: plans share many states."""

    def __init__(
        self,
        rules: Ruleset,
        role: Term,
        model: OpponentModel = OpponentModel.SAMPLED,
        epsilon: float = EPSILON,
        horizon: int = 4,
    ) -> None:
        """``horizon``: how many moves ahead the model O1 looks."""
        self.rules = rules
        self.role = role
        self.model = model
        self.epsilon = epsilon
        self.horizon = horizon
        self.others = tuple(other for other in rules.roles if other is not role)
        self._best = {each: goal_values(rules, each)[0] for each in rules.roles}
        self._improbable: dict[tuple[State, Term], frozenset[Term]] = {}
        self._winning: dict[tuple[State, Term], frozenset[Term]] = {}

    @property
    def worst_counts(self) -> bool:
        """Whether a move is valued by its worst answer, not by the average over answers."""
        return self.model is OpponentModel.PARANOID

    def weights(self, state: State) -> dict[JointMove, float]:
        """The answers of the others that the model allows, each with its weight; sampled ones add up to 1."""
        each = [self.move_weights(state, other) for other in self.others]
        return {
            tuple(move for move, _ in chosen): prod(weight for _, weight in chosen)
            for chosen in product(*(weights.items() for weights in each))
        }

    def move_weights(self, state: State, other: Term) -> dict[Term, float]:
        """The moves of one of them."""
        legal = state.legal(other)
        if self.model is OpponentModel.OWN_GOAL and len(legal) > 1:
            legal = own_goal_moves(self.rules, state.facts(), other, self.horizon) or legal
        if self.model in (OpponentModel.PLAUSIBLE, OpponentModel.SAMPLED):
            unlikely = self.improbable(state, other)
            if self.model is OpponentModel.PLAUSIBLE:
                return {move: 1.0 for move in legal if move not in unlikely}
            weights = {move: self.epsilon if move in unlikely else 1.0 for move in legal}
            total = sum(weights.values())
            return {move: weight / total for move, weight in weights.items()}
        return dict.fromkeys(legal, 1.0)

    def weight(self, state: State, answer: JointMove) -> float:
        """1, times epsilon for every improbable move of an answer."""
        return prod(
            self.epsilon if move in self.improbable(state, other) else 1.0
            for other, move in zip(self.others, answer, strict=True)
        )

    def sample(self, state: State, chooser: SplitMix64) -> JointMove:
        """An answer drawn by its weight."""
        weights = self.weights(state)
        at = chooser.below(1 << 53) / (1 << 53) * sum(weights.values())
        for answer, weight in weights.items():
            at -= weight
            if at < 0:
                return answer
        return next(reversed(weights))

    def improbable(self, state: State, other: Term) -> frozenset[Term]:
        """Moves that miss a win, or allow us a win that could have been prevented (section 12.2)."""
        known = self._improbable.get((state, other))
        if known is None:
            known = self._improbable[state, other] = self._find_improbable(state, other)
        return known

    def _find_improbable(self, state: State, other: Term) -> frozenset[Term]:
        legal = state.legal(other)
        if state.is_terminal or len(legal) < 2:
            return frozenset()
        wins = self.winning_moves(state, other)
        if wins:
            return frozenset(legal) - wins
        helpless = frozenset(move for move in legal if self._leaves_us_a_win(state, other, move))
        return helpless if len(helpless) < len(legal) else frozenset()

    def winning_moves(self, state: State, role: Term) -> frozenset[Term]:
        """Moves that end the game with the best goal of a role, whatever others do at the same time."""
        known = self._winning.get((state, role))
        if known is None:
            moves = () if state.is_terminal else state.legal(role)
            known = frozenset(
                move
                for move in moves
                if all(self._has_won(after, role) for after in _successors(state, role, move))
            )
            self._winning[state, role] = known
        return known

    def _leaves_us_a_win(self, state: State, other: Term, move: Term) -> bool:
        return any(self.winning_moves(after, self.role) for after in _successors(state, other, move))

    def _has_won(self, state: State, role: Term) -> bool:
        return state.is_terminal and state.goal(role) == self._best[role]

    def unsafe_moves(self, state: State) -> frozenset[Term]:
        """Own moves that end the game badly or let another role win at once, where others do not (12.3)."""
        legal = state.legal(self.role)
        bad = frozenset(move for move in legal if self._lets_them_win(state, move))
        return bad if len(bad) < len(legal) else frozenset()

    def _lets_them_win(self, state: State, move: Term) -> bool:
        for after in _successors(state, self.role, move):
            for other in self.others:
                if self._has_won(after, other) and not self._has_won(after, self.role):
                    return True
                if self.winning_moves(after, other):
                    return True
        return False


def _successors(state: State, role: Term, move: Term) -> Iterable[State]:
    """Where a move may lead."""
    choices = ((move,) if each is role else state.legal(each) for each in state.game.roles)
    return (state.play(joint) for joint in product(*choices))


def own_goal_moves(
    rules: Ruleset, facts: Iterable[Term], role: Term, horizon: int, budget: Budget | None = None
) -> tuple[Term, ...]:
    """Moves after which a role can still reach, with the help of all, the best value it could before (O1)."""
    budget = budget or TO_THE_END
    watch = Stopwatch(budget)
    planner = Planner(Unrolled(rules, facts))
    best = planner.plan(role, budget, longest=horizon).plan
    if best is None:
        return ()
    found: dict[Term, None] = {}
    seat = planner.roles.index(role)
    for length in range(1, horizon + 1):
        query = planner.query(length, role, best.goal)
        while (play := planner.unrolled.play(query, watch)) is not None:
            move = play[0][seat]
            found[move] = None
            query = replace(query, assumptions=(*query.assumptions, (does(role, move, 0), False)))
    return tuple(found)


def moves_that_let_win(
    rules: Ruleset, facts: Iterable[Term], role: Term, moves: Iterable[Term], budget: Budget
) -> frozenset[Term]:
    """Own moves after which another role may win within two moves: the same test by the solver.

    A brave question for each (section 12.3); what there is no time for counts as safe.
    """
    unrolled, watch = Unrolled(rules, facts), Stopwatch(budget)
    unsafe = set()
    try:
        for move in moves:
            made = ((does(role, move, 0), True),)
            for other in unrolled.roles:
                query = Query(2, other, goal_values(rules, other)[0], made)
                if other is not role and unrolled.play(query, watch) is not None:
                    unsafe.add(move)
    except OutOfTime:
        pass
    return frozenset(unsafe)


class Danger(Enum):
    """Whether a value can be kept (section 12.5)."""

    SAFE = "every move keeps the value"
    INACTION = "some moves lose the value, others keep it"
    FORCED = "whatever is done, the value is lost"
    UNKNOWN = "not every move has been settled"


def danger_of(search: StrategySearch) -> Danger:
    """The combined verdict of the verdicts on first moves."""
    verdicts = search.verdicts.values()
    if search.is_settled and not any(its.holds for its in verdicts):
        return Danger.FORCED
    if any(its.holds for its in verdicts) and any(its.holds is False for its in verdicts):
        return Danger.INACTION
    return Danger.SAFE if search.is_settled else Danger.UNKNOWN


def moves_to_make(search: StrategySearch) -> tuple[Term, ...]:
    """Moves that keep the value; where all lose it those that delay the loss most; else all but the lost."""
    verdicts: Mapping[Term, object] = search.verdicts
    if not search.moves:
        raise GameError("there is no first move to judge: the tree has no level yet")
    kept = tuple(move for move in search.moves if move in verdicts and search.verdicts[move].holds)
    if kept:
        return kept
    if danger_of(search) is Danger.FORCED:
        longest = max(its.depth for its in search.verdicts.values())
        return tuple(move for move, its in search.verdicts.items() if its.depth == longest)
    return search.unsettled
