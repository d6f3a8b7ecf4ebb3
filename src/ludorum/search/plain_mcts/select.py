"""Selection: UCB1 over moves whose value is not proven, exact values for the others."""

from __future__ import annotations

from math import isinf, log, sqrt

from ..._core import SplitMix64
from .nodes import TreeEdge, TreeNode


def draw(chooser: SplitMix64, count: int) -> int:
    """A number below ``count``; nothing is drawn where there is no choice."""
    return 0 if count == 1 else chooser.below(count)


def urgency(node: TreeNode, role: int, first_play: float) -> float:
    """The score of an untried move: the mean of its node and what the config adds."""
    return (node.points[role] / (100.0 * node.visits) if node.visits else 0.5) + first_play


def select(
    node: TreeNode, role: int, highest: int, exploration: float, first_play: float, chooser: SplitMix64
) -> tuple[int, int | None]:
    """The place of the move of a role with a choice; among the untried any, among equals the first.

    Untried moves come before tried ones that score less than ``urgency``.

    Proven moves compete with their exact value and without the exploration bonus. Where such a move is the
    best, visiting it teaches nothing: its place is returned second, and first that of the best move that is
    still open.
    """
    edges = node.edges[role]
    untried = 0
    winning: int | None = None
    for at, edge in enumerate(edges):
        if edge.proven == highest and winning is None:
            winning = at
        untried += edge.proven is None and edge.visits == 0
    if untried and isinf(first_play):
        return _untried(edges, draw(chooser, untried)), winning
    log_visits = log(float(max(1, node.visits)))
    sure, sure_score, still_open, open_score = 0, -1.0, 0, -1.0
    for at, edge in enumerate(edges):
        if edge.proven is not None:
            if edge.proven / 100.0 > sure_score:
                sure, sure_score = at, edge.proven / 100.0
        elif edge.visits:
            score = edge.mean + exploration * sqrt(log_visits / edge.visits)
            if score > open_score:
                still_open, open_score = at, score
    if untried and open_score < urgency(node, role, first_play):
        return _untried(edges, draw(chooser, untried)), winning
    if open_score < 0.0:
        return sure, None
    return still_open, sure if winning is not None or sure_score > open_score else None


def _untried(edges: list[TreeEdge], number: int) -> int:
    """The place of the untried move of that number."""
    for at, edge in enumerate(edges):
        if edge.proven is None and edge.visits == 0:
            if number == 0:
                return at
            number -= 1
    raise AssertionError("there are not so many untried moves")
