"""Regret matching where several roles choose at once (Lanctot, Lisý and Winands 2013).

Each role plays its moves in proportion to how much it regrets not having played them; the average of what it
would have played comes close to an equilibrium in zero-sum games, which UCB does not.
"""

from __future__ import annotations

from ..._core import SplitMix64
from .nodes import Joint, TreeEdge, TreeNode
from .policy import unit_interval


def select_by_regret(edges: list[TreeEdge], exploration: float, chooser: SplitMix64) -> int:
    """Draw a move and add the current strategy to the average."""
    total = 0.0
    for edge in edges:
        total += max(0.0, edge.regret)
    even = 1.0 / len(edges)
    left = unit_interval(chooser)
    chosen = -1
    for at, edge in enumerate(edges):
        share = max(0.0, edge.regret) / total if total > 0.0 else even
        edge.strategy += share
        left -= (1.0 - exploration) * share + exploration * even
        if left < 0.0 and chosen < 0:
            chosen = at
    return chosen if chosen >= 0 else len(edges) - 1


def learn_regret(
    node: TreeNode, joint: Joint, chance: tuple[int, ...], points: list[int], games: int
) -> None:
    """Update the regrets: how much better other moves were against the same moves of the others, if tried."""
    for role in node.choosers:
        if role in chance:
            continue
        reward = points[role] / (100.0 * games)
        for at, edge in enumerate(node.edges[role]):
            if at == joint[role]:
                continue
            child = node.children.get((*joint[:role], at, *joint[role + 1 :]))
            if child is not None and child.visits > 0:
                edge.regret += child.points[role] / (100.0 * child.visits) - reward
