"""The compiled tree: the same search as the plain one, in kernels over the circuit, many leaves at once."""

from __future__ import annotations

from .._core import MctsSettings, MctsTree, StateValues
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import State
from .budget import Stopwatch
from .evaluation import KernelEvaluation
from .leaf_values import LeafValues
from .mcts_config import MctsConfig
from .plain_mcts.nodes import highest_goals
from .tree import MoveStats, StateStats, TreeGrowth


class CompiledTree:
    """A tree of packed states; see ``_core/mcts/``."""

    def __init__(self, game: CompiledGame, config: MctsConfig, *, valued: bool = False) -> None:
        """``valued``: searches give values for leaves, which are asked one after the other."""
        self._game = game
        self._config = config
        total = game.info.proved_sum
        self._kernel = MctsTree(
            game.single.evaluators,
            chance=game.info.chance_seats,
            highest=highest_goals(game),
            constant_sum=-1 if total is None else total,
            observe=config.constant_sum == "observed",
            seed=config.seed,
            memory_bytes=config.memory_bytes,
            settings=_settings(config, valued=valued),
            foresight=game.foresight if config.foresight and _is_foreseeable(game) else None,
        )

    def forget(self) -> None:
        self._kernel.forget()

    @property
    def nodes(self) -> int:
        return self._kernel.nodes

    @property
    def memory(self) -> int:
        return self._kernel.bytes

    def grow(self, state: State, role: int, watch: Stopwatch, values: LeafValues | None = None) -> TreeGrowth:
        budget = watch.budget
        nodes, playouts, depth = self._kernel.search(
            _bits(state),
            role,
            seconds=watch.seconds_left,
            playouts=budget.playouts,
            nodes=budget.nodes,
            threads=self._config.threads,
            stopped=None if budget.stop is None else budget.stop.is_set,
            values=None if values is None else _kernel(values),
            spreads=[] if values is None else values.spreads,
        )
        return TreeGrowth(nodes, playouts, depth)

    def look(self, state: State) -> StateStats | None:
        found = self._kernel.look(_bits(state))
        if found is None:
            return None
        stats, values, visits, points = found
        moves = self._game.circuit.moves
        return StateStats(
            tuple(
                tuple(
                    MoveStats(moves[move][1], tried, total, None if proven < 0 else proven, share)
                    for move, tried, total, proven, share in own
                )
                for own in stats
            ),
            tuple(None if value < 0 else value for value in values),
            visits,
            tuple(total / max(1, visits) for total in points),
        )


def _kernel(values: LeafValues) -> StateValues:
    assert isinstance(values.evaluation, KernelEvaluation)
    return values.evaluation.kernel


def _is_foreseeable(game: CompiledGame) -> bool:
    """Whether players can look ahead: foresight would also choose what nature draws."""
    return game.info.is_open and not game.info.chance_roles


def _bits(state: State) -> bytes:
    assert isinstance(state, CompiledState)
    return state.bits


def _settings(config: MctsConfig, *, valued: bool) -> MctsSettings:
    settings = MctsSettings()
    settings.exploration = config.exploration
    settings.virtual_loss = config.virtual_loss
    settings.first_play = config.first_play
    settings.batch = 1 if config.needs_moves or valued else config.batch
    settings.playouts_per_leaf = config.playouts_per_leaf
    settings.max_steps = config.max_steps
    settings.cutoff = config.cutoff
    settings.max_depth = config.max_depth
    settings.decisive = config.decisive
    settings.decisive_width = config.decisive_width
    settings.decisive_at_once = config.decisive_at_once
    settings.solver = config.solver
    settings.rave = ("none", "rave", "grave").index(config.rave)
    settings.rave_constant = config.rave_constant
    settings.rave_visits = config.rave_visits
    settings.policy = ("uniform", "mast", "nst").index(config.policy)
    settings.policy_heat = config.policy_heat
    settings.regret = config.simultaneous == "regret"
    settings.regret_exploration = config.regret_exploration
    return settings
