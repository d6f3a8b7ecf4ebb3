"""A game that asks a circuit's plain-Python oracle: a test double for the compiled engine."""

from __future__ import annotations

from collections.abc import Iterable

from ludorum.engine.circuit import Circuit, Values, evaluate
from ludorum.engine.errors import IllegalMoveError
from ludorum.engine.game import Game, GameInfo, JointMove, Moves, Named, State
from ludorum.rules.terms import Term, sort_key


class CircuitGame(Game):
    """Every question is one evaluation of the circuit."""

    def __init__(self, circuit: Circuit, like: Game) -> None:
        self.circuit = circuit
        self.name = like.name
        self.roles = circuit.roles
        self.info: GameInfo = like.info
        self.fluent_index = {fluent: at for at, fluent in enumerate(circuit.fluents)}
        self.move_index = {move: at for at, move in enumerate(circuit.moves)}

    def initial(self) -> CircuitState:
        return self.state(
            fluent for fluent, holds in zip(self.circuit.fluents, self.circuit.initial, strict=True) if holds
        )

    def state(self, facts: Iterable[Term]) -> CircuitState:
        return CircuitState(self, frozenset(facts))


class CircuitState(State):
    def __init__(
        self,
        game: CircuitGame,
        facts: frozenset[Term],
        joint: JointMove | None = None,
        percepts: tuple[tuple[int, Term], ...] = (),
    ) -> None:
        self.game: CircuitGame = game
        self._facts = facts
        self._joint = joint
        self._percepts = percepts
        self._values = self._evaluate(())

    def _evaluate(self, moves: Iterable[int]) -> Values:
        return evaluate(self.game.circuit, (self.game.fluent_index[fact] for fact in self._facts), moves)

    def facts(self) -> frozenset[Term]:
        return self._facts

    def legal(self, role: Named) -> tuple[Term, ...]:
        moves = [self.game.circuit.moves[move] for move in self._values.legal]
        own = self.game.roles.index(self._role(role))
        return tuple(sorted((move for who, move in moves if who == own), key=sort_key))

    def play(self, joint: Moves) -> CircuitState:
        joint = self.joint_move(joint)
        for role, move in zip(self.game.roles, joint, strict=True):
            if move not in self.legal(role):
                raise IllegalMoveError(f"{move} is not legal for {role}")
        values = self._evaluate(self.game.move_index[at, move] for at, move in enumerate(joint))
        facts = frozenset(self.game.circuit.fluents[fluent] for fluent in values.next)
        return CircuitState(self.game, facts, joint, values.sees)

    @property
    def is_terminal(self) -> bool:
        return self._values.terminal

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        own = self.game.roles.index(self._role(role))
        found = (value for who, value in self._values.goals if who == own)
        return tuple(
            sorted((one if isinstance(one, Term) else Term(str(one)) for one in found), key=sort_key)
        )

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Named) -> tuple[Term, ...]:
        own = self.game.roles.index(self._role(role))
        return tuple(sorted((percept for who, percept in self._percepts if who == own), key=sort_key))
