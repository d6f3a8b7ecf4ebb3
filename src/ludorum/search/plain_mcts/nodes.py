"""The nodes of the plain tree: a state, the moves of its roles, and their statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod

from ...engine.game import Game, State
from ...rules.terms import Term

Joint = tuple[int, ...]
"""For each role the place of its move among its legal moves."""


@dataclass(slots=True)
class TreeEdge:
    """One move of one role in one state."""

    move: Term
    visits: int = 0
    points: int = 0
    """Goal values of the role, summed over visits."""
    proven: int | None = None
    """The exact goal value, where the role alone decides and it is known."""
    rave_visits: int = 0
    rave_points: int = 0
    regret: float = 0.0
    strategy: float = 0.0

    @property
    def mean(self) -> float:
        """Average value, 0..1."""
        return self.points / (100.0 * self.visits)


@dataclass(slots=True, eq=False)
class TreeNode:
    """A state of the tree. It is expanded, which gives it edges, when it is visited again."""

    state: State
    values: list[int | None]
    """Goal values that are known exactly, by role."""
    is_end: bool
    visits: int = 0
    points: list[int] = field(default_factory=list)
    edges: list[list[TreeEdge]] = field(default_factory=list)
    """By role; empty before the node is expanded."""
    choosers: tuple[int, ...] = ()
    """Roles with more than one move."""
    children: dict[Joint, TreeNode] = field(default_factory=dict)
    settled: set[Joint] = field(default_factory=set)
    """Where several roles choose: the joint moves whose outcome is known."""

    @property
    def is_expanded(self) -> bool:
        return bool(self.edges)

    @property
    def joints(self) -> int:
        """How many joint moves there are."""
        return prod(len(own) for own in self.edges)

    def all_joints(self) -> Iterator[Joint]:
        return product(*(range(len(own)) for own in self.edges))

    def add(self, visits: int, points: list[int]) -> None:
        self.visits += visits
        self.points = [old + new for old, new in zip(self.points, points, strict=True)]

    def expand(self) -> None:
        self.edges = [[TreeEdge(move) for move in self.state.legal(role)] for role in self.state.game.roles]
        self.choosers = tuple(at for at, own in enumerate(self.edges) if len(own) > 1)

    def successor(self, joint: Joint) -> State:
        return self.state.play([own[at].move for own, at in zip(self.edges, joint, strict=True)])


def end_points(state: State) -> list[int]:
    """The goal values of a state; none, several, or negative ones count as 0."""
    return [max(0, value or 0) for value in state.goals()]


def has_moves(state: State) -> bool:
    """Whether every role has a legal move; faulty rules leave one without in a state that is no end."""
    return all(state.legal(role) for role in state.game.roles)


def new_node(state: State) -> TreeNode:
    """The node of a state; where play cannot go on, goals are final, whatever the reason."""
    roles = len(state.game.roles)
    if state.is_terminal or not has_moves(state):
        return TreeNode(state, list(end_points(state)), True, points=[0] * roles)
    return TreeNode(state, [None] * roles, False, points=[0] * roles)


def highest_goals(game: Game) -> list[int]:
    """The highest goal of each role: by the circuit, else 100."""
    circuit = getattr(game, "circuit", None)
    if circuit is None:
        return [100] * len(game.roles)
    return [
        max((value for who, value, _ in circuit.goals if who == role and isinstance(value, int)), default=0)
        for role in range(len(game.roles))
    ]
