"""Solving: the exact value of a state for each role, by whatever method fits the game.

Two opposed players with turns: questions "does this role get at least so much?", answered by proof search.
That they are opposed must be proved (``opposed``); otherwise each role is solved for itself.
Other games with turns, of any number of players, and nature: induction over all states, where they are few.
Two opposed players with simultaneous moves, or one and nature: matrix games, state by state.

All methods assume that the players know the state. A game with hidden information is refused, unless the
caller asks for the value of the game with all information open; the answer is marked as such.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..._core import NotTurnTakingError
from ...engine.compiled import CompiledGame, CompiledState
from ...engine.count_packed import has_more_states
from ...engine.endless_growth import endless_growth
from ...engine.game import Game, State
from ...engine.information import Secret, find_secret
from ...engine.lifted import DeepTermsError
from ...engine.words import Named
from ...rules.growing_terms import told_growth
from ...rules.terms import Term
from ...search import exact
from ...search.budget import USUAL, Budget, Stopwatch
from ...search.compiled_state import compiled_game, compiled_state
from ...search.exact import Solved
from ...search.state_graph import AT_ONCE, SimultaneousError, UnsolvedError
from ..prove.subgames import may_split
from .by_parts import value_by_parts
from .nature_first import least_ways_of_nature
from .opposed import proved_sum
from .prover import ProverConfig, Report, ValueProver
from .role_value import RoleValue
from .simultaneous import Induction
from .solution import Solution, SolutionMethod
from .strategy import Strategy, strategy_from_plan
from .strategy_from_values import strategy_from_values

HIDDEN = "something is hidden"
OPENED = "this is the value of the game with all information open, not of the game itself"
NOT_OPEN = (
    "All methods here assume that players know the state. The value of the open game is another one (--open);"
    " --equilibrium finds mixed strategies for the game itself, where its tree is small"
)
ENDLESS = "play can go on for ever, and play without end has no goal value"
TOO_MANY_DRAWS = (
    "what nature draws before the first choice comes out in at least {ways:.1e} ways,"
    " and at most {most} states are looked at one by one"
)
PARTS_SHARE = 0.3
"""The share of the time for solving by parts, in games that may have parts."""


@dataclass(frozen=True)
class SolveConfig:
    """Settings that may be changed, with their defaults."""

    prover: ProverConfig = field(default_factory=ProverConfig)
    most_states: int = exact.MOST_STATES
    """The most states for induction."""
    nodes_a_move: int = 200_000
    """States visited for each first move, to decide whether it keeps the value."""
    strategies: bool = False
    """Whether strategies are part of the answer."""
    opened: bool = False
    """Whether a game that hides something is solved as if all its information were open."""


def solve_game(
    game: Game,
    state: State | None = None,
    role: Named | None = None,
    budget: Budget | None = None,
    config: SolveConfig | None = None,
    report: Report | None = None,
) -> Solution:
    """The value of a state (the first, unless given) for each role.

    ``role`` is the one whose value is found first. Without a budget the work is counted. An unsolved answer
    says why, with bounds where there are any; so does a game in which something is hidden, unless
    ``config.opened``.
    """
    return _Solving(game, state or game.initial(), role, budget, config, report).run()


class _Solving:
    def __init__(
        self,
        game: Game,
        state: State,
        role: Named | None,
        budget: Budget | None,
        config: SolveConfig | None,
        report: Report | None,
    ) -> None:
        self.game, self.state = game, state
        self.role = game.info.players[0] if role is None else game.role(role)
        self.watch = Stopwatch(budget or USUAL)
        self.config = config or SolveConfig()
        self.report = report
        self.processor = time.process_time()
        self.nodes = 0
        self.secret: Secret | None = None
        self.reasons: list[str] = []
        """Why methods have found nothing."""
        self.is_limited = False
        """Whether one of them ended with the budget."""

    def run(self) -> Solution:
        try:
            return self._run()
        except (RecursionError, DeepTermsError):
            growth = "" if self.game.rules is None else told_growth(self.game.rules)
            reason = growth or "do they grow with every move?"
            self._failed(f"terms in its states are nested too deeply: {reason}")
            return self._unsolved({})

    def _run(self) -> Solution:
        if self.state.is_terminal:
            goals = (Fraction(max(0, goal or 0)) for goal in self.state.goals())
            return self._solution(dict(zip(self.game.roles, goals, strict=True)), SolutionMethod.OVER)
        self.secret = find_secret(self.game, is_up=self.watch.is_up)
        if self.secret is not None and not self.config.opened:
            return self._refused(self.secret)
        ways = least_ways_of_nature(self.state)
        if ways > self.config.most_states:
            self._failed(TOO_MANY_DRAWS.format(ways=ways, most=self.config.most_states))
            return self._unsolved({})
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
        if found is None and len(self.game.roles) > 1:  # with one role, no choices are made at once
            found = self._by_matrices(circuit, packed)
        if found is None and circuit and packed and self.game.info.chance_role is None and not at_once:
            try:
                found = self._by_proof(circuit, packed)
            except NotTurnTakingError:
                self._failed(AT_ONCE)
        if len(players) > 1 and (found is None or not found.solved):
            found = self._by_parts(1.0) or found
        return found or self._unsolved({})

    # --- parts ------------------------------------------------------------------------------------------

    def _may_split(self) -> bool:
        """Whether names alone show that the game may fall into parts: other games skip the longer test."""
        return self.game.rules is not None and may_split(self.game.rules)

    def _by_parts(self, share: float) -> Solution | None:
        """The solution of the first state by independent parts; None where there are none."""
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
            return self._solution(values, SolutionMethod.PARTS)
        (role,) = self.game.roles
        plan, strategies = found.plans[role], {}
        if self.config.strategies:
            strategies[role] = strategy_from_plan(self.state, role, plan, found.values[role])
        best = plan[:1] if _mover(self.state) is not None else ()
        return self._solution(
            values, SolutionMethod.PARTS, mover=_mover(self.state), best=best, strategies=strategies
        )

    # --- all states -------------------------------------------------------------------------------------

    def _by_induction(self) -> Solution | None:
        budget = replace(self.watch.budget, seconds=self.watch.seconds_left)
        try:
            solved = exact.find_values(self.game, self.state, budget, self.config.most_states)
        except SimultaneousError:
            return None  # left to matrices, which say what is wrong with it
        except UnsolvedError as error:
            self._failed(str(error), is_limit=error.is_limit)
            return None
        self.nodes += solved.nodes
        mover = solved.mover if solved.mover in self.game.info.players else None
        best = solved.best if mover is not None else ()
        legal = () if mover is None else self.state.legal(mover)
        strategies: dict[Term, Strategy] = {}
        if self.config.strategies:
            strategies = {
                role: found
                for role in self.game.info.players
                if (found := strategy_from_values(solved, role, self.watch)) is not None
            }
        return self._solution(
            _exact_values(solved),
            SolutionMethod.INDUCTION,
            mover=mover,
            best=best,
            worse=tuple(move for move in legal if move not in best),
            strategies=strategies,
            note=_caveat(solved),
        )

    # --- matrices ---------------------------------------------------------------------------------------

    def _by_matrices(self, circuit: CompiledGame | None, packed: CompiledState | None) -> Solution | None:
        try:
            induction = Induction(self.state, self.watch)
            if circuit and packed and has_more_states(circuit, packed, induction.limit):
                raise induction.too_many_states()  # at once, and not after minutes
            found = induction.run()
        except UnsolvedError as error:
            self.nodes += error.states
            self._failed(str(error), is_limit=error.is_limit)
            return None
        self.nodes += found.states
        first, *others = self.game.info.players
        values = {first: found.value} | dict.fromkeys(others, found.total - found.value)
        return self._solution(values, SolutionMethod.MATRICES, mixtures=found.mixtures)

    # --- proofs -----------------------------------------------------------------------------------------

    def _by_proof(self, game: CompiledGame, state: CompiledState) -> Solution:
        prover = ValueProver(game, self.config.prover, self.report)
        proof = RoleValue(prover, state, self.role, self.watch).search()
        self.nodes += prover.nodes
        if proof.low < proof.high:
            return self._open_questions(prover, [proof])
        if len(self.game.info.players) == 1 and (endless := self._without_end(prover, state, proof)):
            return endless
        proofs = {self.role: proof}
        values, note = {self.role: Fraction(proof.low)}, ""
        method = (
            SolutionMethod.PROOF_NUMBER
            if prover.answered_by == "proof-number"
            else SolutionMethod.DEPTH_FIRST
        )
        others = [other for other in self.game.info.players if other is not self.role]
        total = proved_sum(prover, state, self.watch) if len(others) == 1 else None
        if total is not None and (not prover.repeats or self._forces(prover, state, others[0], total, proof)):
            values[others[0]] = Fraction(total - proof.low)
        elif len(others) == 1 and total is None and (found := self._by_induction()) is not None:
            return found
        elif others:
            note = "each value is what the role can force against all others together"
            for other in others:
                own = proofs[other] = RoleValue(prover, state, other, self.watch).search()
                if own.low < own.high:
                    return self._open_questions(prover, list(proofs.values()))
                values[other] = Fraction(own.low)
            for own in proofs.values():
                if endless := self._without_end(prover, state, own):
                    return endless
            if total is not None:
                note = f"{note}; between these play can go on for ever"
        best, worse = self._first_moves(state, proofs)
        self.nodes = prover.nodes
        begin = time.process_time()
        strategies = self._strategies(prover, state, proofs) if self.config.strategies else {}
        found = self._solution(
            values, method, mover=_mover(state), best=best, worse=worse, strategies=strategies, note=note
        )
        return replace(found, strategy_seconds=time.process_time() - begin)

    def _open_questions(self, prover: ValueProver, proofs: list[RoleValue]) -> Solution:
        if prover.too_deep:
            self._failed("a line of play is longer than proof search can follow")
        else:
            self._failed("not solved within the limits", is_limit=True)
        return self._unsolved({proof.role: (proof.low, proof.high) for proof in proofs})

    def _without_end(self, prover: ValueProver, state: CompiledState, proof: RoleValue) -> Solution | None:
        """The unsolved answer where a role cannot force an end: play that never ends has no goal."""
        if proof.proved is not None or (proof.disproved is not None and not prover.repeats):
            return None  # it can force an end; or the others can, on every line of the disproof
        answer = prover.prove(state, proof.role, 0, self.watch)
        if answer is None:
            return self._open_questions(prover, [proof])
        if answer:
            return None
        self._failed(f"{proof.role} can force no end: {ENDLESS}")
        return self._unsolved({})

    def _forces(
        self, prover: ValueProver, state: CompiledState, other: Term, total: int, proof: RoleValue
    ) -> bool:
        return prover.prove(state, other, total - proof.low, self.watch) is True

    def _first_moves(
        self, state: CompiledState, proofs: dict[Term, RoleValue]
    ) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
        """Moves of the role that chooses that keep its value, and moves that do not; some stay open."""
        mover = _mover(state)
        if mover is None:
            return (), ()
        seat = self.game.roles.index(mover)
        best, worse = list[Term](), list[Term]()
        for joint in state.joint_moves():
            after = state.play(joint)
            if mover in proofs:
                keeps = proofs[mover].keeps(after, self.config.nodes_a_move)
            else:  # of two opposed players the other one
                exceeded = proofs[self.role].exceeds(after, self.config.nodes_a_move)
                keeps = None if exceeded is None else not exceeded
            if keeps is not None:
                (best if keeps else worse).append(joint[seat])
        return tuple(best), tuple(worse)

    def _strategies(
        self, prover: ValueProver, state: CompiledState, proofs: dict[Term, RoleValue]
    ) -> dict[Term, Strategy]:
        found: dict[Term, Strategy] = {}
        for role, own in proofs.items():
            if own.proved is not None:
                kept = prover.strategy(state, role, own.proved, True, self.watch)
                if kept is not None:
                    found[role] = kept
        proof = proofs[self.role]
        if len(proofs) == 1 and proof.disproved is not None and not prover.repeats:
            other = prover.strategy(state, self.role, proof.disproved, False, self.watch)
            if other is not None:
                found[other.role] = other
        return found

    # --- answers ----------------------------------------------------------------------------------------

    def _solution(
        self,
        values: dict[Term, Fraction],
        method: SolutionMethod,
        mover: Term | None = None,
        best: tuple[Term, ...] = (),
        worse: tuple[Term, ...] = (),
        mixtures: dict[Term, dict[Term, Fraction]] | None = None,
        strategies: dict[Term, Strategy] | None = None,
        note: str = "",
    ) -> Solution:
        if self.secret is not None:
            note = "; ".join(filter(None, (f"{OPENED}: {self.secret.reason}", note)))
            strategies = {role: replace(own, opened=True) for role, own in (strategies or {}).items()}
        players = self.game.info.players
        return Solution(
            self.game.name,
            True,
            {role: value for role, value in values.items() if role in players},
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
            opened=self.secret is not None,
        )

    def _failed(self, reason: str, *, is_limit: bool = False) -> None:
        """Note why a method has found nothing."""
        self.reasons.append(reason)
        self.is_limited = self.is_limited or is_limit

    def _refused(self, secret: Secret) -> Solution:
        self._failed(f"{HIDDEN if secret.proved else 'cannot be called open'}: {secret.reason}. {NOT_OPEN}")
        return self._unsolved({})

    def _unsolved(self, bounds: dict[Term, tuple[int, int]]) -> Solution:
        limited = self.is_limited or not self.reasons
        if limited and self.game.rules is not None and (growth := endless_growth(self.game.rules)):
            self.reasons, limited = [growth], False  # a larger budget would not help
        return Solution(
            self.game.name,
            False,
            {},
            SolutionMethod.NONE,
            self.nodes,
            self.watch.seconds,
            time.process_time() - self.processor,
            bounds=bounds,
            note="; ".join(dict.fromkeys(self.reasons)) or "not solved within the limits",
            opened=self.secret is not None and self.config.opened,
            is_limited=limited,
        )


def _mover(state: State) -> Term | None:
    """The only role that has a choice; None where no role has one."""
    return next((role for role in state.game.roles if len(state.legal(role)) > 1), None)


def _exact_values(solved: Solved) -> dict[Term, Fraction]:
    """The values as fractions: exact where their denominator is known, else as they were rounded."""
    whole = solved.denominator
    return {
        role: Fraction(str(round(value, 6))) if whole is None else Fraction(round(value * whole), whole)
        for role, value in solved.values.items()
    }


def _caveat(solved: Solved) -> str:
    """A note where values by induction depend on choices among equal moves, or are rounded; else empty."""
    notes = []
    if solved.is_unsure[0]:
        notes.append(
            "each role plays for itself; where several moves are the same to it, another choice among them"
            " would give another value"
        )
    if solved.denominator is None:
        notes.append("the mean over nature's draws is rounded")
    return "; ".join(notes)
