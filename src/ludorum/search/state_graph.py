"""The graph of all reachable states, numbered, with goals, the roles that choose, and successors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._core import RowIndex
from ..engine.compiled import CompiledGame, CompiledState
from ..engine.errors import GameError
from ..engine.game import Game, JointMove, State
from ..engine.simulator import Numbers, Packed, Simulator, joint_moves
from .budget import Stopwatch
from .compiled_state import compiled_game, compiled_state

AT_ONCE = "several roles choose at once"
NOBODY = -1
"""The mover of a state in which no role has a choice."""
CELLS = 1 << 22
"""Legal flags processed in one batch: bounds the memory, whatever the number of moves."""
CHUNK_BYTES = 1 << 26
"""Successors that are made at once, as packed states."""
MEMORY_BYTES = 1 << 30
"""The most memory of a graph: packed states, their data, and edges."""
STATE_BYTES, EDGE_BYTES = 300, 24
"""Bytes of a state besides its packed facts, and of an edge, while values are computed."""


class UnsolvedError(GameError):
    """Why the states of a game have no values."""

    def __init__(self, reason: str, *, is_limit: bool = False, states: int = 0) -> None:
        super().__init__(reason)
        self.is_limit = is_limit
        """Whether the budget ran out, so that a larger one may do; else the method does not apply."""
        self.states = states
        """States that were visited."""


class SimultaneousError(UnsolvedError):
    """Two roles choose at once somewhere, so that play has no value by backward induction."""


@dataclass(frozen=True)
class StateGraph:
    """State 0 is the first. Edges go from a state to the states after each choice, in the order of moves."""

    goals: NDArray[np.float64]
    """A row for each state, a column for each role; what is no number counts as 0."""
    movers: NDArray[np.int16]
    first_edge: NDArray[np.int64]
    """Edges of state ``n``: ``first_edge[n]`` to ``first_edge[n + 1]``; none where the game ends."""
    children: NDArray[np.int64]
    weights: NDArray[np.float64]
    """By edge: how likely nature makes it beside the others of its state; 1 where a player chooses."""
    numbers: dict[State, int] | RowIndex

    @property
    def states(self) -> int:
        return len(self.goals)

    def number(self, state: State) -> int | None:
        """The number of a state; None where it is not in the graph."""
        if isinstance(self.numbers, dict):
            return self.numbers.get(state)
        assert isinstance(state, CompiledState)
        row = np.frombuffer(state.bits, np.uint8)[None, :]
        number = int(self.numbers.add(row)[0])
        return number if number < self.states else None


def explore_states(game: Game, state: State, watch: Stopwatch, limit: int) -> StateGraph:
    """The graph from a state on.

    UnsolvedError where it has more states than the limit, the budget or memory allows; SimultaneousError
    where roles choose at once.
    """
    circuit = compiled_game(game)
    packed = compiled_state(circuit, state) if circuit else None
    if circuit is not None and packed is not None:
        return _explore_packed(circuit, packed, watch, limit)
    return _explore_plain(state, watch, limit)


def _explore_packed(game: CompiledGame, state: CompiledState, watch: Stopwatch, limit: int) -> StateGraph:
    simulator = game.simulator()
    index = RowIndex(game.state_bytes)
    index.add(simulator.pack([state]))
    goals: list[NDArray[np.float64]] = []
    movers: list[NDArray[np.int16]] = []
    counts: list[NDArray[np.int64]] = []
    children: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float64]] = []
    done = edges = 0
    while done < len(index):
        for rows in _batches(simulator, index.rows(done)):
            _refuse_more(len(index), limit, watch)
            legal, values = _playable(simulator, rows)
            movers.append(_movers(game, legal))  # first, since many states may have very many moves
            parents, moves = joint_moves(legal, [len(own) for own in game.circuit.role_moves])
            weights.append(_joint_weights(game, moves))
            goals.append(np.clip(values, 0, 100).astype(np.float64))
            counts.append(np.bincount(parents, minlength=len(rows)))
            for part in _chunks(len(parents), game.state_bytes):
                children.append(index.add(simulator.step(rows[parents[part]], moves[part], check=False)))
                edges += len(children[-1])
                if _bytes(len(index), edges, game.state_bytes) > MEMORY_BYTES:
                    raise UnsolvedError(f"its states take more than {MEMORY_BYTES >> 20} megabytes")
            done += len(rows)
    return _graph(
        np.concatenate(goals), np.concatenate(movers), np.concatenate(counts), children, weights, index
    )


def _refuse_more(states: int, limit: int, watch: Stopwatch) -> None:
    if states > limit:
        raise UnsolvedError(
            f"it has more than {limit} states, which is the most that are looked at one by one"
        )
    if watch.is_up(states):
        raise UnsolvedError("not solved within the limits", is_limit=True)


def _batches(simulator: Simulator[State], rows: Packed) -> Iterator[Packed]:
    size = max(simulator.lanes, CELLS // max(1, len(simulator.game.circuit.moves)))
    for begin in range(0, len(rows), size):
        yield np.ascontiguousarray(rows[begin : begin + size])


def _chunks(count: int, state_bytes: int) -> Iterator[slice]:
    """Successors in parts of bounded size; states of games without fluents have no bytes."""
    size = max(1, CHUNK_BYTES // max(1, state_bytes))
    for begin in range(0, count, size):
        yield slice(begin, begin + size)


def _bytes(states: int, edges: int, state_bytes: int) -> int:
    return states * (state_bytes + STATE_BYTES) + edges * EDGE_BYTES


def _playable(simulator: Simulator[State], rows: Packed) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Legal flags, none where the game ends or a role has no move, and goal values."""
    packed, over, goals = simulator.expand(rows)
    legal = simulator.legal_flags(packed)
    for own in simulator.game.circuit.role_moves:
        over = over | ~legal[:, own.start : own.stop].any(axis=1)
    legal[over] = False
    return legal, goals


