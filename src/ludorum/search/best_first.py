"""Best-first search for one player, led by estimates of the moves that are left.

Greedy search takes the positions that look nearest to the goal first, by several estimates in turn, each with
an open list of its own (Roeger and Helmert, ICAPS 2010): the sum of the distances of the facts that the goal
wants, and how many of them are missing, where positions with something new come first (Lipovetzky and
Geffner, *Best-First Width Search*, AAAI 2017); and the deepest first, of these the ones after the fewest ways
to go on. Each goal value has a search of its own, which wait for each other, so that a value that cannot be
had does not keep lower ones from being found. A* takes those first whose moves so far and estimated moves
together are fewest, so its first plan is a shortest one. Positions from which the goal cannot be reached, as
the relaxation proves, are dropped.

All needs a circuit: batches of positions are expanded and estimated in the kernels.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.game import Game, State
from ..rules.terms import Term
from .breadth_first import MEMORY_BYTES
from .budget import USUAL, Budget, Stopwatch
from .compiled_state import compiled_game, compiled_state
from .distances import Distances, Estimates
from .goal_formula import NEVER
from .novelty import Novelty
from .plan import Plan, best_goal, goal_values, only_role
from .step_counter import StepCounter, known_step_counter

FEW, MANY = 4, 128
"""Positions that are taken from each open list at once: few after progress, then twice as many each time."""
AT_ONCE = 1 << 16
"""Positions that are estimated before the clock is looked at."""
MOST_WAYS = 1 << 20
LARGE_BATCH = 4096
"""Positions of A* that are expanded at once."""
MOST_LITERALS = 1_000_000
"""The most literals of a circuit whose relaxation is made: a few seconds."""
LITERALS_A_SECOND = 300_000
"""Literals for each second of a clock: fewer would leave no time to search."""

ROUND = 200_000
"""Work of estimates after which a search for one goal value waits for those for others: some 7 000 positions
that are twenty moves from the goal."""

OnBetter = Callable[[Plan], None]
Numbers = NDArray[np.int64]
Packed = NDArray[np.uint8]


class BestFirst:
    """Best-first searches of one game, which keep its estimates for the next search."""

    def __init__(self, game: Game, memory_bytes: int = MEMORY_BYTES) -> None:
        only_role(game)
        self.game = game
        self.memory_bytes = memory_bytes
        self._distances: dict[tuple[CompiledGame, int], Distances] = {}

    def greedy(
        self, state: State | None = None, budget: Budget | None = None, on_better: OnBetter | None = None
    ) -> Plan | None:
        """The best plan found; None without one or without a circuit. ``on_better`` hears of each at once."""
        return self._search(state, budget, _Greedy, on_better)

    def shortest(
        self, state: State | None = None, budget: Budget | None = None, on_better: OnBetter | None = None
    ) -> Plan | None:
        """The same by A*: no plan for that goal is shorter."""
        return self._search(state, budget, _AStar, on_better)

    def distances(self, seconds: float | None = None) -> Distances | None:
        """The estimates for the best goal; None without a circuit, or if they take too long to be made."""
        game = compiled_game(self.game)
        if game is None or not game.state_bytes or not _may_estimate(game, seconds):
            return None
        return self._estimates(game, best_goal(game))

    def _search(
        self,
        state: State | None,
        budget: Budget | None,
        kind: type[_Greedy] | type[_AStar],
        on_better: OnBetter | None,
    ) -> Plan | None:
        watch = Stopwatch(budget or USUAL)
        game = compiled_game(self.game)
        packed = compiled_state(game, state or self.game.initial()) if game else None
        if game is None or packed is None or not game.state_bytes:
            return None
        if not _may_estimate(game, watch.budget.seconds):
            return None
        counter = known_step_counter(game, packed)
        if counter is not None and not counter.only_limits:
            counter = None  # where it does more, a position is another one at every step

        def begin(value: int) -> _Positions:
            search = kind(_Quest(game, counter, self._estimates(game, value), value, self.memory_bytes))
            search.begin(packed)
            return search

        return _Turns(begin, goal_values(game), on_better).run(watch)

    def _estimates(self, game: CompiledGame, value: int) -> Distances:
        if (game, value) not in self._distances:
            self._distances[game, value] = Distances(game.circuit, value)
        return self._distances[game, value]


def _may_estimate(game: CompiledGame, seconds: float | None) -> bool:
    """Whether the relaxation of a circuit is made in some of these seconds."""
    most = MOST_LITERALS if seconds is None else min(MOST_LITERALS, seconds * LITERALS_A_SECOND)
    return game.network.literals <= most


class _Turns:
    """Searches for one goal value each, which take turns; those for high values begin first."""

    def __init__(
        self, begin: Callable[[int], _Positions], values: Sequence[int], on_better: OnBetter | None
    ) -> None:
        self.begin = begin
        self.waiting = list(values)
        self.playing: list[_Positions] = []
        self.on_better = on_better
        self.best: Plan | None = None

    @property
    def seen(self) -> int:
        return sum(each.seen for each in self.playing)

    def run(self, watch: Stopwatch) -> Plan | None:
        rounds = 0
        while self.waiting or self.playing:
            rounds += 1
            if self.waiting and (not self.playing or rounds.bit_count() == 1):  # high values have more turns
                self.playing.append(self.begin(self.waiting.pop(0)))
            before = self.seen
            for search in list(self.playing):
                if search.advance(watch, self.seen - search.seen):
                    self._keep(search, watch.seconds)
                    break
                if search.is_exhausted:
                    self.playing.remove(search)
            if watch.is_up(self.seen) or (
                self.playing and self.seen == before
            ):  # the time or the memory is up
                return self.best
        return self.best and replace(self.best, optimal=True)

    def _keep(self, search: _Positions, seconds: float) -> None:
        """Keeps a plan, and goes on with the searches for higher values alone."""
        self.playing = self.playing[: self.playing.index(search)]
        self.waiting = []
        self.best = search.plan(not self.playing, seconds)
        if self.on_better is not None:
            self.on_better(self.best)


@dataclass(frozen=True)
class _Quest:
    """What one search looks for."""

    game: CompiledGame
    counter: StepCounter | None
    distances: Distances
    value: int
    memory_bytes: int


class _Positions:
    """Positions seen, told apart without their step counter, and the ways to them."""

    method: ClassVar[str]
    is_shortest: ClassVar[bool]

    def __init__(self, quest: _Quest) -> None:
        game, counter = quest.game, quest.counter
        self.game = game
        self.value = quest.value
        self.distances = quest.distances
        self.bits = np.zeros(game.state_bytes, np.uint8) if counter is None else counter.bits
        self.simulator = game.simulator()
        self.index = RowIndex(game.state_bytes)
        self.counts: list[Packed] = []
        """The bits of the step counter by the number of moves made."""
        # A row, its hash, slots of a table, and the columns below.
        self.limit = quest.memory_bytes // (game.state_bytes + 8 + 16 + 24)
        self.depth = np.zeros(1024, np.int32)
        self.parent = np.full(1024, -1, np.int64)
        self.move = np.full(1024, -1, np.int32)
        self.done = np.zeros(1024, np.bool_)
        self.goal = -1
        self.is_exhausted = False
        """Whether it is proved that no position with the goal can be reached."""

    @property
    def seen(self) -> int:
        """The number of positions."""
        return len(self.index)

    def begin(self, state: CompiledState) -> None:
        """Takes note of the position where plans begin."""
        row = self.simulator.pack([state])
        self.meet(row, np.array([-1]), np.array([-1], np.int32), row)

    def advance(self, watch: Stopwatch, others: int) -> bool:
        """Looks at some more positions, ``others`` are kept elsewhere. Whether there is a plan."""
        until = self.distances.work + ROUND
        while not self.is_found():
            total = self.seen + others
            if self.distances.work >= until or watch.is_up(total) or total > self.limit:
                return False
            taken = self.take()
            if not len(taken):
                self.is_exhausted = self.goal < 0
                return self.goal >= 0
            for children in self.children(taken):
                self.meet(*children)
                if self.goal >= 0 and not self.is_shortest:
                    return True
                if watch.is_up(self.seen + others):
                    return False  # a shorter plan may begin with what was not looked at
        return True

    def plan(self, optimal: bool, seconds: float) -> Plan:
        """The plan that was found."""
        moves = self.way(self.goal)
        return Plan(moves, self.value, optimal, self.is_shortest, self.seen, seconds, self.method)

    def is_found(self) -> bool:
        return self.goal >= 0

    def take(self) -> Numbers:
        """The positions to be expanded next; none where all from which the goal may be reached have been."""
        raise NotImplementedError

    def keep(self, numbers: Numbers, rows: Packed, estimates: Estimates, added: Packed) -> None:
        """Notes positions that are new, or were reached by fewer moves than before."""
        raise NotImplementedError

    def children(self, numbers: Numbers) -> Iterator[tuple[Packed, Numbers, NDArray[np.int32], Packed]]:
        """What ``meet`` is told of the positions after these, not too many at once."""
        self.done[numbers] = True
        rows = self.rows(numbers)
        packed, over, _ = self.simulator.expand(rows)
        legal = self.simulator.legal_flags(packed)
        legal[over] = False
        parents, moves = np.nonzero(legal)
        joint = moves.astype(np.int32)
        for begin in range(0, len(parents), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            before = rows[parents[part]]
            after = self.simulator.step(before, joint[part, None], check=False)
            yield after, numbers[parents[part]], joint[part], after & ~before

    def rows(self, numbers: Numbers) -> Packed:
        """Positions with the step counter that they have after the moves made."""
        found = np.stack([self.index.rows(int(each), 1)[0] for each in numbers])
        return found | np.stack(self.counts)[self.depth[numbers]]

    def meet(self, rows: Packed, parents: Numbers, moves: NDArray[np.int32], added: Packed) -> None:
        """Takes note of positions and of the way to them; those that are not new only where it is shorter."""
        known = len(self.index)
        numbers = self.index.add(rows & ~self.bits)
        self._make_room(len(self.index))
        depth = np.where(parents < 0, 0, self.depth[parents] + 1)
        self.depth[known : len(self.index)] = np.iinfo(np.int32).max
        order = np.argsort(depth, kind="stable")
        _, first = np.unique(numbers[order], return_index=True)
        chosen = order[first]
        chosen = chosen[depth[chosen] < self.depth[numbers[chosen]]]
        if not len(chosen):
            return
        numbers, rows, depth = numbers[chosen], np.ascontiguousarray(rows[chosen]), depth[chosen]
        self.depth[numbers], self.parent[numbers] = depth, parents[chosen]
        self.move[numbers], self.done[numbers] = moves[chosen], False
        if len(self.counts) in depth:
            self.counts.append(rows[depth == len(self.counts)][0] & self.bits)
        self._note(numbers, rows, added[chosen])

    def _note(self, numbers: Numbers, rows: Packed, added: Packed) -> None:
        """Keeps the positions from which the goal may be reached, and the nearest where it has been."""
        estimates = self.distances.estimate(rows)
        ends = [self.goal] * (self.goal >= 0) + numbers[estimates.steps == 0].tolist()
        self.goal = min(ends, key=lambda number: int(self.depth[number]), default=-1)
        open_ = (estimates.steps > 0) & (estimates.steps < NEVER)
        if open_.any():
            self.keep(numbers[open_], rows[open_], estimates.of(open_), added[open_])

    def _make_room(self, total: int) -> None:
        if total > len(self.depth):
            more = max(total, 2 * len(self.depth)) - len(self.depth)
            self.depth = np.concatenate([self.depth, np.zeros(more, np.int32)])
            self.parent = np.concatenate([self.parent, np.full(more, -1, np.int64)])
            self.move = np.concatenate([self.move, np.full(more, -1, np.int32)])
            self.done = np.concatenate([self.done, np.zeros(more, np.bool_)])

    def way(self, number: int) -> tuple[Term, ...]:
        """The moves to a position."""
        way: list[Term] = []
        while self.parent[number] >= 0:
            way.append(self.game.circuit.moves[int(self.move[number])][1])
            number = int(self.parent[number])
        return tuple(reversed(way))


class _Greedy(_Positions):
    """Several open lists, which take turns."""

    method = "greedy by distances"
    is_shortest = False

    def __init__(self, quest: _Quest) -> None:
        super().__init__(quest)
        self.novelty = Novelty(len(quest.game.circuit.fluents))
        self.open = (OpenList(), OpenList(), OpenList(), OpenList())
        self.batch = FEW
        self.nearest = NEVER

    def keep(self, numbers: Numbers, rows: Packed, estimates: Estimates, added: Packed) -> None:
        self.open[0].push(estimates.sum.astype(np.int64), numbers)
        rank = self.novelty.rank(rows & ~self.bits, added & ~self.bits, estimates.missing)
        self.open[1].push(rank * NEVER + estimates.missing, numbers)
        self.open[2].push((self.depth[numbers] + estimates.sum).astype(np.int64), numbers)
        self.open[3].push(self._fewest_ways(numbers), numbers)
        if (nearest := int(estimates.sum.min())) < self.nearest:
            self.nearest, self.batch = nearest, FEW

    def _fewest_ways(self, numbers: Numbers) -> Numbers:
        """A key by which the deepest positions come first, of these those after the fewest ways to go on."""
        _, at, ways = np.unique(self.parent[numbers], return_inverse=True, return_counts=True)
        key: Numbers = ways[at] - self.depth[numbers].astype(np.int64) * MOST_WAYS
        return key

    def take(self) -> Numbers:
        most = max(1, min(self.batch, AT_ONCE // len(self.game.circuit.moves)))
        taken = [each.pop(most, self.done) for each in self.open]
        self.batch = min(2 * self.batch, MANY)
        return np.unique(np.concatenate(taken))


class _AStar(_Positions):
    """One open list, by the number of moves of the whole plan."""

    method = "A* by distances"
    is_shortest = True

    def __init__(self, quest: _Quest) -> None:
        super().__init__(quest)
        self.open = OpenList()

    def keep(self, numbers: Numbers, rows: Packed, estimates: Estimates, added: Packed) -> None:
        self.open.push((self.depth[numbers] + estimates.steps).astype(np.int64), numbers)

    def is_found(self) -> bool:
        return self.goal >= 0 and self.depth[self.goal] <= self.open.least

    def take(self) -> Numbers:
        most = max(1, min(LARGE_BATCH, AT_ONCE // len(self.game.circuit.moves)))
        return np.unique(self.open.pop(most, self.done, one_key=True))


class OpenList:
    """Positions by a number, the least first; of equal ones the latest first."""

    def __init__(self) -> None:
        self._chunks: dict[int, list[Numbers]] = {}
        self._keys: list[int] = []

    @property
    def least(self) -> float:
        """The least number of a position; infinite where there is none."""
        return self._keys[0] if self._keys else float("inf")

    def push(self, keys: Numbers, numbers: Numbers) -> None:
        order = np.argsort(keys, kind="stable")
        found, first = np.unique(keys[order], return_index=True)
        for key, chunk in zip(found.tolist(), np.split(numbers[order], first[1:]), strict=True):
            if key not in self._chunks:
                self._chunks[key] = []
                heapq.heappush(self._keys, key)
            self._chunks[key].append(chunk)

    def pop(self, most: int, done: NDArray[np.bool_], *, one_key: bool = False) -> Numbers:
        """So many positions that are not done; ``one_key``: only those with the least number of all."""
        found: list[Numbers] = []
        left = most
        while self._keys and left > 0:
            key = self._keys[0]
            chunks = self._chunks[key]
            while chunks and left > 0:
                chunk = chunks.pop()
                chunk = chunk[~done[chunk]]
                if len(chunk) > left:
                    chunks.append(chunk[:-left])
                    chunk = chunk[-left:]
                if len(chunk):
                    found.append(chunk)
                    left -= len(chunk)
            if not chunks:
                del self._chunks[heapq.heappop(self._keys)]
            if one_key and found:
                break
        return np.concatenate(found) if found else np.zeros(0, np.int64)
