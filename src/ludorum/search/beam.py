"""Beam search for one player: layer by layer, and of each layer only the most promising positions.

A run costs as much as its lines are long, so ends that lie deep are seen early; ends without a gain are
noted, and the lines that can go on are kept. Which positions are promising differs from puzzle to puzzle. So
each run orders them in its own way: by their distance to the goal, by many or few ways to go on, by the goal
as it stands, or by chance; and runs become wider. A run that left nothing out proves that its best end is the
best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import Game, State
from ..rules.terms import Term
from .breadth_first import STATE_BYTES
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .distances import Distances
from .goal_formula import NEVER
from .plan import Plan, best_goal, goal_values, only_role
from .step_counter import known_step_counter

FIRST_WIDTH, LAST_WIDTH = 8, 1 << 12
WIDER = 4
"""How many times as wide runs become after one of each kind; one that was cut short makes them narrower."""
PLAIN_WIDTH = 2
"""The first width without a circuit, where each position takes a thousand times as long."""
SPREAD = 32
"""Of a layer at most so many moves are played for each position of the next; more are left out by lot."""
AT_ONCE = 1 << 12
"""Moves that are played between two looks at the clock."""
ESTIMATE_COST = 16
"""The moves that could be played in the time of a distance, about."""
MEMORY_BYTES = 1 << 28
"""The most bytes of the positions of a run."""
LONGEST = 1000
"""Layers after which a run ends."""
ORDERS = (
    ("near", "most", "goal", "chance"),
    ("most",),
    ("near", "goal", "fewest", "chance"),
    ("goal", "most"),
)
"""By what the runs choose, in turn; each of several chooses the same share of the width."""

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]
_Packed = NDArray[np.uint8]
_List = list[State]
RowsT = TypeVar("RowsT")


@dataclass(frozen=True)
class BeamResult:
    """What the runs of one search came to."""

    plan: Plan | None
    """The best end seen."""
    is_last_word: bool
    """Whether it is proved that no end is better than this one and the one known before."""
    open_line: OpenLine
    """The line along which play can go on for longest."""


@dataclass(frozen=True)
class OpenLine:
    """Moves to a position from which play can go on."""

    moves: tuple[Term, ...] = ()
    is_hopeless: bool = True
    """Whether it is proved that nothing better than what is known can be reached at its end."""

    @property
    def rank(self) -> tuple[bool, int]:
        """Longer lines are better, but not hopeless ones."""
        return not self.is_hopeless, len(self.moves)


class BeamSearch:
    """Runs of one game, wider from search to search."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.role = only_role(game)
        self._seed = seed
        self._runs = self._turn = self._level = 0
        self._was_cut = False
        """Whether a run of this width was cut short."""

    def search(
        self,
        state: State,
        budget: Budget | None = None,
        *,
        known: int = -1,
        distances: Distances | None = None,
        most_runs: int | None = None,
    ) -> BeamResult:
        """The best end of as many runs as the budget allows.

        ``known`` is the goal of a plan that is known. ``distances`` are the estimates for the best goal there
        is: positions from which it is out of reach are dropped where nothing else would be better.
        """
        watch = Stopwatch(budget or USUAL)
        best: Plan | None = None
        line = OpenLine()
        work = nodes = runs = 0
        while runs != most_runs and not watch.is_up(work):
            run = self._make_run(state, max(known, -1 if best is None else best.goal), distances)
            run.go(watch, work)
            self._settle_width(run.was_cut)
            if not run.nodes and not run.is_complete:
                break  # the time is up, or there is no move
            work, nodes, runs = run.work, nodes + run.nodes, runs + 1
            proved = best_goal(self.game) if not run.is_complete else known
            found = run.plan(proved, nodes, watch.seconds)
            if found is not None and found.is_better_than(best):
                best = found
            line = max(line, run.open_line(), key=attrgetter("rank"))
            if run.is_complete or (best is not None and best.optimal):
                return BeamResult(best, True, line)
        return BeamResult(best, False, line)

    def _settle_width(self, was_cut: bool) -> None:
        """Makes runs wider after one of each kind, or narrower where there was no time for some."""
        self._was_cut |= was_cut
        self._turn += 1
        if self._turn == len(ORDERS) or (was_cut and self._level):
            self._level = max(0, self._level - 1) if self._was_cut else self._level + 1
            self._turn, self._was_cut = 0, False

    def _make_run(self, state: State, known: int, distances: Distances | None) -> _Run[_Packed] | _Run[_List]:
        order, wider = ORDERS[self._turn], WIDER**self._level
        self._runs += 1
        chance = np.random.default_rng((self._seed, self._runs))
        circuit = compiled_game(self.game)
        packed = compiled_state(circuit, state) if circuit else None
        if circuit is None or packed is None or not circuit.state_bytes:
            return _Run(_PlainBoard(self.role, state), min(PLAIN_WIDTH * wider, LAST_WIDTH), order, chance)
        board = _PackedBoard(circuit, packed)
        if distances is not None:
            board.distances, board.estimates = distances, "near" in order
            board.drops_hopeless = [each for each in goal_values(circuit) if each > known] == [
                best_goal(circuit)
            ]
        return _Run(board, min(FIRST_WIDTH * wider, LAST_WIDTH), order, chance)


