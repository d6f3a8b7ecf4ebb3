"""Alpha-beta: one role against all others, in games with open moves; exact within its depth.

Iterative deepening with aspiration windows, principal variation search, a bounded table of states, killer
moves, the history heuristic and a hook for quiescence. Values are goals, 0..100; at the horizon an evaluation
function gives the value, or a draw is assumed. Quick wins are preferred, and late losses.

All others are assumed to play against the role, and to know its move where they move at once: for two opposed
players with turns this is exact, elsewhere a pessimistic bound (the paranoid assumption), as it
is where nature plays. The hot loop is compiled (``_core/alphabeta/``) where the game has a circuit;
elsewhere ``PlainAlphaBeta`` does the same in Python.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core import AlphaBetaKernel
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.errors import GameError
from ..engine.game import Game, State
from ..engine.words import Named
from ..rules.terms import Term
from .alphabeta_config import AlphaBetaConfig
from .alphabeta_plain import PlainAlphaBeta, RootChoice
from .budget import Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .decision import Choice, Decision, honest
from .evaluation import Evaluation, FactWeights, KernelEvaluation, PlayoutMean
from .one_user import one_user
from .score import goal_of_score
from .sharpened import Sharpened


class AlphaBeta:
    """Searches for the best move of a role. One search at a time; the table is kept from one to the next."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation | None = None,
        config: AlphaBetaConfig | None = None,
        *,
        is_quiet: Callable[[State], bool] | None = None,
    ) -> None:
        self.game = game
        self.config = config or AlphaBetaConfig()
        if evaluation is None and self.config.playouts:
            evaluation = PlayoutMean(self.config.playouts, self.config.seed)
        self.evaluation = evaluation
        self.is_quiet = is_quiet
        self._plain: PlainAlphaBeta | None = None
        self._core: _Core | None = None
        self._user = threading.RLock()

    @one_user
    def search(self, state: State, role: Named, budget: Budget) -> Decision:
        """The best move of a role in a state that is not terminal, as far as the budget allows."""
        role = state.game.role(role)
        if state.is_terminal:
            raise GameError(f"{self.game.name} is over: there is nothing to search")
        if role not in self.game.roles:
            raise GameError(f"{role} is no role of {self.game.name}")
        watch = Stopwatch(budget)
        answer = self._ask_core(state, role, watch)
        if answer is None:
            answer = self._ask_plain(state, role, watch)
        if not answer.choices:
            raise GameError(f"{self.game.name} goes no further: a role has no move")
        return honest(self.game, _decision(answer, role, watch.seconds))

    def ponder(self, state: State, role: Named, budget: Budget) -> None:
        """Search ahead: the table keeps the values for the next search."""
        self.search(state, role, budget)

    @one_user
    def forget(self) -> None:
        """Drop everything kept from earlier searches."""
        if self._core:
            self._core.kernel.forget()
        if self._plain:
            self._plain.forget()

    def _ask_core(self, state: State, role: Term, watch: Stopwatch) -> AlphaBetaAnswer | None:
        game = compiled_game(self.game) if self.config.compiled else None
        packed = compiled_state(game, state) if game else None
        if game is None or packed is None:
            return None
        if self._core is None or self._core.game is not game:
            self._core = _Core(game, self.evaluation, self.config, self.is_quiet)
        return self._core.search(packed, role, watch)

    def _ask_plain(self, state: State, role: Term, watch: Stopwatch) -> AlphaBetaAnswer:
        if self._plain is None:
            self._plain = PlainAlphaBeta(self.evaluation, self.config, self.is_quiet)
        choices, depth, solved, line = self._plain.search(state, role, watch)
        return AlphaBetaAnswer(choices, depth, solved, self._plain.nodes, line)


@dataclass(frozen=True)
class AlphaBetaAnswer:
    """The result of either core."""

    choices: list[RootChoice]
    depth: int
    solved: bool
    nodes: int
    line: list[tuple[Term, ...]]


class _Core:
    """The compiled core, with the Python objects it needs."""

    def __init__(
        self,
        game: CompiledGame,
        evaluation: Evaluation | None,
        config: AlphaBetaConfig,
        is_quiet: Callable[[State], bool] | None,
    ) -> None:
        self.game = game
        self.config = config
        self.evaluation = evaluation
        self.is_quiet = is_quiet
        self.kernel = AlphaBetaKernel(game.single.evaluators, config.table_bytes)

    def search(self, state: CompiledState, role: Term, watch: Stopwatch) -> AlphaBetaAnswer:
        config, budget = self.config, watch.budget
        is_quiet, unpacked = self.is_quiet, self.game.unpacked
        found = self.kernel.search(
            state.bits,
            self.game.seat(role),
            first_depth=config.first_depth,
            deepening=config.deepening,
            max_depth=config.max_depth,
            window=config.window,
            extensions=config.extensions,
            every_value=config.every_value,
            any_win=config.any_win,
            nodes=budget.nodes,
            seconds=watch.seconds_left,
            stop=budget.stop.is_set if budget.stop else None,
            is_quiet=None if is_quiet is None else lambda bits: is_quiet(unpacked(bits)),
            **self._evaluation(role),
        )
        moves = self.game.circuit.moves
        choices = [
            RootChoice(moves[number][1], score, exact, solved, nodes)
            for number, score, exact, solved, nodes in found["choices"]
        ]
        line = [tuple(moves[number][1] for number in joint) for joint in found["line"]]
        return AlphaBetaAnswer(choices, found["depth"], found["solved"], found["nodes"], line)

    def _evaluation(self, role: Term) -> dict[str, Any]:
        """The evaluation for the kernel: a built-in one where it has it, else a callback."""
        game, evaluation = self.game, self.evaluation
        if evaluation is None:
            return {}
        if isinstance(evaluation, PlayoutMean):
            return {
                "playouts": evaluation.count,
                "seed": evaluation.seed,
                "longest": evaluation.max_steps,
            }
        if isinstance(evaluation, FactWeights):
            own = evaluation.weights.get(role, {})
            weights = np.array([own.get(fluent, 0.0) for fluent in game.circuit.fluents], np.float64)
            return {"weights": weights, "bias": evaluation.bias}
        if isinstance(evaluation, KernelEvaluation) and evaluation.game is game:
            return {"values": evaluation.kernel}
        if isinstance(evaluation, Sharpened):
            inner = evaluation.evaluation
            if isinstance(inner, KernelEvaluation) and inner.game is game:
                return {"values": inner.kernel, "spread": evaluation.spread}
        return {"evaluate": lambda bits: float(evaluation(game.unpacked(bits), role))}


def _decision(answer: AlphaBetaAnswer, role: Term, seconds: float) -> Decision:
    choices = tuple(_choice(choice) for choice in answer.choices)
    return Decision(
        role=role,
        move=choices[0].move,
        choices=choices,
        nodes=answer.nodes,
        playouts=0,
        seconds=seconds,
        depth=answer.depth,
        proven=answer.solved,
        line=tuple(answer.line),
    )


def _choice(choice: RootChoice) -> Choice:
    return Choice(
        choice.move,
        choice.nodes,
        goal_of_score(choice.score, choice.solved),
        choice.solved and choice.exact,
    )
