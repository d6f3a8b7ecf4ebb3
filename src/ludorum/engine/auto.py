"""The engine that chooses itself: lifted from the first moment, compiled as soon as the circuit is ready.

The circuit is built beside the lifted engine, its grounding in a process that can be killed; when it is
there, the next question goes to it, and the caller notices nothing but the speed. Where no circuit can be
built within the limits the lifted engine goes on, and ``failure`` says why.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias

from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .game import Game, GameError, JointMove, State
from .lifted import LiftedGame

Builder: TypeAlias = Callable[[Ruleset, str], Game]


def _compile(rules: Ruleset, name: str) -> Game:
    from .compiled import CompiledGame

    return CompiledGame(rules, name)


class AutoGame(Game):
    """A game on the best engine there is at the moment."""

    def __init__(self, rules: Ruleset, name: str = "game", build: Builder = _compile) -> None:
        self.name = name
        self.rules: Ruleset = rules
        self._lifted = LiftedGame(rules, name)
        self.roles = self._lifted.roles
        self.info = self._lifted.info
        self.failure = ""
        """Why there is no circuit; empty as long as one may still come."""
        self._best: Game = self._lifted
        self._build = build
        # A daemon: a program that ends does not wait for a circuit nobody will use.
        self._builder = threading.Thread(target=self._build_circuit, name=f"circuit of {name}", daemon=True)
        self._builder.start()

    def _build_circuit(self) -> None:
        try:
            self._best = self._build(self.rules, self.name)
        except Exception as error:  # whatever went wrong there, the lifted engine answers
            self.failure = f"{type(error).__name__}: {error}"

    @property
    def best(self) -> Game:
        """The engine that answers the next question."""
        return self._best

    @property
    def is_compiled(self) -> bool:
        return self._best is not self._lifted

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the circuit is there or cannot be had; whether it is there."""
        self._builder.join(seconds)
        return self.is_compiled

    def initial(self) -> AutoState:
        return AutoState(self, self._best.initial())

    def state(self, facts: Iterable[Term]) -> AutoState:
        return AutoState(self, self._inner(frozenset(facts)))

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        # Moves that need not be legal are outside what a circuit promises.
        return self._lifted.successor(facts, does)

    def _inner(self, facts: frozenset[Term]) -> State:
        """The state inside the best engine; facts that no play can reach only the lifted one knows."""
        if self.is_compiled:
            with suppress(GameError):
                return self._best.state(facts)
        return self._lifted.state(facts)

    def __reduce__(self) -> tuple[type[AutoGame], tuple[Ruleset, str]]:
        return (AutoGame, (self.rules, self.name))


class AutoState(State):
    """A state of whichever engine made it, moved over to the better one when it is played from."""

    __slots__ = ("_inner", "_joint", "_percepts", "_settled", "game")

    def __init__(
        self,
        game: AutoGame,
        inner: State,
        joint: JointMove | None = None,
        percepts: dict[Term, tuple[Term, ...]] | None = None,
    ) -> None:
        self.game: AutoGame = game
        self._inner = inner
        self._joint = joint
        self._percepts = percepts or {}
        self._settled = False

    def _best(self) -> State:
        if self._inner.game is not self.game.best and not self._settled:
            self._inner = self.game._inner(self._inner.facts())
            # Facts no play can reach stay with the lifted engine: one try is enough.
            self._settled = self.game.is_compiled
        return self._inner

    def facts(self) -> frozenset[Term]:
        return self._inner.facts()

    def legal(self, role: Term) -> tuple[Term, ...]:
        return self._best().legal(role)

    @property
    def is_terminal(self) -> bool:
        return self._best().is_terminal

    def goal_terms(self, role: Term) -> tuple[Term, ...]:
        return self._best().goal_terms(role)

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Term) -> tuple[Term, ...]:
        return self._percepts.get(role, ())

    def play(self, joint: Sequence[Term]) -> AutoState:
        after = self._best().play(joint)
        percepts = {role: after.percepts(role) for role in self.game.roles}
        return AutoState(self.game, after, tuple(joint), percepts)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (self.game, self.facts(), self._joint, self._percepts))


def _restored(
    game: AutoGame, facts: frozenset[Term], joint: JointMove | None, percepts: dict[Term, tuple[Term, ...]]
) -> AutoState:
    return AutoState(game, game._inner(facts), joint, percepts)
