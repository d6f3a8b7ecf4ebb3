"""The compiled engine: rules ground once, turned into a circuit, and run by the kernels.

A state is the packed bits of its fluents, a few bytes; what follows from it is computed on demand.
``CompiledGame.simulator`` plays hundreds of states at once.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias
from weakref import WeakValueDictionary

import numpy as np

from .._core import Network, Single
from ..rules.ruleset import Ruleset
from ..rules.terms import Term, sort_key
from .circuit import Circuit, CircuitError
from .compile_circuit import CompileCost, compile_circuit, plain_circuit, with_weights
from .endless_growth import endless_growth
from .errors import GameError, IllegalMoveError
from .foresight import foresee, look_ahead
from .game import (
    Game,
    JointMove,
    Moves,
    Named,
    State,
    hash_fact,
    refuse_negative,
)
from .information import info_by_rules
from .memory import Memory, measure_memory
from .network import make_network
from .results import PlayoutResults
from .simulator import HasFacts, Simulator
from .words import illegal_move, wrong_count

Percepts: TypeAlias = tuple[tuple[Term, ...], ...]
_Step: TypeAlias = "tuple[tuple[int, ...], _Link]"
"""The numbers of a joint move, and the link that states after it keep to it."""

MOST_PLAIN_RULES = 200_000
"""The most ground rules of a sheet that is ground a second time, for the outlook of proof searches."""

MOST_STEPS = 100_000
"""Joint moves that are cached; where roles move at once there are products of moves."""


class CompiledGame(Game):
    """A game that runs as a circuit; GameError with the reason where none can be built within the limits."""

    def __init__(
        self,
        rules: Ruleset,
        name: str = "game",
        *,
        seconds: float = 60.0,
        megabytes: float = 6000.0,
        processor_time: bool = False,
        stop: threading.Event | None = None,
    ) -> None:
        if growth := endless_growth(rules, name):
            raise GameError(f"{name} cannot be compiled: {growth}")
        try:
            circuit, self.cost = compile_circuit(
                rules, seconds, megabytes, processor_time=processor_time, stop=stop
            )
            self._start(rules, name, circuit, uuid.uuid4().hex)
        except CircuitError as error:
            raise GameError(f"{name} cannot be compiled: {error}") from error

    @classmethod
    def of_circuit(cls, rules: Ruleset, name: str, circuit: Circuit, cost: CompileCost) -> CompiledGame:
        """The game of a circuit that was compiled from these rules before, in another process perhaps."""
        game = cls.__new__(cls)
        game.cost = cost
        game._start(rules, name, circuit, uuid.uuid4().hex)
        return game

    def _start(self, rules: Ruleset, name: str, circuit: Circuit, token: str) -> None:
        self.name = name
        self.rules: Ruleset = rules
        self.circuit = circuit = with_weights(circuit, rules)
        self.roles = circuit.roles
        self.network = make_network(circuit)
        self.info = info_by_rules(rules, self.roles)
        self._token = token
        self._fluents = {fluent: at for at, fluent in enumerate(circuit.fluents)}
        self._role_numbers = {role: at for at, role in enumerate(self.roles)}
        self._numbers: list[dict[Term, int]] = [{} for _ in self.roles]
        self.known_steps: dict[JointMove, _Step] = {}
        """Steps of joint moves that have been made before."""
        self._numbered_steps: dict[tuple[int, ...], _Step] = {}
        self._percept_keys: dict[int, tuple[object, ...]] = {}
        self._begin = _Link(self, None, ())
        # The kernel writes -1 for goal values that are no numbers.
        self._has_debts = any(isinstance(value, int) and value < 0 for _, value, _ in circuit.goals)
        _GAMES[token] = self

    @cached_property
    def single(self) -> Single:
        """The kernel that answers questions about one state."""
        return self.make_single()

    def make_single(self, mode: str = "auto") -> Single:
        """Such a kernel; ``full`` and ``incremental`` are two ways to the same answers."""
        kernel = Single(self.network, mode)
        hashes = np.fromiter(map(hash_fact, self.circuit.fluents), np.int64, len(self.circuit.fluents))
        kernel.set_names(_name_maker(self.circuit, self._numbers), hashes)
        return kernel

    @cached_property
    def foresight(self) -> Network | None:
        """The game with only the moves that are worth playing in playouts; None where that is all moves."""
        found = foresee(self.circuit)
        return None if found is None else make_network(found)

    @cached_property
    def outlook(self) -> Single | None:
        """The kernel of the game for proof searches, with foresight; None where nothing can be foreseen."""
        # A second grounding pays off for small sheets; their size is counted, not timed.
        plain = plain_circuit(self.rules) if self.cost.ground["rules"] <= MOST_PLAIN_RULES else None
        same = plain is not None and (plain.fluents, plain.moves) == (
            self.circuit.fluents,
            self.circuit.moves,
        )
        found = look_ahead(plain if plain is not None and same else self.circuit)
        return None if found is None else Single(make_network(found))

    @property
    def state_bytes(self) -> int:
        """Bytes of a packed state."""
        return (len(self.circuit.fluents) + 7) // 8

    @cached_property
    def memory(self) -> Memory:
        """Bytes of a state, of a lane and of the circuit."""
        state = self.initial()
        return measure_memory(self.simulator(), state, state.bits)

    def initial(self) -> CompiledState:
        packed = np.packbits(np.asarray(self.circuit.initial, bool), bitorder="little").tobytes()
        return CompiledState(packed, self._begin)

    def state(self, facts: Iterable[Term]) -> CompiledState:
        return CompiledState(self.pack(facts), self._begin)

    def packed(self, state: HasFacts) -> bytes:
        """The packed bits of a state, whatever engine made it; the twin of ``unpacked``."""
        return state.bits if isinstance(state, CompiledState) else self.pack(state.facts())

    def unpacked(self, packed: bytes) -> CompiledState:
        """The state of packed bits, without the step that led to it."""
        return CompiledState(packed, self._begin)

    def pack(self, facts: Iterable[Term]) -> bytes:
        """The packed bits of a set of facts; GameError for facts that no play can make true."""
        packed = bytearray(self.state_bytes)
        for fact in facts:
            at = self._fluents.get(fact)
            if at is None:
                raise GameError(
                    f"{fact} can never be true in {self.name}: the compiled engine has no such fact"
                )
            packed[at >> 3] |= 1 << (at & 7)
        return bytes(packed)

    def unpack(self, packed: bytes) -> frozenset[Term]:
        """The facts of a packed state; the twin of ``pack``."""
        bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=len(self._fluents), bitorder="little")
        fluents = self.circuit.fluents
        return frozenset(fluents[at] for at in np.flatnonzero(bits).tolist())

    def move_numbers(self, joint: Sequence[Term]) -> list[int]:
        """The numbers of a joint move; -1 for moves that are never legal."""
        return [
            number if (number := own.get(move)) is not None else self.circuit.move_number(role, move)
            for role, (own, move) in enumerate(zip(self._numbers, joint, strict=True))
        ]

    def seat(self, role: Named) -> int:
        """The index of a role; other terms are no roles of the circuit, even where rules name them."""
        number = self._role_numbers.get(role)  # type: ignore[arg-type]  # none of a text, which comes next
        return self._role_numbers[self.role(role)] if number is None else number

    def playouts(self, count: int, *, seed: int = 0, max_steps: int = 0, threads: int = 1) -> PlayoutResults:
        refuse_negative(count=count, max_steps=max_steps)
        return self.shared_simulator.results(count, seed=seed, max_steps=max_steps, threads=threads)

    @cached_property
    def shared_simulator(self) -> Simulator[CompiledState]:
        """One simulator for all who have no need for one of their own: making lanes takes time."""
        return self.simulator()

    def simulator(self, lanes: int = 0) -> Simulator[CompiledState]:
        return Simulator(self, lanes)

    def step(self, joint: JointMove) -> _Step:
        """The data that every play of this joint move shares."""
        known = self.known_steps.get(joint)
        if known is None:
            if len(joint) != len(self.roles):
                raise wrong_count(len(joint), self.roles)
            if len(self.known_steps) >= MOST_STEPS:
                self.known_steps.clear()
            known = self.known_steps[joint] = (tuple(self.move_numbers(joint)), _Link(self, joint, ()))
        return known

    def numbered_step(self, numbers: tuple[int, ...]) -> _Step:
        """The step of a joint move that is given by the numbers of its moves."""
        known = self._numbered_steps.get(numbers)
        if known is None:
            moves = self.circuit.moves
            known = self.step(tuple(moves[number][1] for number in numbers))
            if known[0] != numbers:
                raise IllegalMoveError(f"{numbers} are not moves of the roles, one each")
            if len(self._numbered_steps) >= MOST_STEPS:
                self._numbered_steps.clear()
            self._numbered_steps[numbers] = known
        return known

    def link(self, packed: bytes, step: _Step) -> _Link:
        """The step that led to a state; shared by all states with the same last step."""
        numbers, link = step
        if not self.circuit.sees:
            return link
        return _Link(self, link.joint, self._percepts(self.single.percepts(packed, numbers)))

    def _percepts(self, held: Sequence[int]) -> Percepts:
        seen: list[list[Term]] = [[] for _ in self.roles]
        sees = self.circuit.sees
        for number in held if len(held) < 2 else sorted(held, key=self._percept_key):
            role, percept, _ = sees[number]
            seen[role].append(percept)
        return tuple(map(tuple, seen))

    def _percept_key(self, number: int) -> tuple[object, ...]:
        """Where a percept stands among others. Kept: computing it takes longer than a step of the match."""
        key = self._percept_keys.get(number)
        if key is None:
            key = self._percept_keys[number] = sort_key(self.circuit.sees[number][1])
        return key

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore_game, (self._token, self.rules, self.name))


def _name_maker(circuit: Circuit, numbers: list[dict[Term, int]]) -> Callable[[int], Term]:
    """The callback that names moves for the kernel. It must not refer to the game, which would leak."""

    def name(at: int) -> Term:
        role, move = circuit.moves[at]
        numbers[role][move] = at
        return move

    return name


_GAMES: WeakValueDictionary[str, CompiledGame] = WeakValueDictionary()
"""Games of this process: an unpickled state finds its game here instead of building it again."""


def _restore_game(token: str, rules: Ruleset, name: str) -> CompiledGame:
    known = _GAMES.get(token)
    if known is None:
        known = CompiledGame(rules, name)
        known._token = token
        _GAMES[token] = known
    return known


@dataclass(frozen=True, eq=False)
class _Link:
    """The game of a state and the last step that led to it."""

    game: CompiledGame
    joint: JointMove | None
    percepts: Percepts


class CompiledState(State):
    """The packed bits of a state and the step that led to it: about 100 bytes for connect four."""

    __slots__ = ("_bits", "_link")

    def __init__(self, bits: bytes, link: _Link) -> None:
        self._bits = bits
        self._link = link

    @property
    def game(self) -> CompiledGame:  # type: ignore[override]
        return self._link.game

    @property
    def bits(self) -> bytes:
        """The packed fluents, in the order of ``game.circuit.fluents``, lowest bit first."""
        return self._bits

    def facts(self) -> frozenset[Term]:
        return self.game.unpack(self._bits)

    def legal(self, role: Named) -> tuple[Term, ...]:
        game = self._link.game
        return game.single.legal_names(self._bits, game.seat(role))

    def legal_numbers(self, role: int) -> list[int]:
        """The legal moves of the role of that number, as numbers into ``game.circuit.moves``."""
        return self._link.game.single.legal(self._bits, role)

    def play(self, joint: Moves) -> CompiledState:
        game = self._link.game
        if type(joint) is tuple or type(joint) is list:
            step = game.known_steps.get(tuple(joint))
            if step is not None:  # as good as always, where searches play
                return self._after(step)
        return self._after(game.step(self.joint_move(joint)))

    def play_numbers(self, numbers: Sequence[int]) -> CompiledState:
        """``play`` with numbers into ``game.circuit.moves``."""
        return self._after(self._link.game.numbered_step(tuple(numbers)))

    def _after(self, step: _Step) -> CompiledState:
        game = self._link.game
        after = game.single.play(self._bits, step[0])
        if after is None:
            wrong = game.single.first_illegal(self._bits, step[0])
            role, joint = game.roles[wrong], step[1].joint or ()
            raise illegal_move(joint[wrong], role, self.legal(role))
        return CompiledState(after, game.link(self._bits, step))

    @property
    def is_terminal(self) -> bool:
        return self._link.game.single.terminal(self._bits)

    def goal(self, role: Named) -> int | None:
        return self.goals()[self._link.game.seat(role)]

    def goals(self) -> tuple[int | None, ...]:
        game = self._link.game
        if game._has_debts:
            return tuple(State.goal(self, role) for role in game.roles)
        return game.single.goal_values(self._bits)

    def playouts(self, count: int = 1, *, seed: int = 0, max_steps: int = 0) -> tuple[float, ...]:
        found = self._link.game.single.playouts(count, seed=seed, max_steps=max_steps, state=self._bits)
        return tuple(total / count for total in found["goal_sums"])

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        goals, seat = self.game.circuit.goals, self.game.seat(role)
        own = [goals[at] for at in self.game.single.goals(self._bits)]
        values = {_value_term(value) for who, value, _ in own if who == seat}
        return tuple(sorted(values, key=sort_key))

    @property
    def joint(self) -> JointMove | None:
        return self._link.joint

    def percepts(self, role: Named) -> tuple[Term, ...]:
        number = self._link.game._role_numbers.get(self._role(role))
        return () if number is None or not self._link.percepts else self._link.percepts[number]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CompiledState) and other.game is self.game:
            return self._bits == other._bits
        return State.__eq__(self, other)

    def __hash__(self) -> int:
        return self._link.game.single.hash(self._bits)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore_state, (self.game, self._bits, self._link.joint, self._link.percepts))


def _restore_state(
    game: CompiledGame, bits: bytes, joint: JointMove | None, percepts: Percepts
) -> CompiledState:
    if joint is None:
        return CompiledState(bits, game._begin)
    if game.circuit.sees:
        return CompiledState(bits, _Link(game, joint, percepts))
    return CompiledState(bits, game.step(joint)[1])


def _value_term(value: int | Term) -> Term:
    return value if isinstance(value, Term) else Term(str(value))
