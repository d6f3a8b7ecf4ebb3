"""The tree of a game with a circuit: all histories of a step at once, as arrays.

The tree is the same, node for node, as the one that ``plain_tree.py`` makes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..._core import RowIndex
from ...engine.compiled import CompiledGame
from ...engine.game import State
from ...engine.packed_odds import RoleOdds
from ...engine.simulator import Numbers, Packed
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

Places = NDArray[np.int64]

ROWS_AT_ONCE = 1 << 14
"""States whose legal moves are unpacked at once."""


def can_use_lanes(game: CompiledGame) -> bool:
    """Whether lanes can tell the goal values; they write -1 where there is none."""
    return not any(isinstance(value, int) and value < 0 for _, value, _ in game.circuit.goals)


def make_tree_in_lanes(
    game: CompiledGame, state: State, most_nodes: int, progress: Callable[[int], None] | None = None
) -> GameTree:
    """As ``make_tree``, for games with a circuit."""
    return _Making(game, most_nodes, progress).run(state)


@dataclass(frozen=True)
class _Options:
    """The legal moves of a role in each of some states."""

    first: Places
    """By state, with one more at the end: the place of its first move."""
    moves: Numbers
    weights: Places | None = None
    """How likely nature makes each; None: all are as likely."""

    def counts(self) -> Places:
        return np.diff(self.first)

    def of(self, row: int) -> Numbers:
        return self.moves[self.first[row] : self.first[row + 1]]

    def listed(self, rows: Places) -> tuple[Places, Places]:
        """The options of some states one after the other: the place of the state among them, the option."""
        counts = self.counts()[rows]
        parents = np.repeat(np.arange(len(rows)), counts)
        begin = np.cumsum(counts) - counts
        return parents, np.arange(len(parents)) - begin[parents] + self.first[rows][parents]


class _Memories:
    """What a player can have moved and perceived, a number for each case of a step."""

    def __init__(self, moves: Callable[[int], Term], percepts: Callable[[bytes], frozenset[Term]]) -> None:
        self._move = moves
        self._percepts = percepts
        self._steps: list[tuple[Places, Places, Packed]] = []
        """For each step: by case the case before, the move, and what was told, as bits."""
        self._told: list[dict[int, tuple[tuple[Term, frozenset[Term]], ...]]] = [{0: ()}]

    def after(self, cases: Places, moves: Numbers, told: Packed) -> Places:
        """The cases after a step, by history."""
        rows = np.concatenate(
            [cases.astype(np.int32)[:, None].view(np.uint8), moves[:, None].view(np.uint8), told], axis=1
        )
        index = RowIndex(rows.shape[1])
        numbers = index.add(np.ascontiguousarray(rows))
        kept = index.rows()
        heads = np.ascontiguousarray(kept[:, :8]).view(np.int32).astype(np.int64)
        self._steps.append((heads[:, 0], heads[:, 1], kept[:, 8:]))
        self._told.append({})
        return numbers

    def history(self, case: int) -> tuple[tuple[Term, frozenset[Term]], ...]:
        """The moves and percepts that led to a case of the last step."""
        at, way = len(self._steps), []
        while case not in self._told[at]:
            way.append(case)
            case = int(self._steps[at - 1][0][case])
            at -= 1
        history = self._told[at][case]
        for case in reversed(way):
            _, moves, told = self._steps[at]
            at += 1
            history = (*history, (self._move(int(moves[case])), self._percepts(told[case].tobytes())))
            self._told[at][case] = history
        return history


@dataclass
class _Decided:
    """What becomes of nodes, in parts as they are made: arrays of the same length each."""

    nodes: list[Places] = field(default_factory=list)
    levels: list[Places] = field(default_factory=list)
    players: list[Places] = field(default_factory=list)
    sets: list[Places] = field(default_factory=list)
    first_children: list[Places] = field(default_factory=list)
    counts: list[Places] = field(default_factory=list)
    weights: list[Places] = field(default_factory=list)
    """Of the children of all nodes, one node after the other."""

    def add(
        self,
        nodes: Places,
        level: int,
        player: int,
        sets: Places,
        children: Places,
        counts: Places,
        weights: Places | None = None,
    ) -> None:
        self.nodes.append(nodes)
        self.levels.append(np.full(len(nodes), level))
        self.players.append(np.full(len(nodes), player))
        self.sets.append(sets)
        self.first_children.append(children)
        self.counts.append(counts)
        self.weights.append(np.ones(int(counts.sum()), np.int64) if weights is None else weights)


class _Making:
    def __init__(self, game: CompiledGame, most_nodes: int, progress: Callable[[int], None] | None) -> None:
        self.game = game
        self.most_nodes = most_nodes
        self.progress = progress
        self.players = game.info.players
        self.size = 1
        self.sets: list[InformationSet] = []
        self._slots = 0
        self._names: dict[bytes, tuple[Term, ...]] = {}
        self._simulator = game.simulator()
        self._decided = _Decided()
        self._ends: list[tuple[Places, NDArray[np.float64]]] = []
        self._seats = [CHANCE if is_nature(role) else self.players.index(role) for role in game.roles]
        self._odds = [
            RoleOdds.of(game, seat) if is_nature(role) else None for seat, role in enumerate(game.roles)
        ]
        self._columns = [game.roles.index(role) for role in self.players]
        percepts = _Percepts(game)
        self._masks = percepts.masks
        self._memories = [_Memories(self._move, percepts.read) for _ in self.players]

    def _move(self, number: int) -> Term:
        return self.game.circuit.moves[number][1]

    def _named(self, numbers: Numbers) -> tuple[Term, ...]:
        """Moves as terms; the same moves are one object."""
        key = numbers.tobytes()
        found = self._names.get(key)
        if found is None:
            found = self._names[key] = tuple(map(self._move, numbers.tolist()))
        return found

    def run(self, state: State) -> GameTree:
        nodes = np.zeros(1, np.int64)
        states = self._simulator.pack([state])
        cases = [np.zeros(1, np.int64) for _ in self.players]
        level = 0
        while len(nodes):
            legal, terminal, goals = self._simulator.expand(states)
            self._end(nodes[terminal], goals[terminal], level)
            nodes, states, legal = nodes[~terminal], states[~terminal], legal[~terminal]
            cases = [own[~terminal] for own in cases]
            nodes, rows, joint = self._choose(nodes, legal, cases, level)
            cases = self._remember(states[rows], joint, [own[rows] for own in cases])
            states = self._simulator.step(states[rows], joint, check=False)
            level += len(self.game.roles)
            if self.progress is not None:
                self.progress(self.size)
        return self._in_arrays()

    def _end(self, nodes: Places, goals: Numbers, level: int) -> None:
        own = goals[:, self._columns]
        if (own < 0).any():
            raise end_without_goal(self.game.name)
        none = np.full(len(nodes), -1)
        self._decided.add(nodes, level, TERMINAL, none, none, np.zeros(len(nodes), np.int64))
        self._ends.append((nodes, own.astype(np.float64)))

    def _choose(
        self, nodes: Places, legal: Packed, cases: list[Places], level: int
    ) -> tuple[Places, Places, Numbers]:
        """Let one role after the other choose: nodes, the states they come from, and joint moves."""
        rows = np.arange(len(nodes))
        joint = np.zeros((len(nodes), 0), np.int32)
        for at, role in enumerate(self.game.roles):
            options = self._options(legal, at)
            counts = options.counts()
            if not counts.all():
                raise role_without_move(self.game.name, role)
            # Before anything large is made of them.
            if self.size + int(counts[rows][counts[rows] > 1].sum()) > self.most_nodes:
                raise tree_too_large(self.game.name, self.most_nodes)
            player = self._seats[at]
            sets = np.full(len(counts), -1)
            if player >= 0:
                choosing = np.flatnonzero(counts > 1)
                sets[choosing] = self._information_sets(player, choosing, cases[player], options)
            parents, places = options.listed(rows)
            weights = None if options.weights is None else options.weights[places]
            nodes = self._open(nodes, rows, counts[rows], parents, (level + at, player), sets, weights)
            joint = np.concatenate([joint[parents], options.moves[places][:, None]], axis=1)
            rows = rows[parents]
        return nodes, rows, np.ascontiguousarray(joint)

    def _options(self, legal: Packed, role: int) -> _Options:
        own = self.game.circuit.role_moves[role]
        counts, moves, weights = [np.zeros(1, np.int64)], [], []
        odds = self._odds[role]
        size = self.size
        for begin in range(0, len(legal), ROWS_AT_ONCE):
            flags = self._simulator.legal_flags(legal[begin : begin + ROWS_AT_ONCE])[:, own.start : own.stop]
            rows, columns = np.nonzero(flags)
            if odds is not None:
                rows, columns, drawn = odds.merged(rows, columns)
                weights.append(drawn)
            counts.append(np.bincount(rows, minlength=len(flags)))
            size += int(counts[-1][counts[-1] > 1].sum())
            if size > self.most_nodes:  # each state is that of one node at least
                raise tree_too_large(self.game.name, self.most_nodes)
            moves.append(columns)
        listed = np.concatenate([*moves, np.zeros(0, np.int64)]) + own.start
        return _Options(
            np.cumsum(np.concatenate(counts)),
            listed.astype(np.int32),
            None if odds is None else np.concatenate([*weights, np.zeros(0, np.int64)]),
        )

    def _open(
        self,
        nodes: Places,
        rows: Places,
        counts: Places,
        parents: Places,
        place: tuple[int, int],
        sets: Places,
        weights: Places | None,
    ) -> Places:
        """New nodes for those where the role has a choice; where it has none the node stays."""
        deciding = counts > 1
        is_new = deciding[parents]
        children = np.where(is_new, self.size - 1 + np.cumsum(is_new), nodes[parents])
        self.size += int(is_new.sum())
        firsts = (np.cumsum(counts) - counts)[deciding]
        level, player = place
        self._decided.add(
            nodes[deciding],
            level,
            player,
            sets[rows[deciding]],
            children[firsts],
            counts[deciding],
            None if weights is None else weights[is_new],
        )
        return children

    def _information_sets(self, player: int, choosing: Places, cases: Places, options: _Options) -> Places:
        """The information sets of states in which a player chooses, in the order in which they appear."""
        _, first, inverse = np.unique(cases[choosing], return_index=True, return_inverse=True)
        order = np.argsort(first)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        before = len(self.sets)
        role, memory = self.players[player], self._memories[player]
        for row in choosing[first[order]].tolist():
            moves = self._named(options.of(row))
            self.sets.append(InformationSet(role, memory.history(int(cases[row])), moves, self._slots))
            self._slots += len(moves)
        self._check_moves(choosing, choosing[first][inverse], before + rank[inverse], options)
        return before + rank[inverse]

    def _check_moves(self, rows: Places, models: Places, sets: Places, options: _Options) -> None:
        """Refuse states in which other moves are legal than in the first state of their information set."""
        counts = options.counts()
        wrong = counts[rows] != counts[models]
        same = rows[~wrong]
        parents, places = options.listed(same)
        _, others = options.listed(models[~wrong])
        unequal = options.moves[places] != options.moves[others]
        wrong[np.flatnonzero(~wrong)[parents[unequal]]] = True
        for at in np.flatnonzero(wrong)[:1].tolist():
            moves = self._named(options.of(int(rows[at])))
            raise unknown_moves(self.game.name, self.sets[int(sets[at])], moves)

    def _remember(self, states: Packed, joint: Numbers, cases: list[Places]) -> list[Places]:
        """What each player has moved and perceived after joint moves."""
        if self.game.info.is_open:
            told = [joint.view(np.uint8)] * len(self.players)
        elif self.game.circuit.sees:
            seen = self._simulator.kernel.sees(states, joint)
            told = [seen & self._masks[column] for column in self._columns]
        else:
            told = [np.zeros((len(states), 0), np.uint8)] * len(self.players)
        return [
            memory.after(own, np.ascontiguousarray(joint[:, column]), bits)
            for memory, own, column, bits in zip(self._memories, cases, self._columns, told, strict=True)
        ]

    def _in_arrays(self) -> GameTree:
        """The nodes in the order of their levels."""
        made = self._decided
        nodes = np.concatenate(made.nodes)
        counts_made = np.concatenate(made.counts)
        weights = np.concatenate(made.weights)
        parts = np.stack(
            [
                np.concatenate(part)
                for part in (made.levels, made.players, made.sets, made.first_children, made.counts)
            ]
            + [np.cumsum(counts_made) - counts_made]
        )
        parts[:, nodes] = parts.copy()
        order = np.argsort(parts[0], kind="stable")
        place = np.empty(self.size, np.int32)
        place[order] = np.arange(self.size, dtype=np.int32)
        levels, players, sets, first_children, counts, first_weights = parts[:, order]
        first_edge = np.concatenate([[0], np.cumsum(counts)])
        parents = np.repeat(np.arange(self.size), counts)
        at = np.arange(len(parents)) - first_edge[parents]
        values = np.zeros((self.size, len(self.players)))
        for ends, goals in self._ends:
            values[place[ends]] = goals
        firsts = np.array([*(one.first for one in self.sets), -1])
        slot = np.where(sets[parents] < 0, -1, firsts[sets[parents]] + at)
        begins = np.flatnonzero(np.diff(levels, prepend=-1))
        return GameTree(
            self.players,
            players.astype(np.int32),
            first_edge.astype(np.int32),
            place[first_children[parents] + at],
            weights[first_weights[parents] + at],
            slot.astype(np.int32),
            sets.astype(np.int32),
            values,
            tuple(self.sets),
            np.append(begins, self.size).astype(np.int32),
        )


class _Percepts:
    """What the bits that players are told stand for."""

    def __init__(self, game: CompiledGame) -> None:
        self._game = game
        roles = np.array([role for role, _, _ in game.circuit.sees], np.int64)
        self.masks = [np.packbits(roles == at, bitorder="little") for at in range(len(game.roles))]
        self._known: dict[bytes, frozenset[Term]] = {}

    def read(self, told: bytes) -> frozenset[Term]:
        found = self._known.get(told)
        if found is None:
            found = self._known[told] = self._terms(told)
        return found

    def _terms(self, told: bytes) -> frozenset[Term]:
        circuit = self._game.circuit
        if self._game.info.is_open:
            moves = [circuit.moves[number] for number in np.frombuffer(told, np.int32).tolist()]
            return frozenset(Term("did", (self._game.roles[role], move)) for role, move in moves)
        bits = np.unpackbits(np.frombuffer(told, np.uint8), count=len(circuit.sees), bitorder="little")
        return frozenset(circuit.sees[at][1] for at in np.flatnonzero(bits).tolist())
