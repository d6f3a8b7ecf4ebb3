"""Nested rollouts with a learnt policy (NRPA; Rosin, IJCAI 2011) for one player.

Rollouts on the lowest level draw moves by weights; every level above repeats the one below and turns the
weights towards the best line it has seen. Restarts nest deeper, and alternate between weights of moves and
weights of moves at each step. The compiled kernel plays where there is a circuit, Python elsewhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .._core import SplitMix64, nested_rollouts
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import Game, State
from ..rules.terms import Term
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .plan import Plan, best_goal, only_role, play_plan


@dataclass(frozen=True)
class NestedConfig:
    """Settings that may be changed, with their defaults."""

    iterations: int = 100
    """Repetitions on each level."""
    learning: float = 1.0
    """The learning rate of the weights."""
    longest: int = 1000
    """Steps after which a rollout is abandoned."""
    first_level: int = 2
    last_level: int = 4


def nested_search(
    game: Game,
    state: State | None = None,
    budget: Budget | None = None,
    config: NestedConfig | None = None,
    seed: int = 0,
) -> Plan | None:
    """The best plan that rollouts find; None where none of them came to an end with a value."""
    only_role(game)
    config = config or NestedConfig()
    watch = Stopwatch(budget or USUAL)
    begin = state or game.initial()
    circuit = compiled_game(game)
    packed = compiled_state(circuit, begin) if circuit else None
    if circuit is not None and packed is not None:
        moves, playouts = _ask_kernel(circuit, packed, watch, config, seed)
    else:
        moves, playouts = _Rollouts(game, begin, watch, config, seed).run()
    end = play_plan(begin, moves)
    if not end.is_terminal:
        return None
    value = end.goal(only_role(game))
    if value is None:
        return None
    optimal = value >= best_goal(game)
    return Plan(moves, value, optimal, False, playouts, watch.seconds, "nested rollouts")


def _ask_kernel(
    game: CompiledGame, state: CompiledState, watch: Stopwatch, config: NestedConfig, seed: int
) -> tuple[tuple[Term, ...], int]:
    budget = watch.budget
    numbers, playouts = nested_rollouts(
        game.single.evaluators,
        state.bits,
        seed=seed,
        playouts=budget.playouts,
        seconds=watch.seconds_left,
        stop=budget.stop.is_set if budget.stop else None,
        iterations=config.iterations,
        learning=config.learning,
        longest=config.longest,
        first_level=config.first_level,
        last_level=config.last_level,
    )
    return tuple(game.circuit.moves[number][1] for number in numbers), playouts


@dataclass
class _Rollout:
    score: float = -math.inf
    moves: tuple[Term, ...] = ()
    legal: tuple[tuple[Term, ...], ...] = ()


_Code = tuple[int, Term]


class _Rollouts:
    """The plain twin of the kernel."""

    def __init__(self, game: Game, state: State, watch: Stopwatch, config: NestedConfig, seed: int) -> None:
        self.role = only_role(game)
        self.state = state
        self.watch = watch
        self.config = config
        self.most = best_goal(game)
        self.chooser = SplitMix64(seed)
        self.playouts = 0
        self.by_step = False
        self.best = _Rollout()

    def run(self) -> tuple[tuple[Term, ...], int]:
        run = 0
        while not self._is_over():
            self.by_step = run % 2 == 1
            self._nested(min(self.config.first_level + run // 4, self.config.last_level), {})
            run += 1
        return self.best.moves, self.playouts

    def _is_over(self) -> bool:
        return self.best.score >= self.most or (
            self.playouts > 0 and self.watch.is_up(playouts=self.playouts)
        )

    def _code(self, step: int, move: Term) -> _Code:
        return (step if self.by_step else 0), move

    def _nested(self, level: int, policy: dict[_Code, float]) -> _Rollout:
        if level == 0:
            return self._play(policy)
        best = _Rollout()
        for _ in range(self.config.iterations):
            found = self._nested(level - 1, dict(policy))
            if found.score >= best.score:
                best = found
            if self._is_over():
                break
            self._adapt(policy, best)
        return best

    def _play(self, policy: dict[_Code, float]) -> _Rollout:
        state = self.state
        moves: list[Term] = []
        choices: list[tuple[Term, ...]] = []
        while not state.is_terminal and len(moves) < self.config.longest:
            legal = state.legal(self.role)
            if not legal:
                break
            moves.append(self._draw(policy, len(moves), legal))
            choices.append(legal)
            state = state.play((moves[-1],))
        value = float(state.goal(self.role) or 0)
        score = value if state.is_terminal else value / 2 - 1
        rollout = _Rollout(score, tuple(moves), tuple(choices))
        if (score, -len(moves)) > (self.best.score, -len(self.best.moves)):
            self.best = rollout
        self.playouts += 1
        return rollout

    def _draw(self, policy: dict[_Code, float], step: int, legal: tuple[Term, ...]) -> Term:
        if len(legal) == 1:
            return legal[0]
        shares = [math.exp(policy.get(self._code(step, move), 0.0)) for move in legal]
        left = (self.chooser.next() >> 11) * 2.0**-53 * sum(shares)
        for move, share in zip(legal[:-1], shares, strict=False):
            left -= share
            if left < 0:
                return move
        return legal[-1]

    def _adapt(self, policy: dict[_Code, float], rollout: _Rollout) -> None:
        before = dict(policy)
        for step, (chosen, legal) in enumerate(zip(rollout.moves, rollout.legal, strict=True)):
            codes = [self._code(step, move) for move in legal]
            shares = [math.exp(before.get(code, 0.0)) for code in codes]
            total = sum(shares)
            for code, share in zip(codes, shares, strict=True):
                policy[code] = policy.get(code, 0.0) - self.config.learning * share / total
            policy[self._code(step, chosen)] += self.config.learning
