"""The compiled engine: rules ground once, turned into a circuit, and run by the kernels.

A state is the packed bits of its fluents, a few bytes; what follows from it is computed when somebody asks.
``CompiledGame.simulator`` plays hundreds of states at once.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakValueDictionary

import numpy as np

from .._core import Single
from ..rules.ruleset import RANDOM, Ruleset
from ..rules.terms import Term, sort_key
from .circuit import Circuit, CircuitError
from .compile_circuit import compile_circuit
from .game import Game, GameError, GameInfo, IllegalMoveError, JointMove, Known, State, Status
from .network import make_network
from .simulator import Simulator

Percepts = tuple[tuple[Term, ...], ...]


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
        try:
            circuit, self.cost = compile_circuit(
                rules, seconds, megabytes, processor_time=processor_time, stop=stop
            )
        except CircuitError as error:
            raise GameError(f"{name} cannot be compiled: {error}") from error
        self._start(rules, name, circuit, uuid.uuid4().hex)

    def _start(self, rules: Ruleset, name: str, circuit: Circuit, token: str) -> None:
        self.name = name
        self.rules: Ruleset = rules
        self.circuit = circuit
        self.roles = circuit.roles
        self.network = make_network(circuit)
        chance = RANDOM if RANDOM in self.roles else None
        open_game = chance is None and not rules.has_hidden_information
        self.info = GameInfo(self.roles, chance, Known(open_game, Status.PROVED))
        self._token = token
        self._fluents = {fluent: at for at, fluent in enumerate(circuit.fluents)}
        self._links: dict[tuple[int, ...], _Link] = {}
        self._begin = _Link(self, None, ())
        _GAMES[token] = self

    @cached_property
    def single(self) -> Single:
        """The kernel that answers questions about one state."""
        return Single(self.network)

    @property
    def state_bytes(self) -> int:
        """Bytes of a packed state."""
        return (len(self.circuit.fluents) + 7) // 8

    def initial(self) -> CompiledState:
        packed = np.packbits(np.asarray(self.circuit.initial, bool), bitorder="little").tobytes()
        return CompiledState(packed, self._begin)

    def state(self, facts: Iterable[Term]) -> CompiledState:
        return CompiledState(self.pack(facts), self._begin)

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
        return [self.circuit.move_number(role, move) for role, move in enumerate(joint)]

    def seat(self, role: Term) -> int:
        """The place of a role; the circuit knows of nobody else, whatever the rules say of them."""
        try:
            return self.roles.index(role)
        except ValueError:
            raise GameError(f"{role} is no role of {self.name}") from None

    def simulator(self, lanes: int = 0) -> Simulator:
        return Simulator(self, lanes)

    def link(self, packed: bytes, numbers: Sequence[int], joint: JointMove) -> _Link:
        """What a successor remembers of the way to it; shared by all states with the same past step."""
        if self.circuit.sees:
            return _Link(self, joint, self._percepts(self.single.percepts(packed, numbers)))
        key = tuple(numbers)
        known = self._links.get(key)
        if known is None:
            known = self._links.setdefault(key, _Link(self, joint, ()))
        return known

    def _percepts(self, held: Sequence[int]) -> Percepts:
        seen: list[list[Term]] = [[] for _ in self.roles]
        for number in held:
            role, percept, _ = self.circuit.sees[number]
            seen[role].append(percept)
        return tuple(tuple(sorted(own, key=sort_key)) for own in seen)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore_game, (self._token, self.rules, self.name))


_GAMES: WeakValueDictionary[str, CompiledGame] = WeakValueDictionary()
"""Games of this process: a state that comes back here finds its game instead of building it again."""


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

    def legal(self, role: Term) -> tuple[Term, ...]:
        game = self.game
        moves = game.circuit.moves
        return tuple(moves[at][1] for at in game.single.legal(self._bits, game.seat(role)))

    def play(self, joint: Sequence[Term]) -> CompiledState:
        game = self.game
        moves = tuple(joint)
        if len(moves) != len(game.roles):
            raise IllegalMoveError(f"{len(moves)} moves for {len(game.roles)} roles")
        numbers = game.move_numbers(moves)
        wrong = game.single.first_illegal(self._bits, numbers)
        if wrong >= 0:
            raise IllegalMoveError(f"{moves[wrong]} is not legal for {game.roles[wrong]}")
        link = game.link(self._bits, numbers, moves)
        return CompiledState(game.single.successor(self._bits, numbers), link)

    @property
    def is_terminal(self) -> bool:
        return self.game.single.terminal(self._bits)

    def goal_terms(self, role: Term) -> tuple[Term, ...]:
        goals, seat = self.game.circuit.goals, self.game.seat(role)
        own = [goals[at] for at in self.game.single.goals(self._bits)]
        values = {_value_term(value) for who, value, _ in own if who == seat}
        return tuple(sorted(values, key=sort_key))

    @property
    def joint(self) -> JointMove | None:
        return self._link.joint

    def percepts(self, role: Term) -> tuple[Term, ...]:
        if not self._link.percepts or role not in self.game.roles:
            return ()
        return self._link.percepts[self.game.roles.index(role)]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CompiledState) and other.game is self.game:
            return self._bits == other._bits
        return State.__eq__(self, other)

    def __hash__(self) -> int:
        return hash(self.facts())

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore_state, (self.game, self._bits, self._link.joint, self._link.percepts))


def _restore_state(
    game: CompiledGame, bits: bytes, joint: JointMove | None, percepts: Percepts
) -> CompiledState:
    if joint is None:
        return CompiledState(bits, game._begin)
    if game.circuit.sees:
        return CompiledState(bits, _Link(game, joint, percepts))
    return CompiledState(bits, game.link(bits, game.move_numbers(joint), joint))


def _value_term(value: int | Term) -> Term:
    return value if isinstance(value, Term) else Term(str(value))
