"""One run of beam search, from the first layer to the last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from ..rules.terms import Term
from .beam_boards import BeamBoard, LayerLook, Numbers, RowsT, joined
from .budget import Stopwatch
from .goal_formula import NEVER
from .plan import Plan

SPREAD = 32
"""Of a layer at most so many moves are played for each position of the next; more are left out by lot."""
AT_ONCE = 1 << 12
"""Moves that are played between two looks at the clock."""
LONGEST = 1000
"""Layers after which a run ends."""


@dataclass(frozen=True)
class OpenLine:
    """Moves to a position from which play can go on."""

    moves: tuple[Term, ...] = ()
    is_hopeless: bool = True
    """Whether it is proved that nothing better than what is known, or than the lowest goal, can follow."""

    @property
    def rank(self) -> tuple[bool, int]:
        """Longer lines are better, but not hopeless ones."""
        return not self.is_hopeless, len(self.moves)


class BeamRun(Generic[RowsT]):
    """One run from the first layer to the last."""

    def __init__(
        self, board: BeamBoard[RowsT], width: int, order: Sequence[str], chance: np.random.Generator
    ) -> None:
        self.board, self.width, self.order, self.chance = board, width, order, chance
        self.is_complete = board.is_exact
        """Whether nothing was left out that might end better."""
        self.was_cut = False
        """Whether the time was up before the last layer."""
        self.nodes = 0
        """Moves played."""
        self.work = 0
        """The same with what came before; a distance counts as much as several moves."""
        self.layers: list[tuple[Numbers, Numbers]] = []
        """For each layer kept: the position before each of its positions, and the move."""
        self.goal = -1
        self.end = (0, 0, -1)
        """The best end: its layer, the position before it and the move; -1 where play was over at once."""
        self.last = board.first()
        """The positions of the last layer."""
        self.worth = np.zeros(1, np.int64)
        """How open play is after each of them: the goal as it stands, then the legal moves."""

    def go(self, watch: Stopwatch, work: int) -> None:
        """Plays layer after layer; so much work was done before it."""
        self.work = work
        rows = self.last
        look = self.board.look(rows)
        self._note_ends(look, np.zeros(1, np.int64), np.full(1, -1))
        if look.over[0]:
            return
        while len(self.layers) < LONGEST and not self.board.is_full():
            found = self._next_layer(rows, watch)
            if found is None:
                return
            rows = self.last = found
        self.is_complete = False

    def plan(self, most: int, nodes: int, seconds: float) -> Plan | None:
        """The way to the best end seen; with a goal of at least ``most`` it is the best there is."""
        if self.goal < 0:
            return None
        layer, parent, move = self.end
        last = () if move < 0 else (self.board.name(move),)
        moves = self._way(layer, parent) + last
        return Plan(moves, self.goal, self.goal >= most, False, nodes, seconds, "beam search")

    def open_line(self) -> OpenLine:
        """The moves to one of the deepest positions from which play can go on; rather to one with hope."""
        hopeless = self.board.hopeless(self.last)
        number = int(np.lexsort((-self.worth, hopeless))[0])
        return OpenLine(self._way(len(self.layers), number), bool(hopeless[number]))

    def _next_layer(self, rows: RowsT, watch: Stopwatch) -> RowsT | None:
        """The positions that are kept of those after these; None where there are none, or the time is up."""
        parents, moves = self.board.pairs(rows)
        if len(parents) > SPREAD * self.width:
            kept = np.sort(self.chance.choice(len(parents), SPREAD * self.width, replace=False))
            parents, moves, self.is_complete = parents[kept], moves[kept], False
        parts: list[_Part[RowsT]] = []
        for begin in range(0, len(parents), AT_ONCE):
            if watch.is_up(self.work):
                self.is_complete, self.was_cut = False, True
                return None
            part = slice(begin, begin + AT_ONCE)
            parts.append(self._play(rows, parents[part], moves[part]))
        parts = [part for part in parts if len(part.moves)]
        if not parts:
            return None
        look = joined([part.look for part in parts])
        chosen = self._choose(look)
        before = np.concatenate([part.parents for part in parts])[chosen]
        made = np.concatenate([part.moves for part in parts])[chosen]
        self.layers.append((before, made))
        self.worth = look.goals[chosen] * (1 << 20) + look.ways[chosen]
        return self.board.pick(self.board.join([part.rows for part in parts]), chosen)

    def _play(self, rows: RowsT, parents: Numbers, moves: Numbers) -> _Part[RowsT]:
        """The new positions after these moves from which play can go on; ends are noted."""
        after, at = self.board.play(rows, parents, moves)
        self.nodes += len(parents)
        self.work += len(parents) + len(at) * self.board.estimate_cost
        look = self.board.look(after)
        self._note_ends(look, parents[at], moves[at])
        going_on = np.flatnonzero(~look.over & (look.ways > 0) & (look.near < NEVER))
        at = at[going_on]
        return _Part(self.board.pick(after, going_on), look.of(going_on), parents[at], moves[at])

    def _note_ends(self, look: LayerLook, parents: Numbers, moves: Numbers) -> None:
        values = np.where(look.over, look.goals, -1)
        best = int(values.argmax()) if len(values) else -1
        if best >= 0 and values[best] > self.goal:
            self.goal = int(values[best])
            self.end = len(self.layers), int(parents[best]), int(moves[best])

    def _choose(self, look: LayerLook) -> Numbers:
        """As many positions as the run is wide: in turn the first by each of its orders."""
        count = len(look.ways)
        if count <= self.width:
            return np.arange(count)
        self.is_complete = False
        lot = self.chance.permutation(count)
        keys = {
            "near": look.near,
            "most": -look.ways,
            "fewest": look.ways,
            "goal": -look.goals,
            "chance": lot,
        }
        ranks = np.empty((len(self.order), count), np.int64)
        for row, name in enumerate(self.order):
            ranks[row, np.lexsort((lot, keys[name]))] = np.arange(count)
        return np.sort(np.argsort(ranks.min(axis=0), kind="stable")[: self.width])

    def _way(self, layer: int, number: int) -> tuple[Term, ...]:
        way: list[Term] = []
        for parents, moves in reversed(self.layers[:layer]):
            way.append(self.board.name(int(moves[number])))
            number = int(parents[number])
        return tuple(reversed(way))


@dataclass(frozen=True)
class _Part(Generic[RowsT]):
    """Positions of a layer from which play can go on, with the position before each and the move."""

    rows: RowsT
    look: LayerLook
    parents: Numbers
    moves: Numbers
