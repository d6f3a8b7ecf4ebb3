"""Settings of alpha-beta."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AlphaBetaConfig:
    """Settings that may be changed, with their defaults."""

    max_depth: int = 256
    """The most joint moves to look ahead; discounts bound it to a few thousand."""
    first_depth: int = 1
    deepening: int = 1
    """How much deeper each round searches. To solve a game, larger steps waste less on undecided rounds."""
    window: float = 2.0
    """Half the width, in goal points, of the first window of a round, around the value of the last."""
    table_bytes: int = 256 << 20
    """Memory of the transposition table; half of it at least is used."""
    extensions: int = 4
    """Steps that quiescence may add below the horizon."""
    every_value: bool = False
    """Exact values for all moves at the root: slower, since worse moves cannot be cut off."""
    playouts: int = 0
    """Random games whose mean values a state at the horizon, where no evaluation is given; 0: a draw."""
    seed: int = 0
    any_win: bool = False
    """Take any win, however slow, and any loss, however quick: enough to find the value alone."""
    compiled: bool = True
    """Whether to use the compiled core where there is a circuit."""
