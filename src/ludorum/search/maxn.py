"""MaxN: several players, each for itself (Luckhardt and Irani, AAAI 1986).

A value is a goal for each role. The role that chooses takes the move best for itself; of equally good moves
the one that is worst for the searching role. Where several roles choose at once they are assumed to do so in
the order of roles, the searching role first, so that the others know its move; nature draws by its
odds. That is an assumption: simultaneous choices may have another value. So a value that rests on it, or on
how a role chooses among moves of equal value to it, is never marked as proven.

A choice is cut off when it cannot get better: when it has the best possible goal (immediate pruning), and,
where all goals together never exceed a known sum, when the rest for the role that chose before is too little
(shallow pruning; Korf, Artificial Intelligence 48, 1991). Deeper cutoffs would not be sound.

The paranoid assumption, all others against one, is that of ``alphabeta``, which prunes far more.
"""

from __future__ import annotations

import sys
import threading
from dataclasses import dataclass
from typing import NamedTuple

from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.terms import Term
from .budget import Budget, Stopwatch
from .decision import Choice, Decision, honest
from .evaluation import Evaluation
from .one_user import one_user
from .score import UNIT, fade, goal_of_score, score_of_estimate

BEST = 100 * UNIT
STATE_BYTES = 2000
"""Approximate bytes of a state in the table."""


@dataclass(frozen=True)
class MaxNConfig:
    """Settings that may be changed, with their defaults."""

    max_depth: int = 256
    table_bytes: int = 256 << 20
    """The table of states is emptied when it is full."""
    sum_of_goals: int | None = None
    """The most that the goals of all players sum up to, at ends and by the evaluation; None: not known."""
    prune: bool = True


class Valued(NamedTuple):
    """Scores by role, and whether they follow from ends of the game alone."""

    scores: tuple[int, ...]
    solved: bool
    """Whether no deeper search can change it."""
    sure: bool = True
    """Whether it rests on no assumption: at none of its states several players choose at once, or one among
    moves that are equal for it and not for the others."""
    cut: bool = False
    """Whether it was cut off: then it is only an upper bound for the role that chose before."""


class _Stopped(Exception):
    """The budget is spent."""


