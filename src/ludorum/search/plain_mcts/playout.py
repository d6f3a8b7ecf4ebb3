"""Random games from a leaf, one after the other."""

from __future__ import annotations

from dataclasses import dataclass

from ..._core import SplitMix64
from ...engine.game import State
from ...rules.terms import Term
from ..budget import Stopwatch
from ..leaf_values import LeafValues
from ..mcts_config import MctsConfig
from .nodes import end_points
from .policy import Chosen, History, Policy


@dataclass(frozen=True, slots=True)
class Playout:
    """One game that was played to its end, or until it got stuck or too long."""

    points: list[int]
    is_over: bool
    history: History


class OutOfTimeError(Exception):
    """The clock ran out in the middle of a game, which is then discarded."""


class PlayoutPlayer:
    """Plays games by a policy; nature draws by its odds. ``watch`` ends games that take too long."""

    watch: Stopwatch | None = None
    values: LeafValues | None = None
    """What states are worth where games are cut off; without it they are played on."""

    def __init__(
        self, policy: Policy, chance: tuple[int, ...], chooser: SplitMix64, config: MctsConfig
    ) -> None:
        self._policy = policy
        self._chance = chance
        self._chooser = chooser
        self._config = config

    def play(self, state: State, before: Chosen | None) -> Playout:
        """A game from a state, after a move that led to it."""
        history: History = []
        most = self._config.max_steps
        for _ in range(most if self.values is None else min(most, self._config.cutoff)):
            if state.is_terminal:
                break
            if self.watch is not None and self.watch.is_up():
                raise OutOfTimeError
            step: list[Chosen] = []
            joint = self._joint(state, before, step)
            if joint is None:
                break
            state = state.play(joint)
            history.append(step)
            before = step[0] if step else None
        if self.values is None or state.is_terminal:
            return Playout(end_points(state), state.is_terminal, history)
        return Playout(self.values.points(state, self._chooser), False, history)

    def _joint(self, state: State, before: Chosen | None, step: list[Chosen]) -> list[Term] | None:
        """A move for each role, with the chosen ones added to the step; None where a role has no move."""
        joint: list[Term] = []
        for role, name in enumerate(state.game.roles):
            moves = state.legal(name)
            if not moves:
                return None
            if len(moves) == 1:
                joint.append(moves[0])
            elif role in self._chance:
                joint.append(state.game.chances.draw(moves, self._chooser))
            else:
                joint.append(self._policy.choose(role, moves, before, self._chooser))
                step.append((role, joint[-1]))
        return joint
