"""Solving: the exact value of a state for each role, by whatever method fits the game.

Two opposed players with turns: questions "does this role get at least so much?", answered by proof search.
Other games with turns, of any number of players, and nature: induction over all states, where they are few.
Two opposed players who choose at once: matrix games, state by state.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..._core import NotTurnTakingError
from ...engine.compiled import CompiledGame, CompiledState
from ...engine.game import Game, State
from ...rules.terms import Term
from ...search import exact
from ...search.budget import Budget, Stopwatch
from ...search.compiled_state import compiled_game, compiled_state
from ..subgames import may_split
from .by_parts import value_by_parts
from .prover import Prover, ProverConfig, Report
from .simultaneous import NotOpposedError, solve_simultaneous
from .solution import Method, Solution
from .strategy import Strategy, strategy_from_plan
from .strategy_from_values import strategy_from_values

PARTS_SHARE = 0.3
"""Of the time, for the parts of a game that may have some."""


@dataclass(frozen=True)
class SolveConfig:
    """Numbers that people may want to turn."""

    prover: ProverConfig = field(default_factory=ProverConfig)
    most_states: int = exact.MOST_STATES
    """For induction."""
    nodes_a_move: int = 200_000
    """States looked at for each first move, to say whether it keeps the value."""
    strategies: bool = False
    """Whether to write down strategies."""


def solve_game(
    game: Game,
    state: State | None = None,
    role: Term | None = None,
    budget: Budget | None = None,
    config: SolveConfig | None = None,
    report: Report | None = None,
) -> Solution:
    """The value of a state (the first, unless given) for each role.

    ``role`` is the one whose value is asked for first. What is not solved within the budget says so, with
    bounds where there are any.
    """
    return _Solving(game, state or game.initial(), role, budget, config, report).run()


class _Solving:
    def __init__(
        self,
        game: Game,
        state: State,
        role: Term | None,
        budget: Budget | None,
        config: SolveConfig | None,
        report: Report | None,
    ) -> None:
        self.game, self.state = game, state
        self.role = role or game.info.players[0]
        self.watch = Stopwatch(budget or Budget(seconds=60))
        self.config = config or SolveConfig()
        self.report = report
        self.processor = time.process_time()
        self.nodes = 0

    def run(self) -> Solution:
        if self.state.is_terminal:
            goals = (Fraction(max(0, goal or 0)) for goal in self.state.goals())
            return self._solution(dict(zip(self.game.roles, goals, strict=True)), Method.OVER)
        circuit = compiled_game(self.game)
        packed = compiled_state(circuit, self.state) if circuit else None
        players = self.game.info.players
        if len(players) == 1 and self._may_split() and (found := self._by_parts(PARTS_SHARE)) is not None:
            return found
        at_once = False
        if circuit and packed and self.game.info.chance_role is None and len(players) == 2:
            try:
                return self._by_proof(circuit, packed)
            except NotTurnTakingError:
                at_once = True
        found = None if at_once else self._by_induction()
        if found is None and len(players) == 2:
            found = self._by_matrices()
        if found is None and circuit and packed and self.game.info.chance_role is None and not at_once:
            found = self._by_proof(circuit, packed)
        if len(players) > 1 and (found is None or not found.solved):
            found = self._by_parts(1.0) or found
        return found or self._unsolved({})

    # --- parts ------------------------------------------------------------------------------------------

    def _may_split(self) -> bool:
        """Whether names alone show that the game may fall into parts: others need not wait for the answer."""
        return self.game.rules is not None and may_split(self.game.rules)

    def _by_parts(self, share: float) -> Solution | None:
        """From the first state, where the game is one of independent parts."""
        rules, left = self.game.rules, self.watch.seconds_left
        if rules is None or self.game.info.chance_role is not None or rules.has_hidden_information:
            return None
        if self.state != self.game.initial():
            return None
        budget = replace(self.watch.budget, seconds=None if left is None else left * share)
        found = value_by_parts(rules, budget)
        if found is None:
            return None
        self.nodes += found.states
        values = {role: Fraction(value) for role, value in found.values.items()}
        if len(self.game.roles) > 1:
            return self._solution(values, Method.PARTS)
        (role,) = self.game.roles
        plan, strategies = found.plans[role], {}
        if self.config.strategies:
            strategies[role] = strategy_from_plan(self.state, role, plan, found.values[role])
        best = plan[:1] if _mover(self.state) is not None else ()
        return self._solution(
            values, Method.PARTS, mover=_mover(self.state), best=best, strategies=strategies
        )

    # --- all states -------------------------------------------------------------------------------------

    def _by_induction(self) -> Solution | None:
        budget = replace(self.watch.budget, seconds=self.watch.seconds_left)
        solved = exact.solve(self.game, self.state, budget, self.config.most_states)
        if solved is None:
            return None
        self.nodes += solved.nodes
        values = {role: Fraction(value).limit_denominator(10**9) for role, value in solved.values.items()}
        best = solved.best
        legal = () if solved.mover is None else self.state.legal(solved.mover)
        strategies: dict[Term, Strategy] = {}
        if self.config.strategies:
            strategies = {
                role: found
                for role in self.game.info.players
                if (found := strategy_from_values(solved, role, self.watch)) is not None
            }
        return self._solution(
            values,
            Method.INDUCTION,
            mover=solved.mover,
            best=best,
            worse=tuple(move for move in legal if move not in best),
            strategies=strategies,
        )

    # --- matrices ---------------------------------------------------------------------------------------

    def _by_matrices(self) -> Solution | None:
        try:
            found = solve_simultaneous(self.state, self.watch)
        except NotOpposedError as error:
            return replace(self._unsolved({}), note=str(error))
        if found is None:
            return None
        self.nodes += found.states
        first, second = self.game.info.players
        values = {first: found.value, second: found.total - found.value}
        return self._solution(values, Method.MATRICES, mixtures=found.mixtures)

    # --- proofs -----------------------------------------------------------------------------------------

    def _by_proof(self, game: CompiledGame, state: CompiledState) -> Solution:
        prover = Prover(game, self.config.prover, self.report)
        proof = _Value(prover, state, self.role, self.watch).search()
        self.nodes += prover.nodes
        if proof.low < proof.high:
            return self._unsolved({self.role: (proof.low, proof.high)})
        method = Method.PROOF_NUMBER if prover.answered_by == "proof-number" else Method.DEPTH_FIRST
        values, note = {self.role: Fraction(proof.low)}, ""
        others = [other for other in self.game.info.players if other is not self.role]
        opposed = len(others) == 1 and prover.sum is not None
        if opposed and (not prover.repeats or self._forces(prover, state, others[0], proof.low)):
            values[others[0]] = Fraction((prover.sum or 0) - proof.low)
        elif others and prover.sum is None and (found := self._by_induction()) is not None:
            return found
        elif others:
            note = "each value is what the role can force against all others together"
            for other in others:
                own = _Value(prover, state, other, self.watch).search()
                if own.low < own.high:
                    return self._unsolved({self.role: (proof.low, proof.high), other: (own.low, own.high)})
                values[other] = Fraction(own.low)
            if opposed:
                note = f"{note}; between these play can go on for ever"
        best, worse = self._first_moves(prover, state, proof)
        self.nodes = prover.nodes
        begin = time.process_time()
        strategies = self._strategies(prover, state, proof) if self.config.strategies else {}
        found = self._solution(
            values, method, mover=_mover(state), best=best, worse=worse, strategies=strategies, note=note
        )
        return replace(found, strategy_seconds=time.process_time() - begin)

    def _forces(self, prover: Prover, state: CompiledState, other: Term, value: int) -> bool:
        total = prover.sum
        return total is not None and prover.prove(state, other, total - value, self.watch) is True

    def _first_moves(
        self, prover: Prover, state: CompiledState, proof: _Value
    ) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Moves of whoever chooses that keep its value, and moves that do not; some stay open."""
        mover = _mover(state)
        if mover is None:
            return (), ()
        seat = self.game.roles.index(mover)
        best, worse = list[Term](), list[Term]()
        for joint in state.joint_moves():
            after = state.play(joint)
            if mover is self.role:
                keeps = proof.keeps(after, self.config.nodes_a_move)
            else:
                exceeded = proof.exceeds(after, self.config.nodes_a_move)
                keeps = None if exceeded is None else not exceeded
            if keeps is not None:
                (best if keeps else worse).append(joint[seat])
        return tuple(best), tuple(worse)

    def _strategies(self, prover: Prover, state: CompiledState, proof: _Value) -> dict[Term, Strategy]:
        found: dict[Term, Strategy] = {}
        if proof.proved is not None:
            own = prover.strategy(state, self.role, proof.proved, True, self.watch)
            if own is not None:
                found[own.role] = own
        if proof.disproved is not None and not prover.repeats:
            other = prover.strategy(state, self.role, proof.disproved, False, self.watch)
            if other is not None:
                found[other.role] = other
        return found

    # --- answers ----------------------------------------------------------------------------------------

    def _solution(
        self,
        values: dict[Term, Fraction],
        method: Method,
        mover: Term | None = None,
        best: tuple[Term, ...] = (),
        worse: tuple[Term, ...] = (),
        mixtures: dict[Term, dict[Term, Fraction]] | None = None,
        strategies: dict[Term, Strategy] | None = None,
        note: str = "",
    ) -> Solution:
        return Solution(
            self.game.name,
            True,
            values,
            method,
            self.nodes,
            self.watch.seconds,
            time.process_time() - self.processor,
            mover,
            best,
            worse,
            mixtures or {},
            strategies or {},
            note=note,
        )

    def _unsolved(self, bounds: dict[Term, tuple[int, int]]) -> Solution:
        return Solution(
            self.game.name,
            False,
            {},
            Method.NONE,
            self.nodes,
            self.watch.seconds,
            time.process_time() - self.processor,
            bounds=bounds,
            note="not solved within the limits",
        )


