"""RAVE and GRAVE (all moves as first): a move made later in a game is evidence about making it now.

RAVE (Gelly and Silver 2007) mixes that into the value of a move until it has been tried often enough; GRAVE
(Cazenave 2015) takes it from the nearest ancestor that has been visited often enough to know.
"""

from __future__ import annotations

from math import log, sqrt

from ..._core import SplitMix64
from ...rules.terms import Term
from .nodes import TreeEdge, TreeNode
from .policy import History
from .select import draw


def rave_edges(node: TreeNode, role: int, reference: TreeNode) -> list[TreeEdge | None]:
    """By place: the statistics of a move's later use; None where the reference node lacks the move."""
    edges = node.edges[role]
    if reference is node:
        return list(edges)
    known = {edge.move: edge for edge in reference.edges[role]}
    return [known.get(edge.move) for edge in edges]


def select_by_rave(
    node: TreeNode,
    role: int,
    later: list[TreeEdge | None],
    highest: int,
    exploration: float,
    constant: float,
    chooser: SplitMix64,
) -> tuple[int, int | None]:
    """As ``select``, with the statistics of later moves; moves without any come first."""
    edges = node.edges[role]
    unknown = []
    winning: int | None = None
    for at, edge in enumerate(edges):
        if edge.proven == highest and winning is None:
            winning = at
        other = later[at]
        if edge.proven is None and edge.visits == 0 and (other is None or other.rave_visits == 0):
            unknown.append(at)
    if unknown:
        return unknown[draw(chooser, len(unknown))], winning
    log_visits = log(float(node.visits))
    sure, sure_score, still_open, open_score = 0, -1.0, 0, -1.0
    for at, edge in enumerate(edges):
        if edge.proven is not None:
            if edge.proven / 100.0 > sure_score:
                sure, sure_score = at, edge.proven / 100.0
            continue
        score = _mixed(edge, later[at], constant) + exploration * sqrt(log_visits / max(1, edge.visits))
        if score > open_score:
            still_open, open_score = at, score
    if open_score < 0.0:
        return sure, None
    return still_open, sure if winning is not None or sure_score > open_score else None


def _mixed(edge: TreeEdge, other: TreeEdge | None, constant: float) -> float:
    if other is None or other.rave_visits == 0:
        return edge.mean
    late = float(other.rave_visits)
    late_mean = other.rave_points / (100.0 * late)
    if edge.visits == 0:
        return late_mean
    own = float(edge.visits)
    share = late / (late + own + late * own / constant)
    return (1.0 - share) * edge.mean + share * late_mean


def learn_later_moves(
    way: list[tuple[TreeNode, tuple[int, ...]]], chance: tuple[int, ...], history: History, points: list[int]
) -> None:
    """Update the nodes on the path with those of their moves that were made from there on."""
    made: list[set[Term]] = [set() for _ in points]
    for step in history:
        for role, move in step:
            made[role].add(move)
    for node, joint in reversed(way):
        for role in node.choosers:
            if role in chance:
                continue
            made[role].add(node.edges[role][joint[role]].move)
            for edge in node.edges[role]:
                if edge.move in made[role]:
                    edge.rave_visits += 1
                    edge.rave_points += points[role]
