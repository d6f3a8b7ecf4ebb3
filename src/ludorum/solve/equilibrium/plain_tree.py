"""The tree of a game, one history after the other: for any engine, and the twin of the tree in lanes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ...engine.game import Game, State
from ...rules.ruleset import is_nature
from ...rules.terms import Term
from .game_tree import (
    CHANCE,
    TERMINAL,
    GameTree,
    InformationSet,
    end_without_goal,
    role_without_move,
    tree_too_large,
    unknown_moves,
)


@dataclass
class _Node:
    """A node while the tree is made."""

    level: int = 0
    player: int = TERMINAL
    children: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    """How likely nature draws each child."""
    information_set: int = -1
    goals: tuple[float, ...] = ()


@dataclass(frozen=True)
class PendingHistory:
    """A history whose node is known and whose step is not finished."""

    node: int
    state: State
    chosen: tuple[Term, ...]
    """Moves of the first roles in this step."""
    keys: tuple[int, ...]
    """What each player has moved and perceived, as a number."""


class HistoryNumbers:
    """Numbers for what a player has moved and perceived so far, from 0 on."""

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


def make_plain_tree(
    game: Game, state: State, most_nodes: int, progress: Callable[[int], None] | None = None
) -> GameTree:
    """As ``make_tree``, for any game."""
    return TreeMaking(game, most_nodes, progress).run(state)


class TreeMaking:
    """Makes a tree, level by level."""

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
        self._histories = [HistoryNumbers() for _ in self.players]
        self._twins: dict[int, int] = {}
        """Nodes that are no more than another name of an earlier one: none in a tree."""
        self._seats = [CHANCE if is_nature(role) else self.players.index(role) for role in game.roles]

    def run(self, state: State) -> GameTree:
        pending = [PendingHistory(self._new_node(), state, (), (0,) * len(self.players))]
        level = 0
        while pending := [one for one in pending if not self._is_over(one, level)]:
            for at in range(len(self.game.roles)):
                pending = list(self._choose(pending, at, level + at))
            pending = self._joined(list(map(self._played, pending)))
            level += len(self.game.roles)
            if self.progress is not None:
                self.progress(len(self.nodes))
        return self._in_arrays()

    def _joined(self, pending: list[PendingHistory]) -> list[PendingHistory]:
        """Histories that go on as one: in a tree each by itself."""
        return pending

    def _new_node(self) -> int:
        if len(self.nodes) >= self.most_nodes:
            raise tree_too_large(self.game.name, self.most_nodes)
        self.nodes.append(_Node())
        return len(self.nodes) - 1

    def _is_over(self, one: PendingHistory, level: int) -> bool:
        if not one.state.is_terminal:
            return False
        goals = [one.state.goal(role) for role in self.players]
        if any(goal is None for goal in goals):
            raise end_without_goal(self.game.name)
        node = self.nodes[one.node]
        node.level, node.goals = level, tuple(float(goal or 0) for goal in goals)
        return True

    def _choose(self, pending: list[PendingHistory], at: int, level: int) -> Iterator[PendingHistory]:
        """Let the role of that number choose in every history."""
        role, player = self.game.roles[at], self._seats[at]
        for one in pending:
            odds = one.state.odds(role) if player == CHANCE else dict.fromkeys(one.state.legal(role), 1)
            moves = tuple(odds)
            if not moves:
                raise role_without_move(self.game.name, role)
            if len(moves) == 1:
                yield PendingHistory(one.node, one.state, (*one.chosen, moves[0]), one.keys)
                continue
            node = self.nodes[one.node]
            node.level, node.player = level, player
            if player >= 0:
                node.information_set = self._set_of(player, one.keys[player], moves)
                moves = self.sets[node.information_set].moves
            for move in moves:
                child = self._new_node()
                node.children.append(child)
                node.weights.append(odds[move])
                yield PendingHistory(child, one.state, (*one.chosen, move), one.keys)

    def _set_of(self, player: int, key: int, moves: tuple[Term, ...]) -> int:
        number = self._set_numbers.get((player, key))
        if number is None:
            history = self._histories[player].steps(key)
            number = self._set_numbers[player, key] = len(self.sets)
            self.sets.append(InformationSet(self.players[player], history, moves, self._slots))
            self._slots += len(moves)
        elif set(self.sets[number].moves) != set(moves):
            raise unknown_moves(self.game.name, self.sets[number], moves)
        return number

    def _played(self, one: PendingHistory) -> PendingHistory:
        after = one.state.play(one.chosen)
        moves = dict(zip(self.game.roles, one.chosen, strict=True))
        told = frozenset(Term("did", (role, move)) for role, move in moves.items())
        keys = tuple(
            histories.after(key, moves[role], told if self._is_open else frozenset(after.percepts(role)))
            for histories, key, role in zip(self._histories, one.keys, self.players, strict=True)
        )
        return PendingHistory(one.node, after, (), keys)

    def _in_arrays(self) -> GameTree:
        """The nodes in the order of their levels."""
        kept = [number for number in range(len(self.nodes)) if number not in self._twins]
        order = sorted(kept, key=lambda number: self.nodes[number].level)
        place = np.empty(len(self.nodes), np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        for number, twin in self._twins.items():
            place[number] = place[twin]
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
            np.array([weight for node in nodes for weight in node.weights], np.int64),
            np.array(slot, np.int32),
            np.array([node.information_set for node in nodes], np.int32),
            values,
            tuple(self.sets),
            np.append(levels, len(nodes)).astype(np.int32),
        )
