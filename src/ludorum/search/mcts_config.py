"""The settings of Monte Carlo tree search, with the reason for each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

MOST_THREADS = 1024
"""As in ``_core/common/arguments.hpp``: each has memory of its own."""
MUCH, WHOLE = 1e9, 2**32 - 1
BOUNDS: dict[str, tuple[float, float]] = {
    "exploration": (0, MUCH),
    "first_play": (-MUCH, math.inf),
    "batch": (0, 1 << 12),
    "playouts_per_leaf": (0, 1 << 16),
    "threads": (1, MOST_THREADS),
    "memory_bytes": (0, 2**63 - 1),
    "decisive_width": (0, WHOLE),
    "decisive_at_once": (0, WHOLE),
    "rave_constant": (1e-9, MUCH),
    "rave_visits": (0, WHOLE),
    "policy_heat": (0.02, MUCH),
    "regret_exploration": (0, 1),
    "max_steps": (1, WHOLE),
    "cutoff": (0, WHOLE),
    "max_depth": (1, 1 << 20),
    "virtual_loss": (0, MUCH),
}
"""The range of each number, for both trees; as in ``_core/mcts/mcts.cpp``."""


@dataclass(frozen=True)
class MctsConfig:
    """How a tree is grown; the same config and seed grow the same tree, but for the clock and threads."""

    exploration: float = 0.7
    """Exploration weight of UCB1, on values 0..1."""
    first_play: float = math.inf
    """First-play urgency: the score of an untried move above the mean of its node; tried moves that score
    more are followed first. Infinite: every move is tried before any is followed."""
    seed: int = 0
    plain: bool = False
    """Whether the plain tree is grown even where there is a circuit: slow, and the oracle of the other."""
    batch: int = 0
    """Leaves collected before they are played out together: 1 is one after the other, as the plain tree
    does it; 0 is chosen: many in lanes where there is a circuit, and 1 where a policy needs every move."""
    playouts_per_leaf: int = 0
    """Random games from a new leaf; 0 is chosen: 1 one after the other, in lanes as many as take as long as
    the way to the leaf. Leaves and games of a batch fill the lanes."""
    threads: int = 1
    memory_bytes: int = 1_000_000_000
    """Nodes and edges; a full tree is searched on without growing."""
    solver: bool = True
    """Whether exact values are backed up and not searched again (MCTS-Solver)."""
    constant_sum: Literal["observed", "proved"] = "observed"
    """When a two-player game counts as constant-sum: if every end met so far agrees (values are dropped
    should one ever disagree), or only if that is proved of the game. Observed sums guide the search, but no
    value that may rest on them is marked as proven."""
    decisive: bool = True
    """Whether every new node is searched for a move that wins at once; a move that allows such a reply is
    then known to lose after one visit."""
    decisive_width: int = 128
    """The most moves of a node that are tried for that; more would cost more than a playout gains."""
    decisive_at_once: int = 8
    """In lanes: a node with more moves than this is asked when it is visited again, since most never are."""
    foresight: bool = True
    """In lanes: whether playouts look two moves ahead where that is cheap (``engine/foresight.py``)."""
    rave: Literal["none", "rave", "grave"] = "none"
    rave_constant: float = 500.0
    """Visits after which a move's own average outweighs that of its later use."""
    rave_visits: int = 50
    """GRAVE: nodes with fewer visits use the statistics of an ancestor."""
    policy: Literal["uniform", "mast", "nst"] = "uniform"
    policy_heat: float = 0.2
    """Temperature of the Gibbs choice among average values 0..1 of moves."""
    simultaneous: Literal["decoupled", "regret"] = "decoupled"
    regret_exploration: float = 0.1
    """Share of random moves in regret matching."""
    max_steps: int = 2000
    """Joint moves of a playout; longer games are valued where they stop."""
    cutoff: int = 0
    """Joint moves of a playout after which a state is valued by the evaluation, where the search has one."""
    max_depth: int = 1000
    """Joint moves of a descent; a longer one is played out where it is."""
    virtual_loss: float = 0.3
    """The share of a visit in progress that counts as lost: enough to spread the leaves of a batch, little
    enough to keep to good moves. 0.3 beat 1 in four games of five."""
    think_when_forced: bool = False
    """Whether a role with one legal move thinks as long as its clock allows. A budget in playouts or nodes
    is always spent: a caller that counts wants the tree."""

    def __post_init__(self) -> None:
        for name, (least, most) in BOUNDS.items():
            value = getattr(self, name)
            if not least <= value <= most:  # written so that NaN is refused
                raise ValueError(f"{name} must be from {least:g} to {most:g}, not {value!r}")

    @property
    def learns_moves(self) -> bool:
        """Whether moves of playouts are remembered."""
        return self.rave != "none" or self.policy != "uniform"

    @property
    def needs_moves(self) -> bool:
        """Whether every move of a playout must be known, which lanes do not record."""
        return self.rave != "none" or self.policy == "nst"