@dataclass(frozen=True)
class _Look:
    """What counts of some positions."""

    over: Flags
    goals: Numbers
    """The goal as it stands; -1 where there is none."""
    ways: Numbers
    """Legal moves."""
    near: Numbers
    """The estimated distance to the best goal; 0 where it is not estimated, ``NEVER`` where it is proved that
    nothing better can be reached."""

    def of(self, chosen: Numbers) -> _Look:
        """The same of some of the positions."""
        return _Look(self.over[chosen], self.goals[chosen], self.ways[chosen], self.near[chosen])


class _Board(Protocol[RowsT]):
    """Plays many positions of a game."""

    is_exact: bool
    """Whether positions that are taken for the same are the same."""

    @property
    def estimate_cost(self) -> int:
        """The moves that could be played in the time of the estimate of a position."""
        ...

    def first(self) -> RowsT:
        """The position where lines begin."""
        ...

    def pairs(self, rows: RowsT) -> tuple[Numbers, Numbers]:
        """Every legal move in every position: the number of the position, and of the move."""
        ...

    def play(self, rows: RowsT, parents: Numbers, moves: Numbers) -> tuple[RowsT, Numbers]:
        """The positions after these moves that were not met before, and which of the moves lead there."""
        ...

    def look(self, rows: RowsT) -> _Look: ...

    def pick(self, rows: RowsT, chosen: Numbers) -> RowsT: ...

    def join(self, parts: Sequence[RowsT]) -> RowsT: ...

    def name(self, move: int) -> Term: ...

    def are_hopeless(self, rows: RowsT) -> bool:
        """Whether it is proved of all these positions that nothing better can be reached."""
        ...

    def is_full(self) -> bool:
        """Whether no more positions are remembered."""
        ...