def _movers(game: CompiledGame, legal: NDArray[np.bool_]) -> NDArray[np.int16]:
    choosers = np.stack(
        [legal[:, own.start : own.stop].sum(axis=1) > 1 for own in game.circuit.role_moves], axis=1
    )
    # Nature's roles are one chooser, whatever draws each has: what they draw together is an edge.
    nature = list(game.info.chance_seats)
    choosers[:, nature[:1]] = choosers[:, nature].any(axis=1, keepdims=True)
    choosers[:, nature[1:]] = False
    if (choosers.sum(axis=1) > 1).any():
        raise SimultaneousError(AT_ONCE)
    return np.where(choosers.any(axis=1), choosers.argmax(axis=1), NOBODY).astype(np.int16)


def _joint_weights(game: CompiledGame, moves: Numbers) -> NDArray[np.float64]:
    """How likely nature makes joint moves beside others of their states."""
    if game.circuit.weights is None:
        return np.ones(len(moves))
    return np.asarray(game.circuit.weights.astype(np.float64)[moves].prod(axis=1))


def _joint_weight(state: State, joint: JointMove) -> float:
    chances = state.game.chances
    return float(math.prod(chances.weight(joint[seat]) for seat in state.game.info.chance_seats))


def _explore_plain(state: State, watch: Stopwatch, limit: int) -> StateGraph:
    numbers = {state: 0}
    waiting = [state]
    goals: list[list[int]] = []
    movers: list[int] = []
    counts: list[int] = []
    children: list[int] = []
    weights: list[float] = []
    nature = state.game.info.chance_seats
    for current in waiting:  # grows as it goes
        _refuse_more(len(waiting), limit, watch)
        goals.append([min(100, max(0, goal or 0)) for goal in current.goals()])
        widths = [len(current.legal(role)) for role in current.game.roles]
        goes_on = all(widths) and not current.is_terminal
        choosers = [role for role, width in enumerate(widths) if width > 1 and goes_on]
        if all(role in nature for role in choosers):
            choosers = [nature[0]] if choosers else []
        if len(choosers) > 1:
            raise SimultaneousError(AT_ONCE)
        joints = list(current.joint_moves()) if goes_on else []
        weights += [_joint_weight(current, joint) for joint in joints]
        movers.append(choosers[0] if choosers else NOBODY)
        counts.append(len(joints))
        for joint in joints:
            after = current.play(joint)
            if after not in numbers:
                numbers[after] = len(waiting)
                waiting.append(after)
            children.append(numbers[after])
    return _graph(
        np.array(goals, np.float64),
        np.array(movers, np.int16),
        np.array(counts, np.int64),
        [np.array(children, np.int64)],
        [np.array(weights)],
        numbers,
    )


def _graph(
    goals: NDArray[np.float64],
    movers: NDArray[np.int16],
    counts: NDArray[np.int64],
    children: list[NDArray[np.int64]],
    weights: list[NDArray[np.float64]],
    numbers: dict[State, int] | RowIndex,
) -> StateGraph:
    first_edge = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    ends = np.concatenate([np.zeros(0, np.int64), *children])  # no part at all where the game is over
    shares = np.concatenate([np.zeros(0), *weights])
    return StateGraph(goals, movers, first_edge, ends, shares, numbers)