class MaxN:
    """A searcher over the states of any engine, deepening step by step."""

    def __init__(
        self, game: Game, evaluation: Evaluation | None = None, config: MaxNConfig | None = None
    ) -> None:
        self.game = game
        self.evaluation = evaluation
        self.config = config or MaxNConfig()
        self.nodes = 0
        self._user = threading.RLock()
        self._table: dict[State, tuple[int, Valued]] = {}
        self._seat = 0
        known = game.info.proved_sum
        self._sum = self.config.sum_of_goals if self.config.sum_of_goals is not None else known
        self._nature = game.info.chance_seats

    @one_user
    def forget(self) -> None:
        """Drop everything kept from earlier searches."""
        self._table.clear()

    @one_user
    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The best move of a role in a state that is not terminal, as far as the budget allows."""
        role = state.game.role(role)
        if state.is_terminal:
            raise GameError(f"{self.game.name} is over: there is nothing to search")
        legal = state.legal(role)
        if not all(state.legal(each) for each in self.game.roles):
            raise GameError(f"{self.game.name} goes no further: a role has no move")
        if self.game.roles.index(role) != self._seat:
            self.forget()  # the role against which ties are broken
        self._seat = self.game.roles.index(role)
        self._watch = Stopwatch(budget)
        self.nodes = depth = 0
        choices = [(move, Valued((0,) * len(self.game.roles), False)) for move in legal]
        # It is recursive, two calls a role and step, and takes half of the stack that Python allows.
        deepest = min(self.config.max_depth, sys.getrecursionlimit() // 2 // (2 * len(self.game.roles) + 3))
        while depth < deepest:
            try:
                choices = self._round(state, [move for move, _ in choices], depth + 1)
            except _Stopped:
                break
            depth += 1
            if all(value.solved for _, value in choices):
                break
        return honest(self.game, self._decision(role, choices, depth))

    def _decision(self, role: Term, choices: list[tuple[Term, Valued]], depth: int) -> Decision:
        proven = depth > 0 and all(value.solved and value.sure for _, value in choices)
        return Decision(
            role,
            choices[0][0],
            tuple(
                Choice(
                    move,
                    0,
                    goal_of_score(value.scores[self._seat], value.solved),
                    value.solved and value.sure,
                )
                for move, value in choices
            ),
            self.nodes,
            0,
            self._watch.seconds,
            depth,
            proven,
        )

    def _round(self, state: State, moves: list[Term], depth: int) -> list[tuple[Term, Valued]]:
        """Every move with its value, best first; those of the last round in their order, for equals."""
        found = []
        at_once = self._choose_at_once(state)
        for move in moves:
            fixed: list[Term | None] = [None] * len(self.game.roles)
            fixed[self._seat] = move
            value = self._choose(state, fixed, depth, None)
            found.append((move, value._replace(sure=value.sure and not at_once)))
        found.sort(key=lambda each: -each[1].scores[self._seat])
        return found

    def _value(self, state: State, depth: int, bound: tuple[int, int] | None) -> Valued:
        """``bound``: a role and the value it has already; lines that give it less are cut off."""
        if self._watch.is_up(self.nodes):
            raise _Stopped
        self.nodes += 1
        if state.is_terminal:
            return self._end(state)
        known = self._table.get(state)
        if known is not None and (known[0] >= depth or known[1].solved):
            return known[1]
        if depth == 0:
            return Valued(self._estimate(state), False)
        if not all(state.legal(role) for role in self.game.roles):
            return self._end(state)
        found = self._choose(state, [None] * len(self.game.roles), depth, bound)
        if self._choose_at_once(state):
            found = found._replace(sure=False)
        if not found.cut:
            if len(self._table) * STATE_BYTES >= self.config.table_bytes:
                self._table.clear()
            self._table[state] = depth, found
        return found

    def _choose(
        self, state: State, fixed: list[Term | None], depth: int, bound: tuple[int, int] | None
    ) -> Valued:
        """The moves of the roles that are not fixed yet, one role after the other."""
        seat = self._next_chooser(fixed)
        if seat is None:
            joint = tuple(move for move in fixed if move is not None)
            found = self._value(state.play(joint), depth - 1, bound)
            return found._replace(scores=tuple(map(fade, found.scores)))
        moves = state.legal(self.game.roles[seat])
        if seat in self._nature:
            return self._average(state, fixed, seat, depth)
        return self._best(state, fixed, seat, moves, depth, bound)

    def _best(
        self,
        state: State,
        fixed: list[Term | None],
        seat: int,
        moves: tuple[Term, ...],
        depth: int,
        bound: tuple[int, int] | None,
    ) -> Valued:
        if len(moves) == 1:
            return self._choose(state, _with(fixed, seat, moves[0]), depth, bound)
        best: Valued | None = None
        all_solved = all_sure = True
        for move in moves:
            own = None if best is None else (seat, best.scores[seat])
            found = self._choose(state, _with(fixed, seat, move), depth, own)
            all_solved &= found.solved
            all_sure &= found.sure and not (best is not None and self._is_moot(seat, found, best))
            if best is None or self._prefers(seat, found, best):
                best = found
            if not self.config.prune:
                continue
            if best.solved and best.scores[seat] >= BEST - UNIT // 2 and self._leaves_nothing_over():
                return best
            if bound is not None and bound[0] != seat:
                left = self._left_by(best.scores[seat])
                if left is not None and left < bound[1]:
                    scores = [*best.scores]
                    scores[bound[0]] = left
                    return Valued(tuple(scores), best.solved, all_sure, cut=True)
        assert best is not None
        return best._replace(solved=all_solved, sure=all_sure)

    def _choose_at_once(self, state: State) -> bool:
        """Whether several players have a choice."""
        return sum(len(state.legal(role)) > 1 for role in self.game.info.players) > 1

    def _is_moot(self, seat: int, one: Valued, other: Valued) -> bool:
        """Whether two moves are equal for the role that chooses and not for the others."""
        if one.cut or other.cut:  # worse than what another role has already: play does not go there
            return False
        goals = [tuple(goal_of_score(score, True) for score in each.scores) for each in (one, other)]
        return goals[0][seat] == goals[1][seat] and any(
            goals[0][at] != goals[1][at] for at in range(len(goals[0])) if at not in self._nature
        )

    def _leaves_nothing_over(self) -> bool:
        """Whether a best goal leaves the others nothing, so that a role's best moves are equal for them."""
        return self._sum is not None and self._sum * UNIT <= BEST

    def _left_by(self, own: int) -> int | None:
        """The most another role can have where one has so much, plus half a point for the discounts."""
        return None if self._sum is None else self._sum * UNIT - own + UNIT // 2

    def _prefers(self, seat: int, found: Valued, best: Valued) -> bool:
        """Whether a value is better: more for itself; if equal, less for the searching role."""
        if found.scores[seat] != best.scores[seat]:
            return found.scores[seat] > best.scores[seat]
        return found.scores[self._seat] < best.scores[self._seat]

    def _average(self, state: State, fixed: list[Term | None], seat: int, depth: int) -> Valued:
        odds = state.odds(self.game.roles[seat])
        found = [self._choose(state, _with(fixed, seat, move), depth, None) for move in odds]
        weighed = [
            [weight * score for score in each.scores]
            for weight, each in zip(odds.values(), found, strict=True)
        ]
        total = sum(odds.values())
        scores = tuple(sum(column) // total for column in zip(*weighed, strict=True))
        return Valued(scores, all(each.solved for each in found), all(each.sure for each in found))

    def _next_chooser(self, fixed: list[Term | None]) -> int | None:
        """The searching role first, then the others in their order; nature last, after all have chosen."""
        others = [seat for seat in range(len(fixed)) if seat != self._seat]
        order = [self._seat, *sorted(others, key=lambda seat: seat in self._nature)]
        return next((seat for seat in order if fixed[seat] is None), None)

    def _end(self, state: State) -> Valued:
        return Valued(tuple(min(100, max(0, goal or 0)) * UNIT for goal in state.goals()), True)

    def _estimate(self, state: State) -> tuple[int, ...]:
        """The estimate by the evaluation, or equal for all; scaled to the known sum, where there is one."""
        roles = self.game.roles
        if self.evaluation is None:
            even = 50.0 if self._sum is None else self._sum / len(self.game.info.players)
            values = [even] * len(roles)
        else:
            values = [self.evaluation(state, role) for role in roles]
            total = sum(values)
            if self._sum is not None and total > self._sum:
                values = [value * self._sum / total for value in values]
        return tuple(score_of_estimate(value, 0, BEST) for value in values)


def _with(fixed: list[Term | None], seat: int, move: Term) -> list[Term | None]:
    return [*fixed[:seat], move, *fixed[seat + 1 :]]
