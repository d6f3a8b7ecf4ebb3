"""Compiled games whose answers come from one chosen kernel: so every kernel meets the same tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ludorum._core import Lanes, Single
from ludorum.engine.compiled import CompiledGame
from ludorum.engine.game import Game, IllegalMoveError, JointMove, State
from ludorum.rules.terms import Term, sort_key

MODES = ("full", "incremental")
KERNELS = (*MODES, "lanes")


def with_kernel(game: CompiledGame, kernel: str) -> Game:
    """The same game, answered by that kernel."""
    if kernel == "lanes":
        return LanesGame(game)
    other = _on_the_circuit_of(game)
    other.single = Single(game.network, kernel)
    return other


def _on_the_circuit_of(game: CompiledGame) -> CompiledGame:
    """A second game on the circuit of the first: building one anew would ground the rules again."""
    other = object.__new__(CompiledGame)
    other._start(game.rules, game.name, game.circuit, f"{game._token} too")
    return other


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

    def legal(self, role: Term) -> tuple[Term, ...]:
        if role not in self.game.roles:
            return ()
        circuit, seat = self.game.compiled.circuit, self.game.roles.index(role)
        return tuple(circuit.moves[at][1] for at in circuit.role_moves[seat] if self._legal[at])

    def play(self, joint: Sequence[Term]) -> LanesState:
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
        return LanesState(game, after, tuple(joint), percepts)

    @property
    def is_terminal(self) -> bool:
        return self._terminal

    def goal_terms(self, role: Term) -> tuple[Term, ...]:
        """Lanes give numbers, and -1 for none, for several and for what is no number: then all are listed."""
        state = self.game.compiled.state(self.facts())
        if role not in self.game.roles or self._goals[self.game.roles.index(role)] < 0:
            listed = state.goal_terms(role)
            assert state.goal(role) is None
            return tuple(sorted(listed, key=sort_key))
        return (Term(str(self._goals[self.game.roles.index(role)])),)

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Term) -> tuple[Term, ...]:
        return self._percepts[self.game.roles.index(role)] if self._percepts else ()
