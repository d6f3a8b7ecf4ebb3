"""Simulators: hundreds of states of a compiled game at once, as numpy arrays in and out.

States are rows of packed bits (``uint8``, lowest bit first, in the order of ``circuit.fluents``); moves are
numbers into ``circuit.moves``, a column for each role.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from .._core import Lanes
from ..rules.ruleset import is_nature
from ..rules.terms import Term
from .circuit import Circuit
from .errors import GameError, IllegalMoveError
from .results import PlayoutResults

if TYPE_CHECKING:
    from .._core.kernels import Network, PlayoutCounts, SingleCounts

Packed: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.int32]
Policy: TypeAlias = Callable[[Packed, NDArray[np.bool_]], NDArray[np.floating]]
"""Weights for each state and move, from packed states and legal flags."""

MOST_LISTED = 1 << 28
"""Moves in a list of joint moves: a gigabyte."""


class HasFacts(Protocol):
    """A state of any engine."""

    def facts(self) -> frozenset[Term]: ...


StateT_co = TypeVar("StateT_co", bound=HasFacts, covariant=True)


class SimulatedGame(Protocol[StateT_co]):
    """What a simulator needs of its game; ``CompiledGame`` provides it."""

    @property
    def name(self) -> str: ...
    @property
    def roles(self) -> tuple[Term, ...]: ...
    @property
    def circuit(self) -> Circuit: ...
    @property
    def network(self) -> Network: ...
    @property
    def state_bytes(self) -> int: ...
    def initial(self) -> StateT_co: ...
    def packed(self, state: HasFacts) -> bytes: ...
    def unpacked(self, packed: bytes) -> StateT_co: ...
    def move_numbers(self, joint: Sequence[Term]) -> list[int]: ...


@dataclass(frozen=True)
class PlayoutReport:
    """The results of random play."""

    steps: int
    playouts: int
    seconds: float
    goals: dict[Term, float | None]
    """Mean goal value of each role; None where nothing was played."""
    histogram: dict[Term, dict[int, int]]
    """How often each goal value was reached, by role."""
    stuck: int
    """Playouts that ended because some role had no move."""
    capped: int
    """Playouts that ended because they were too long."""
    unfinished: int = 0
    """Playouts that were abandoned when the time was over; not among the others."""


def playout_report(game: SimulatedGame[HasFacts], counts: PlayoutCounts | SingleCounts) -> PlayoutReport:
    """Counts of a kernel by role and goal value."""
    histogram: dict[Term, dict[int, int]] = {role: {} for role in game.roles}
    for (role, value, _), count in zip(game.circuit.goals, counts["goal_counts"], strict=True):
        if isinstance(value, int) and count:
            own = histogram[game.roles[role]]
            own[value] = own.get(value, 0) + int(count)
    played = counts["playouts"]
    sums = zip(game.roles, counts["goal_sums"], strict=True)
    return PlayoutReport(
        steps=counts["steps"],
        playouts=played,
        seconds=counts["seconds"],
        goals={role: float(total) / played if played else None for role, total in sums},
        histogram={role: dict(sorted(own.items())) for role, own in histogram.items()},
        stuck=counts["stuck"],
        capped=counts["capped"],
        unfinished=int(counts.get("unfinished", 0) or 0),  # type: ignore[call-overload]
    )


class Simulator(Generic[StateT_co]):
    """Lanes of one game. Same seed, same result, whatever the number of threads (for counted playouts)."""

    def __init__(self, game: SimulatedGame[StateT_co], lanes: int = 0) -> None:
        self.game = game
        self.kernel = Lanes(game.network, lanes)

    @property
    def lanes(self) -> int:
        """States evaluated at once."""
        return self.kernel.lanes

    @property
    def bytes_per_lane(self) -> float:
        """Memory of one lane, gates and all."""
        return self.kernel.block_bytes / self.kernel.lanes

    @property
    def bytes_per_state(self) -> int:
        """Memory of one packed state."""
        return self.game.state_bytes

    def pack(self, states: Iterable[HasFacts]) -> Packed:
        """States of this game, whatever engine made them, as rows of packed bits."""
        rows = [self.game.packed(state) for state in states]
        return np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), self.game.state_bytes)

    def unpack(self, rows: Packed) -> list[StateT_co]:
        """The states of some rows; how they came about is not known."""
        return [self.game.unpacked(row.tobytes()) for row in rows]

    def playouts(
        self,
        count: int | None = None,
        *,
        seconds: float | None = None,
        seed: int = 0,
        threads: int = 1,
        max_steps: int = 0,
        weights: Mapping[tuple[Term, Term], float] | NDArray[np.float32] | None = None,
    ) -> PlayoutReport:
        """Random games from the start: so many, or for so many seconds.

        Moves are equally likely, or in proportion to ``weights``: by role and move (others have weight 1),
        or one number for each move of the circuit. Where nature has odds, they are kept.
        """
        found = self.kernel.playouts(
            count,
            seconds=seconds,
            seed=seed,
            threads=threads,
            max_steps=max_steps,
            weights=self._weights(weights),
        )
        return playout_report(self.game, found)

    def results(self, count: int, *, seed: int = 0, threads: int = 1, max_steps: int = 0) -> PlayoutResults:
        """The goal values and the length of each of so many random games from the start.

        The games are those of ``playouts`` with the same count and seed.

        >>> import ludorum
        >>> simulator = ludorum.load_game("tictactoe", "compiled").simulator()
        >>> int(simulator.results(500, seed=3).lengths.sum()) == simulator.playouts(500, seed=3).steps
        True
        """
        found = self.kernel.playouts(count, seed=seed, threads=threads, max_steps=max_steps, each=True)
        return PlayoutResults(self.game.name, self.game.roles, found["goals"], found["lengths"])

    def playouts_from(
        self,
        states: Packed,
        per_state: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        max_steps: int = 0,
        weights: Mapping[tuple[Term, Term], float] | NDArray[np.float32] | None = None,
    ) -> NDArray[np.float64]:
        """Random games from given states: the sums of goal values, a row for each state, a column a role."""
        found = self.kernel.playouts_from(
            states,
            per_state,
            seed=seed,
            threads=threads,
            max_steps=max_steps,
            weights=self._weights(weights),
        )
        return found["sums"]

    def expand(self, states: Packed, threads: int = 1) -> tuple[Packed, NDArray[np.bool_], Numbers]:
        """Legal moves as packed bits, whether each state is terminal, and goal values by role (-1: none)."""
        legal, terminal, goals = self.kernel.expand(states, threads)
        return legal, terminal.view(np.bool_), goals

    def legal_moves(self, states: Packed, threads: int = 1) -> NDArray[np.bool_]:
        """Which moves are legal: a row for each state, a column for each move of the circuit."""
        return self.legal_flags(self.kernel.expand(states, threads)[0])

    def step(self, states: Packed, moves: Numbers, threads: int = 1, *, check: bool = True) -> Packed:
        """The states after joint moves, a move number for each state and role.

        IllegalMoveError where one is not legal; where all are known to be, ``check`` may be left out.
        """
        try:
            return self.kernel.step(states, moves, threads, check)
        except ValueError as error:
            self._refuse_illegal(states, moves)
            raise error

    def percepts(self, states: Packed, moves: Numbers, threads: int = 1) -> NDArray[np.bool_]:
        """The percepts of joint moves: a row for each state, a column for each of ``circuit.sees``."""
        try:
            seen = self.kernel.sees(states, moves, threads, True)
        except ValueError as error:
            self._refuse_illegal(states, moves)
            raise error
        return np.unpackbits(seen, axis=1, count=len(self.game.circuit.sees), bitorder="little").view(bool)

    def _refuse_illegal(self, states: Packed, moves: Numbers) -> None:
        """Name the first illegal move of a batch, if it is one at all."""
        circuit, roles = self.game.circuit, self.game.roles
        if moves.shape != (len(states), len(roles)):
            return
        for row, joint in enumerate(moves.tolist()):
            flags = self.legal_moves(states[row : row + 1])[0]
            for role, move in enumerate(joint):
                if move not in circuit.role_moves[role]:
                    raise IllegalMoveError(f"row {row}: {roles[role]} has no move of number {move}")
                if not flags[move]:
                    raise IllegalMoveError(
                        f"row {row}: {circuit.moves[move][1]} is not legal for {roles[role]}"
                    )

    def playouts_by(
        self,
        policy: Policy,
        states: Packed | None = None,
        count: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        max_steps: int = 0,
    ) -> tuple[Numbers, Numbers]:
        """Games in which a policy weighs the moves: goal values by game and role (-1: none), and lengths.

        The policy sees packed states and legal flags, a row each, and gives a weight for each state and move.
        Games begin in the given states, or ``count`` of them at the start. A game ends where it is terminal,
        where a role has no move, or after ``max_steps``.
        """
        rows = np.repeat(self.pack([self.game.initial()]), count, axis=0) if states is None else states.copy()
        goals = np.full((len(rows), len(self.game.roles)), -1, np.int32)
        lengths = np.zeros(len(rows), np.int32)
        playing = np.arange(len(rows))
        chance = np.random.default_rng(seed)
        while len(playing):
            packed, terminal, values = self.expand(rows, threads)
            legal = self.legal_flags(packed)
            over = terminal | ~self._can_move(legal)
            if max_steps:
                over |= lengths[playing] >= max_steps
            goals[playing[over]] = values[over]
            rows, legal, playing = rows[~over], legal[~over], playing[~over]
            if len(playing):
                weights = np.where(legal, policy(rows, legal), 0)
                moves = self._draw(weights, legal, chance)
                rows = self.step(rows, moves, threads)
                lengths[playing] += 1
        return goals, lengths

    def legal_flags(self, packed: Packed) -> NDArray[np.bool_]:
        """The packed legal moves of ``expand`` as flags, a column for each move of the circuit."""
        count = len(self.game.circuit.moves)
        return np.unpackbits(packed, axis=1, count=count, bitorder="little").view(np.bool_)

    def _can_move(self, legal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """In which rows every role has a legal move."""
        able = np.ones(len(legal), np.bool_)
        for own in self.game.circuit.role_moves:
            able &= legal[:, own.start : own.stop].any(axis=1)
        return able

    def _draw(
        self, weights: NDArray[np.floating], legal: NDArray[np.bool_], chance: np.random.Generator
    ) -> Numbers:
        """A joint move for each row, in proportion to the weights; where none has any, all are as likely.

        Where nature has odds, they are kept.
        """
        columns, odds = [], self.game.circuit.weights
        for seat, own in enumerate(self.game.circuit.role_moves):
            mine = weights[:, own.start : own.stop].astype(np.float64)
            if odds is not None and is_nature(self.game.roles[seat]):
                mine = np.where(legal[:, own.start : own.stop], odds[own.start : own.stop], 0.0)
            none = ~(mine > 0).any(axis=1)
            mine[none] = legal[none, own.start : own.stop]
            sums = np.cumsum(mine, axis=1)
            drawn = chance.random(len(mine)) * sums[:, -1]
            # The first move whose sum exceeds what was drawn: it has weight, so it is legal.
            chosen = (sums > drawn[:, None]).argmax(axis=1)
            columns.append(chosen + own.start)
        return np.stack(columns, axis=1).astype(np.int32)

    def successors(self, states: Packed, threads: int = 1) -> tuple[Packed, NDArray[np.int64], Numbers]:
        """Every successor of every state that is not terminal, the row it comes from, and the joint move."""
        packed, terminal, _ = self.expand(states, threads)
        legal = self.legal_flags(packed)
        legal[terminal] = False
        parents, moves = joint_moves(legal, [len(own) for own in self.game.circuit.role_moves])
        return self.step(states[parents], moves, threads, check=False), parents, moves

    def _weights(
        self, weights: Mapping[tuple[Term, Term], float] | NDArray[np.float32] | None
    ) -> NDArray[np.float32] | None:
        if weights is None or isinstance(weights, np.ndarray):
            return weights if weights is None else np.ascontiguousarray(weights, np.float32)
        table = np.ones(len(self.game.circuit.moves), np.float32)
        for (role, move), weight in weights.items():
            number = self.game.move_numbers([move if role is own else Term("") for own in self.game.roles])
            at = max(number)
            if at < 0:
                raise ValueError(f"{move} is no move of {role} in {self.game.name}")
            table[at] = weight
        return table


def joint_counts(legal: NDArray[np.bool_], sizes: Sequence[int]) -> NDArray[np.float64]:
    """How many joint moves each row has, as floats: ten roles with a hundred moves each overflow integers."""
    ends = np.cumsum([0, *sizes])
    counts = np.ones(len(legal))
    for begin, end in pairwise(ends):
        counts *= legal[:, begin:end].sum(axis=1)
    return counts


def most_joint_moves(roles: int) -> int:
    """How many joint moves may be listed at once."""
    return MOST_LISTED // max(1, roles)


def joint_moves(legal: NDArray[np.bool_], sizes: list[int]) -> tuple[NDArray[np.int64], Numbers]:
    """All joint moves of all rows: the row of each, and its moves by role; the last role varies fastest.

    GameError where they are more than memory should hold: see ``joint_counts``.
    """
    count = joint_counts(legal, sizes).sum()
    if count > most_joint_moves(len(sizes)):
        raise GameError(f"{count:.3g} joint moves at once are too many to be listed")
    rows = np.arange(len(legal))
    chosen = np.zeros((len(legal), 0), np.int32)
    begin = 0
    for size in sizes:
        own = legal[:, begin : begin + size]
        parents, moves = np.nonzero(own[rows])
        chosen = np.concatenate([chosen[parents], (moves + begin).astype(np.int32)[:, None]], axis=1)
        rows = rows[parents]
        begin += size
    return rows, np.ascontiguousarray(chosen)
