"""Exact counts on packed states: ``perft`` and ``explore`` for compiled games, a layer at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from .compiled import CompiledGame, CompiledState
from .simulator import HasFacts, Packed, Simulator, joint_counts, joint_moves, most_joint_moves

Progress = Callable[[int], None]

CELLS = 1 << 26
"""Legal flags processed in one batch: bounds the memory, whatever the number of moves."""

EXACT = float(2**53)
"""The limit up to which sums of whole numbers in floating point are exact."""


def perft_packed(game: CompiledGame, depth: int, progress: Progress | None = None) -> list[int] | None:
    """The number of joint-move paths of length 1 to ``depth``; None where one exceeds exact floats."""
    simulator = game.simulator()
    layer, ways = simulator.pack([game.initial()]), np.ones(1)
    counts: list[int] = []
    seen = 0
    for level in range(1, depth + 1):
        last = level == depth
        index, following = RowIndex(game.state_bytes), np.zeros(0)
        total = 0.0
        for batch in _batches(simulator, len(layer)):
            legal, _ = _playable(simulator, layer[batch])
            numbers = _joint_counts(legal, simulator)
            total += float(numbers @ ways[batch])
            if last:
                continue
            successors, parents = _successors(simulator, layer[batch], legal)
            children = index.add(successors)
            following = _grown(following, len(index))
            np.add.at(following, children, ways[batch][parents])
            seen += len(children)
            if progress:
                progress(seen)
        if total >= EXACT:
            return None
        counts.append(int(total))
        layer, ways = index.rows(), following
    return counts


def explore_packed(
    game: CompiledGame, limit: int, progress: Progress | None = None
) -> tuple[int, int, int, int | None, int | None, bool] | None:
    """States, terminal ones, stuck ones, longest play, number of games, and whether the search was complete.

    None where the number of games, or of joint moves at once, is too large to count so.
    """
    index = RowIndex(game.state_bytes)
    edges: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    terminal = stuck = 0
    try:
        for batch in _breadth_first(game, game.initial(), index):
            edges.append((batch.parents, batch.children))
            terminal += int(batch.over.sum())
            stuck += int(((batch.moves == 0) & ~batch.over).sum())
            if len(index) > limit:
                return limit, terminal, stuck, None, None, False
            if progress:
                progress(len(index))
    except _TooManyAtOnce:
        return None
    longest, games = _longest_and_games(edges, len(index))
    if games is not None and games >= EXACT:
        return None
    return len(index), terminal, stuck, longest, None if games is None else int(games), True


def has_more_states(game: CompiledGame, start: CompiledState, limit: int) -> bool:
    """Whether more states than that are reachable from a state; False, too, where they cannot be counted."""
    index = RowIndex(game.state_bytes)
    try:
        return any(len(index) > limit for _ in _breadth_first(game, start, index))
    except _TooManyAtOnce:
        return False


def is_small(game: CompiledGame, start: CompiledState, states: int, joints: int) -> bool:
    """Whether at most so many states are reachable from a state, by at most so many joint moves in all; no
    more than these are made to find out."""
    index = RowIndex(game.state_bytes)
    try:
        return not any(len(index) > states for _ in _breadth_first(game, start, index, joints))
    except _TooManyAtOnce:
        return False


@dataclass(frozen=True)
class _Batch:
    """States that were expanded together."""

    over: NDArray[np.bool_]
    moves: NDArray[np.float64]
    """Joint moves of each."""
    parents: NDArray[np.int64]
    """For each joint move of any of them, the number of the state that it is made in."""
    children: NDArray[np.int64]
    """For each joint move, the number of the state that it leads to."""


class _TooManyAtOnce(Exception):
    """More joint moves of one batch than memory holds, or of all batches than asked for."""


def _breadth_first(
    game: CompiledGame, start: CompiledState, index: RowIndex, most_joints: float = inf
) -> Iterator[_Batch]:
    """Puts all states after a state into an index, layer by layer and batch by batch."""
    simulator = game.simulator()
    joints_left = most_joints
    index.add(simulator.pack([start]))
    done = 0
    while done < len(index):
        layer = index.rows(done)
        for batch in _batches(simulator, len(layer)):
            rows = layer[batch]
            legal, over = _playable(simulator, rows)
            moves = _joint_counts(legal, simulator)
            joints_left -= moves.sum()
            if joints_left < 0 or moves.sum() > most_joint_moves(len(game.roles)):
                raise _TooManyAtOnce
            successors, parents = _successors(simulator, rows, legal)
            yield _Batch(over, moves, parents + done + batch.start, index.add(successors))
        done += len(layer)


def _batches(simulator: Simulator[HasFacts], count: int) -> Iterator[slice]:
    size = max(simulator.lanes, CELLS // max(1, len(simulator.game.circuit.moves)))
    for begin in range(0, count, size):
        yield slice(begin, min(begin + size, count))


def _playable(simulator: Simulator[HasFacts], states: Packed) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Legal flags, all false where the game is over; and where it is."""
    legal, over, _ = simulator.expand(states)
    flags = simulator.legal_flags(legal)
    flags[over] = False
    return flags, over


def _joint_counts(legal: NDArray[np.bool_], simulator: Simulator[HasFacts]) -> NDArray[np.float64]:
    return joint_counts(legal, [len(own) for own in simulator.game.circuit.role_moves])


def _successors(
    simulator: Simulator[HasFacts], states: Packed, legal: NDArray[np.bool_]
) -> tuple[Packed, NDArray[np.int64]]:
    parents, moves = joint_moves(legal, [len(own) for own in simulator.game.circuit.role_moves])
    return simulator.step(states[parents], moves, check=False), parents


def _grown(values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    return np.concatenate([values, np.zeros(size - len(values))])


def _longest_and_games(
    edges: list[tuple[NDArray[np.int64], NDArray[np.int64]]], states: int
) -> tuple[int | None, float | None]:
    """Waves of states all of whose predecessors are done; None where play can go in circles."""
    parents = np.concatenate([one for one, _ in edges])
    children = np.concatenate([other for _, other in edges])
    order = np.argsort(parents, kind="stable")
    children = children[order]
    begin = np.searchsorted(parents[order], np.arange(states + 1))
    waiting = np.bincount(children, minlength=states)
    depth, paths = np.zeros(states, np.int64), np.zeros(states)
    paths[0] = 1
    wave = np.flatnonzero(waiting == 0)
    done, games = 0, 0.0
    while len(wave):
        done += len(wave)
        lengths = begin[wave + 1] - begin[wave]
        games += float(paths[wave[lengths == 0]].sum())
        owners = np.repeat(wave, lengths)
        starts = np.repeat(begin[wave] - np.cumsum(lengths) + lengths, lengths)
        reached = children[starts + np.arange(len(owners))]
        np.maximum.at(depth, reached, depth[owners] + 1)
        np.add.at(paths, reached, paths[owners])
        np.subtract.at(waiting, reached, 1)
        wave = np.unique(reached)
        wave = wave[waiting[wave] == 0]
    if done < states:
        return None, None
    return int(depth.max()), games
