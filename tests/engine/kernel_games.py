"""Compiled games whose answers come from one chosen kernel: so every kernel meets the same tests."""

from __future__ import annotations

import uuid
from collections.abc import Iterable

import numpy as np

from ludorum._core import Lanes
from ludorum.asp.ground import ground_rules
from ludorum.engine.build_circuit import build_circuit
from ludorum.engine.circuit import Circuit
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.game import Game, JointMove, Moves, Named, State
from ludorum.engine.passes import optimise
from ludorum.rules.ruleset import Ruleset
from ludorum.rules.terms import Term, sort_key

MODES = ("full", "incremental")
KERNELS = (*MODES, "lanes")


def compile_here(rules: Ruleset, name: str = "game") -> CompiledGame:
    """A compiled game without a child process: for sheets that are known to be small."""
    circuit = optimise(build_circuit(ground_rules(rules, in_process=True)))
    return _on_circuit(rules, name, circuit, uuid.uuid4().hex)


def with_kernel(game: CompiledGame, kernel: str) -> Game:
    """The same game, answered by that kernel."""
    if kernel == "lanes":
        return LanesGame(game)
    other = _on_circuit(game.rules, game.name, game.circuit, f"{game._token} {kernel}")
    other.single = other.make_single(kernel)
    return other


def _on_circuit(rules: Ruleset, name: str, circuit: Circuit, token: str) -> CompiledGame:
    game = object.__new__(CompiledGame)
    game._start(rules, name, circuit, token)
    return game


class LanesGame(Game):
    """Every question is a batch of one state; the answers of all lanes of a block go the same way."""

    def __init__(self, game: CompiledGame, width: int = 0) -> None:
        self.compiled = game
        self.name, self.roles, self.info, self.rules = game.name, game.roles, game.info, game.rules
        self.lanes = Lanes(game.network, width)

    def initial(self) -> LanesState:
        return LanesState(self, self.compiled.initial().bits)

    def state(self, facts: Iterable[Term]) -> LanesState:
        return LanesState(self, self.compiled.pack(facts))


class LanesState(State):
    def __init__(
        self,
        game: LanesGame,
        bits: bytes,
        joint: JointMove | None = None,
        percepts: tuple[tuple[Term, ...], ...] = (),
    ) -> None:
        self.game: LanesGame = game
        self._bits = bits
        self._joint = joint
        self._percepts = percepts
        # In the last of many lanes, behind states of another kind: a lane must not look at its neighbours.
        rows = np.zeros((game.lanes.lanes, len(bits)), np.uint8)
        rows[::2] = np.frombuffer(game.compiled.initial().bits, np.uint8)
        rows[-1] = np.frombuffer(bits, np.uint8)
        legal, terminal, goals = game.lanes.expand(rows)
        self._legal = np.unpackbits(legal[-1], count=len(game.compiled.circuit.moves), bitorder="little")
        self._terminal = bool(terminal[-1])
        self._goals = goals[-1].tolist()

    def facts(self) -> frozenset[Term]:
        return self.game.compiled.unpack(self._bits)

    def legal(self, role: Named) -> tuple[Term, ...]:
        circuit, seat = self.game.compiled.circuit, self.game.compiled.seat(role)
        return tuple(circuit.moves[at][1] for at in circuit.role_moves[seat] if self._legal[at])

    def play(self, joint: Moves) -> LanesState:
        joint = self.joint_move(joint)
        game = self.game
        for role, move in zip(game.roles, joint, strict=True):
            if move not in self.legal(role):
                raise IllegalMoveError(f"{move} is not legal for {role}")
        row = np.frombuffer(self._bits, np.uint8)[None]
        numbers = np.array([game.compiled.move_numbers(joint)], np.int32)
        after = game.lanes.step(row, numbers)[0].tobytes()
        sees = game.compiled.circuit.sees
        held = np.unpackbits(game.lanes.sees(row, numbers)[0], count=len(sees), bitorder="little")
        percepts = game.compiled._percepts(np.flatnonzero(held).tolist())
        return LanesState(game, after, joint, percepts)

    @property
    def is_terminal(self) -> bool:
        return self._terminal

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        """Lanes give numbers, and -1 for none, for several and for what is no number: then all are listed."""
        value = self._goals[self.game.compiled.seat(role)]
        if value >= 0:
            return (Term(str(value)),)
        state = self.game.compiled.state(self.facts())
        assert state.goal(role) is None
        return tuple(sorted(state.goal_terms(role), key=sort_key))

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Named) -> tuple[Term, ...]:
        return self._percepts[self.game.roles.index(self._role(role))] if self._percepts else ()
