"""Random games from a leaf, one after the other."""

from __future__ import annotations

from .._core import SplitMix64
from ..engine.game import State
from .plain_nodes import end_points
from .plain_select import draw


def playout(state: State, chooser: SplitMix64, max_steps: int) -> list[int]:
    """Goal values at the end of one random game; it is valued where it gets stuck or too long."""
    roles = state.game.roles
    for _ in range(max_steps):
        if state.is_terminal:
            break
        choices = [state.legal(role) for role in roles]
        if not all(choices):
            break
        state = state.play([moves[draw(chooser, len(moves))] for moves in choices])
    return end_points(state)
