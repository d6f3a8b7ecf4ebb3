"""A game as an extensive-form tree in arrays, for any game whose tree is small enough.

What a role can tell apart is derived from ``sees`` alone: two nodes are in one information set of a role if
its own moves and percepts on the way to them are the same (in games without hidden information every role
perceives all moves). Roles that move at the same time become nodes one after the other; the later ones cannot
tell what the earlier ones chose. A role with one legal move has no node.

Nodes are numbered by level: by the step of the game, and within it by the role that decides. So children have
higher numbers than their parents, and all nodes of an information set are on one level.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ...engine.errors import GameError
from ...engine.game import RANDOM, Game, State
from ...rules.terms import Term, format_term

Ints: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int32]]
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


@dataclass
class _Node:
    """A node while the tree is made."""

    level: int = 0
    player: int = TERMINAL
    children: list[int] = field(default_factory=list)
    information_set: int = -1
    goals: tuple[float, ...] = ()


@dataclass(frozen=True)
class _Pending:
    """A history whose node is known and whose step is not finished."""

    node: int
    state: State
    chosen: tuple[Term, ...]
    """Moves of the first roles in this step."""
    keys: tuple[int, ...]
    """What each player has moved and perceived, as a number."""


class _Histories:
    """Numbers for what a player has moved and perceived so far."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, Term, frozenset[Term]], int] = {}
        self._steps: list[tuple[int, Term, frozenset[Term]]] = []

    def after(self, before: int, move: Term, percepts: frozenset[Term]) -> int:
        step = (before, move, percepts)
        number = self._numbers.get(step)
        if number is None:
            self._steps.append(step)
            number = self._numbers[step] = len(self._steps)
        return number

    def steps(self, number: int) -> tuple[tuple[Term, frozenset[Term]], ...]:
        found = []
        while number:
            number, move, percepts = self._steps[number - 1]
            found.append((move, percepts))
        return tuple(reversed(found))


def make_tree(
    game: Game,
    state: State | None = None,
    most_nodes: int = MOST_NODES,
    progress: Callable[[int], None] | None = None,
) -> GameTree:
    """The tree of a game from a state on, the first unless given; ``progress`` is told its size so far.

    TreeTooLargeError where it has more nodes than allowed, UnknownMovesError where a role cannot know its
    legal moves, GameError where an end has no goal value or a role no move.
    """
    return _Making(game, most_nodes, progress).run(state or game.initial())


class _Making:
    def __init__(self, game: Game, most_nodes: int, progress: Callable[[int], None] | None) -> None:
        self.game = game
        self.players = game.info.players
        self.most_nodes = most_nodes
        self.progress = progress
        self.nodes: list[_Node] = []
        self.sets: list[InformationSet] = []
        self._set_numbers: dict[tuple[int, int], int] = {}
        self._slots = 0
        self._is_open = game.info.is_open
        """Whether every role is told every move, which GDL does not write down as percepts."""
        self._histories = [_Histories() for _ in self.players]
        self._seats = [CHANCE if role is RANDOM else self.players.index(role) for role in game.roles]

    def run(self, state: State) -> GameTree:
        pending = [_Pending(self._new_node(), state, (), (0,) * len(self.players))]
        level = 0
        while pending := [one for one in pending if not self._is_over(one, level)]:
            for at in range(len(self.game.roles)):
                pending = list(self._choose(pending, at, level + at))
            pending = list(map(self._played, pending))
            level += len(self.game.roles)
            if self.progress is not None:
                self.progress(len(self.nodes))
        return self._in_arrays()

    def _new_node(self) -> int:
        if len(self.nodes) >= self.most_nodes:
            raise TreeTooLargeError(f"the tree of {self.game.name} has more than {self.most_nodes} nodes")
        self.nodes.append(_Node())
        return len(self.nodes) - 1

    def _is_over(self, one: _Pending, level: int) -> bool:
        if not one.state.is_terminal:
            return False
        goals = [one.state.goal(role) for role in self.players]
        if any(goal is None for goal in goals):
            raise GameError(f"{self.game.name} ends in a state without exactly one goal value for each role")
        node = self.nodes[one.node]
        node.level, node.goals = level, tuple(float(goal or 0) for goal in goals)
        return True

    def _choose(self, pending: list[_Pending], at: int, level: int) -> Iterator[_Pending]:
        """Let the role of that number choose in every history."""
        role, player = self.game.roles[at], self._seats[at]
        for one in pending:
            moves = one.state.legal(role)
            if not moves:
                raise GameError(f"{role} has no legal move although {self.game.name} is not over")
            if len(moves) == 1:
                yield _Pending(one.node, one.state, (*one.chosen, moves[0]), one.keys)
                continue
            node = self.nodes[one.node]
            node.level, node.player = level, player
            if player >= 0:
                node.information_set = self._set_of(player, one.keys[player], moves)
                moves = self.sets[node.information_set].moves
            for move in moves:
                child = self._new_node()
                node.children.append(child)
                yield _Pending(child, one.state, (*one.chosen, move), one.keys)

    def _set_of(self, player: int, key: int, moves: tuple[Term, ...]) -> int:
        number = self._set_numbers.get((player, key))
        if number is None:
            history = self._histories[player].steps(key)
            number = self._set_numbers[player, key] = len(self.sets)
            self.sets.append(InformationSet(self.players[player], history, moves, self._slots))
            self._slots += len(moves)
        elif set(self.sets[number].moves) != set(moves):
            raise UnknownMovesError(
                f"{self.players[player]} cannot know its legal moves in {self.game.name}: after "
                f"{self.sets[number]} they are {_listed(self.sets[number].moves)} or {_listed(moves)}"
            )
        return number

    def _played(self, one: _Pending) -> _Pending:
        after = one.state.play(one.chosen)
        moves = dict(zip(self.game.roles, one.chosen, strict=True))
        told = frozenset(Term("did", (role, move)) for role, move in moves.items())
        keys = tuple(
            histories.after(key, moves[role], told if self._is_open else frozenset(after.percepts(role)))
            for histories, key, role in zip(self._histories, one.keys, self.players, strict=True)
        )
        return _Pending(one.node, after, (), keys)

    def _in_arrays(self) -> GameTree:
        """The nodes in the order of their levels."""
        order = sorted(range(len(self.nodes)), key=lambda number: self.nodes[number].level)
        place = np.empty(len(order), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        nodes = [self.nodes[number] for number in order]
        counts = [len(node.children) for node in nodes]
        child = [place[number] for node in nodes for number in node.children]
        slot = [
            -1 if node.information_set < 0 else self.sets[node.information_set].first + at
            for node in nodes
            for at in range(len(node.children))
        ]
        values = np.zeros((len(nodes), len(self.players)))
        for number, node in enumerate(nodes):
            if node.goals:
                values[number] = node.goals
        levels = np.flatnonzero(np.diff([node.level for node in nodes], prepend=-1))
        return GameTree(
            self.players,
            np.array([node.player for node in nodes], np.int32),
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
            np.array(child, np.int32),
            np.array(slot, np.int32),
            np.array([node.information_set for node in nodes], np.int32),
            values,
            tuple(self.sets),
            np.append(levels, len(nodes)).astype(np.int32),
        )


def _listed(moves: tuple[Term, ...]) -> str:
    return ", ".join(map(format_term, moves))