class _Run(Generic[RowsT]):
    """One run from the first layer to the last."""

    def __init__(
        self, board: _Board[RowsT], width: int, order: Sequence[str], chance: np.random.Generator
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
        self.open = (0, 0)
        """The layer and the number of the deepest position from which play can go on."""

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
        """The moves to the deepest position from which play can go on."""
        return OpenLine(self._way(*self.open), self.board.are_hopeless(self.last))

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
        look = _joined([part.look for part in parts])
        chosen = self._choose(look)
        before = np.concatenate([part.parents for part in parts])[chosen]
        made = np.concatenate([part.moves for part in parts])[chosen]
        self.layers.append((before, made))
        worth = look.goals[chosen] * (1 << 20) + look.ways[chosen]
        self.open = len(self.layers), int(np.argmax(worth))
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

    def _note_ends(self, look: _Look, parents: Numbers, moves: Numbers) -> None:
        values = np.where(look.over, look.goals, -1)
        best = int(values.argmax()) if len(values) else -1
        if best >= 0 and values[best] > self.goal:
            self.goal = int(values[best])
            self.end = len(self.layers), int(parents[best]), int(moves[best])

    def _choose(self, look: _Look) -> Numbers:
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
    look: _Look
    parents: Numbers
    moves: Numbers


def _joined(looks: Sequence[_Look]) -> _Look:
    columns = zip(*((each.over, each.goals, each.ways, each.near) for each in looks), strict=True)
    return _Look(*(np.concatenate(each) for each in columns))


class _PackedBoard:
    """Positions as rows of bits, in the kernels. Told apart without a counter that only ends the game."""

    def __init__(self, game: CompiledGame, state: CompiledState) -> None:
        self.game = game
        self.distances: Distances | None = None
        self.estimates = False
        """Whether every position is estimated."""
        self.drops_hopeless = False
        """Whether only the best goal would be better than what is known."""
        self._simulator = game.simulator()
        self._first = self._simulator.pack([state])
        counter = known_step_counter(game, state)
        self.is_exact = counter is None or not counter.only_limits
        self._bits = np.zeros(game.state_bytes, np.uint8)
        if counter is not None and counter.only_limits:
            self._bits = counter.bits
        self._met = RowIndex(game.state_bytes)
        self._met.add(self._first & ~self._bits)

    @property
    def estimate_cost(self) -> int:
        return ESTIMATE_COST if self.estimates else 0

    def first(self) -> _Packed:
        return self._first

    def pairs(self, rows: _Packed) -> tuple[Numbers, Numbers]:
        parents, moves = np.nonzero(self._simulator.legal_moves(rows))
        return parents, moves

    def play(self, rows: _Packed, parents: Numbers, moves: Numbers) -> tuple[_Packed, Numbers]:
        joint = moves.astype(np.int32)[:, None]
        after = self._simulator.step(rows[parents], joint, check=False)
        known = len(self._met)
        numbers = self._met.add(after & ~self._bits)
        fresh = np.flatnonzero(numbers >= known)
        _, at = np.unique(numbers[fresh], return_index=True)
        return np.ascontiguousarray(after[fresh[at]]), fresh[at]

    def look(self, rows: _Packed) -> _Look:
        legal, over, goals = self._simulator.expand(rows)
        ways = self._simulator.legal_flags(legal).sum(axis=1)
        near = self._near(rows) if self.estimates else np.zeros(len(rows), np.int64)
        return _Look(over, goals[:, 0].astype(np.int64), ways.astype(np.int64), near)

    def _near(self, rows: _Packed) -> Numbers:
        if self.distances is None or not len(rows):
            return np.zeros(len(rows), np.int64)
        estimates = self.distances.estimate(rows)
        hopeless = (estimates.steps >= NEVER) & self.drops_hopeless
        return np.where(hopeless, NEVER, np.minimum(estimates.sum, NEVER - 1)).astype(np.int64)

    def are_hopeless(self, rows: _Packed) -> bool:
        return bool((self._near(rows) >= NEVER).all())

    def pick(self, rows: _Packed, chosen: Numbers) -> _Packed:
        return np.ascontiguousarray(rows[chosen])

    def join(self, parts: Sequence[_Packed]) -> _Packed:
        return np.concatenate(parts)

    def name(self, move: int) -> Term:
        return self.game.circuit.moves[move][1]

    def is_full(self) -> bool:
        # A row, its hash, and slots of a table.
        return len(self._met) * (self.game.state_bytes + 8 + 16) > MEMORY_BYTES


class _PlainBoard:
    """The same over states of any engine, one at a time."""

    is_exact = True
    estimate_cost = 0

    def __init__(self, role: Term, state: State) -> None:
        self.role = role
        self._state = state
        self._met = {state}
        self._moves: list[Term] = []
        self._numbers: dict[Term, int] = {}

    def first(self) -> _List:
        return [self._state]

    def pairs(self, rows: _List) -> tuple[Numbers, Numbers]:
        found = [(at, self._number(move)) for at, state in enumerate(rows) for move in state.legal(self.role)]
        pairs = np.array(found, np.int64).reshape(len(found), 2)
        return pairs[:, 0], pairs[:, 1]

    def play(self, rows: _List, parents: Numbers, moves: Numbers) -> tuple[_List, Numbers]:
        found: _List = []
        at: list[int] = []
        for place, (parent, move) in enumerate(zip(parents.tolist(), moves.tolist(), strict=True)):
            after = rows[parent].play((self._moves[move],))
            if after not in self._met:
                self._met.add(after)
                found.append(after)
                at.append(place)
        return found, np.array(at, np.int64)

    def look(self, rows: _List) -> _Look:
        over = [state.is_terminal for state in rows]
        goals = [-1 if (goal := state.goal(self.role)) is None else goal for state in rows]
        ways = [0 if end else len(state.legal(self.role)) for state, end in zip(rows, over, strict=True)]
        return _Look(
            np.array(over, np.bool_),
            np.array(goals, np.int64),
            np.array(ways, np.int64),
            np.zeros(len(rows), np.int64),
        )

    def pick(self, rows: _List, chosen: Numbers) -> _List:
        return [rows[each] for each in chosen.tolist()]

    def join(self, parts: Sequence[_List]) -> _List:
        return [state for part in parts for state in part]

    def name(self, move: int) -> Term:
        return self._moves[move]

    def are_hopeless(self, rows: _List) -> bool:
        return False

    def is_full(self) -> bool:
        return len(self._met) * STATE_BYTES > MEMORY_BYTES

    def _number(self, move: Term) -> int:
        if move not in self._numbers:
            self._numbers[move] = len(self._moves)
            self._moves.append(move)
        return self._numbers[move]