class _Value:
    """The value of a role, closed in from both sides by questions "at least so much?"."""

    def __init__(self, prover: Prover, state: CompiledState, role: Term, watch: Stopwatch) -> None:
        self.prover, self.state, self.role, self.watch = prover, state, role, watch
        seat = prover.game.seat(role)
        goals = prover.game.circuit.goals
        own = {min(100, max(0, value)) for who, value, _ in goals if who == seat and isinstance(value, int)}
        self.goals = sorted(own | {0})
        self.low, self.high = self.goals[0], self.goals[-1]
        self.proved: int | None = None
        """The question that was answered with yes, if any."""
        self.disproved: int | None = None

    def search(self) -> _Value:
        """Halves the goals that are left with every answer.

        A proof rests on ends that were seen, so that it proves the least of the seen goals that are enough;
        a disproof likewise. Where no end gives 50, who does not get 100 gets nothing.
        """
        while self.low < self.high:
            left = [goal for goal in self.goals if self.low < goal <= self.high]
            threshold = left[len(left) // 2] if len(left) > 2 else left[0]
            answer = self.prover.prove(self.state, self.role, threshold, self.watch)
            if answer is None:
                break
            seen = self.prover.seen_goals(self.role)
            if answer:
                self.proved = threshold
                self.low = min(goal for goal in seen if goal >= threshold)
            else:
                self.disproved = threshold
                self.high = max((goal for goal in seen if goal < threshold), default=self.low)
        return self

    def keeps(self, state: CompiledState, nodes: int) -> bool | None:
        """Whether the role still gets its value from another state on."""
        if self.proved is None:
            return True
        answer = self.prover.prove(state, self.role, self.proved, self.watch, nodes)
        return None if answer and self._saw(self.proved, self.low) else answer

    def exceeds(self, state: CompiledState, nodes: int) -> bool | None:
        """Whether it gets more than its value there."""
        if self.disproved is None:
            return False
        answer = self.prover.prove(state, self.role, self.disproved, self.watch, nodes)
        return None if answer is False and self._saw(self.high + 1, self.disproved) else answer

    def _saw(self, least: int, beyond: int) -> bool:
        """Whether an end gave the role something between: then the questions asked so far are too coarse."""
        return any(least <= goal < beyond for goal in self.prover.seen_goals(self.role))


def _mover(state: State) -> Term | None:
    """The only role that has a choice; None where nobody has one."""
    return next((role for role in state.game.roles if len(state.legal(role)) > 1), None)
