"""A game as an extensive-form tree in arrays.

What a role can tell apart is derived from ``sees`` alone: two nodes are in one information set of a role if
its own moves and percepts on the way to them are the same (in games without hidden information every role
perceives all moves). Roles that move at the same time become nodes one after the other; the later ones cannot
tell what the earlier ones chose. A role with one legal move has no node.

Nodes are numbered by level: by the step of the game, and within it by the role that decides. So children have
higher numbers than their parents, and all nodes of an information set are on one level.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ...engine.errors import GameError
from ...rules.terms import Term, format_term

Ints: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
Longs: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int64]]
Floats: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float64]]

MOST_NODES = 3_000_000
"""Nodes of a tree unless the caller says otherwise: about a gigabyte while it is made."""
CHANCE, TERMINAL = -1, -2
"""What stands for a player in nodes where nature draws, and where the game is over."""


class TreeTooLargeError(GameError):
    """The tree has more nodes than are allowed."""


class UnknownMovesError(GameError):
    """A role cannot know its legal moves: two histories look the same to it and differ in what is legal."""


@dataclass(frozen=True)
class InformationSet:
    """Histories that a role cannot tell apart."""

    role: Term
    history: tuple[tuple[Term, frozenset[Term]], ...]
    """The role's own move and its percepts in each step so far."""
    moves: tuple[Term, ...]
    first: int
    """The number of its first move among those of all information sets."""

    def __str__(self) -> str:
        told = [
            " ".join([format_term(move), *sorted(map(format_term, percepts))])
            for move, percepts in self.history
        ]
        return f"{self.role}: {'; '.join(told) or 'start'}"


@dataclass(frozen=True)
class GameTree:
    """The tree, an entry for each node, each edge, and each information set."""

    players: tuple[Term, ...]
    """The roles that choose, in their order; nature is none of them."""
    player: Ints
    """By node: the number of the player that decides, CHANCE or TERMINAL."""
    first_edge: Ints
    """By node, with one more at the end: its edges are those from here to the next node's first."""
    child: Ints
    """By edge: the node it leads to."""
    weight: Longs
    """By edge: how likely nature draws it beside the others of its node; 1 where players decide."""
    slot: Ints
    """By edge: the number of its move among those of all information sets; -1 where nature draws."""
    information_set: Ints
    """By node; -1 where no player decides."""
    values: Floats
    """By node and player: goal values at the end, 0 elsewhere."""
    sets: tuple[InformationSet, ...]
    levels: Ints
    """The first node of each level, and the number of nodes."""

    @property
    def size(self) -> int:
        """The number of nodes."""
        return len(self.player)

    @cached_property
    def slots(self) -> int:
        """The number of moves of all information sets together."""
        return sum(len(one.moves) for one in self.sets)

    @cached_property
    def set_offsets(self) -> Ints:
        """By information set, with one more at the end: its first slot."""
        return np.array([*(one.first for one in self.sets), self.slots], np.int32)


def unknown_moves(game: str, one: InformationSet, moves: tuple[Term, ...]) -> UnknownMovesError:
    """The error for an information set in which other moves are legal as well."""
    return UnknownMovesError(
        f"{one.role} cannot know its legal moves in {game}: after {one} they are "
        f"{_listed(one.moves)} or {_listed(moves)}"
    )


def tree_too_large(game: str, most_nodes: int) -> TreeTooLargeError:
    return TreeTooLargeError(f"the tree of {game} has more than {most_nodes} nodes")


def end_without_goal(game: str) -> GameError:
    return GameError(f"{game} ends in a state without exactly one goal value for each role")


def role_without_move(game: str, role: Term) -> GameError:
    return GameError(f"{role} has no legal move although {game} is not over")


def _listed(moves: tuple[Term, ...]) -> str:
    return ", ".join(map(format_term, moves))
