"""Random games from a leaf, one after the other."""

from __future__ import annotations

from .._core import SplitMix64
from ..engine.game import State
from ..rules.terms import Term
from .plain_nodes import end_points
from .plain_select import draw


def playout(state: State, chooser: SplitMix64, max_steps: int) -> tuple[list[int], bool]:
    """Goal values after one random game, and whether it came to its end; others got stuck or too long."""
    for _ in range(max_steps):
        if state.is_terminal:
            break
        joint = random_joint(state, chooser)
        if joint is None:
            break
        state = state.play(joint)
    return end_points(state), state.is_terminal


def random_joint(state: State, chooser: SplitMix64) -> list[Term] | None:
    """A move for each role, all as likely; None where a role has none."""
    joint = []
    for role in state.game.roles:
        moves = state.legal(role)
        if not moves:
            return None
        joint.append(moves[draw(chooser, len(moves))])
    return joint
