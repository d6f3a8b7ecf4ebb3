"""The automatic engine: lifted from the first moment, compiled as soon as the circuit is ready.

The circuit is built beside the lifted engine, in a process that can be killed; when it is ready, the next
question goes to it, and the caller notices nothing but the speed. Where no circuit can be built within the
limits the lifted engine goes on, and ``failure`` says why. No process is left running for a game that is
closed or garbage-collected, or when the program ends.
"""

from __future__ import annotations

import atexit
import threading
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias
from weakref import WeakSet, WeakValueDictionary, finalize

from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .errors import GameError
from .game import Game, JointMove, Moves, Named, State
from .lifted import LiftedGame

if TYPE_CHECKING:
    from .results import PlayoutResults
    from .simulator import Simulator

Builder: TypeAlias = Callable[[Ruleset, str, threading.Event], Game]
"""Makes a game of rules and a name, and stops when the event is set."""

PARTING_SECONDS = 1.0
"""How long a program that ends waits for its children to be gone; they are killed within a fraction of it."""


def _compile(rules: Ruleset, name: str, stop: threading.Event) -> Game:
    from .compiled import CompiledGame

    return CompiledGame(rules, name, stop=stop)


class _Construction:
    """A circuit being built. It has no reference to its game, so that the game can be garbage-collected."""

    def __init__(self, rules: Ruleset, name: str, build: Builder) -> None:
        self.game: Game | None = None
        self.failure = ""
        self.stop = threading.Event()
        self._work = (rules, name, self.stop)
        self._build = build
        # A daemon: a program that ends does not wait for a circuit it no longer needs.
        self.thread = threading.Thread(target=self._run, name=f"circuit of {name}", daemon=True)
        _CONSTRUCTIONS.add(self)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.game = self._build(*self._work)
        except Exception as error:  # whatever failed there, the lifted engine answers
            self.failure = f"{type(error).__name__}: {error}"


_CONSTRUCTIONS: WeakSet[_Construction] = WeakSet()


@atexit.register
def _stop_all() -> None:
    under_way = [one for one in _CONSTRUCTIONS if one.thread.is_alive()]
    for one in under_way:
        one.stop.set()
    for one in under_way:
        one.thread.join(PARTING_SECONDS)


class AutoGame(Game):
    """A game on the best engine available at the moment."""

    def __init__(self, rules: Ruleset, name: str = "game", build: Builder = _compile) -> None:
        self.name = name
        self.rules: Ruleset = rules
        self._lifted = LiftedGame(rules, name)
        self.roles = self._lifted.roles
        self.info = self._lifted.info
        self._construction = _Construction(rules, name, build)
        self._token = uuid.uuid4().hex
        _GAMES[self._token] = self
        finalize(self, self._construction.stop.set).atexit = False

    @property
    def failure(self) -> str:
        """Why there is no circuit; empty as long as one may still come."""
        return self._construction.failure

    @property
    def best(self) -> Game:
        """The engine that answers the next question."""
        return self._construction.game or self._lifted

    @property
    def lifted(self) -> LiftedGame:
        """The engine that is always there."""
        return self._lifted

    @property
    def is_compiled(self) -> bool:
        return self._construction.game is not None

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the circuit is ready or has failed; whether it is ready."""
        self._construction.thread.join(seconds)
        return self.is_compiled

    def close(self) -> None:
        """Stop building the circuit. The game can be played on, with the engine it has."""
        self._construction.stop.set()
        self.wait()

    def __enter__(self) -> AutoGame:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def playouts(self, count: int, *, seed: int = 0, max_steps: int = 0, threads: int = 1) -> PlayoutResults:
        """Playouts of the circuit, once it is ready, so that a seed gives the same games; else of joins."""
        self.wait()
        return self.best.playouts(count, seed=seed, max_steps=max_steps, threads=threads)

    def simulator(self, lanes: int = 0) -> Simulator[State]:
        """The simulator of the circuit, once it is ready; GameError with the reason where there is none."""
        if not self.wait():
            raise GameError(f"{self.name} has no lanes: {self.failure}")
        return self.best.simulator(lanes)

    def initial(self) -> AutoState:
        return AutoState(self, self.best.initial())

    def state(self, facts: Iterable[Term]) -> AutoState:
        return AutoState(self, self._inner(frozenset(facts)))

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        # A circuit is defined for legal moves only.
        return self._lifted.successor(facts, does)

    def _inner(self, facts: frozenset[Term]) -> State:
        """The state in the best engine; unreachable facts exist in the lifted one only."""
        if self.is_compiled:
            with suppress(GameError):
                return self.best.state(facts)
        return self._lifted.state(facts)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored_game, (self._token, self.rules, self.name))


def best_engine(game: Game, seconds: float = 0.0) -> Game:
    """The engine to search with: the compiled one if it is ready within the seconds, else the lifted one."""
    if isinstance(game, AutoGame):
        game.wait(seconds)
        return game.best
    return game


_GAMES: WeakValueDictionary[str, AutoGame] = WeakValueDictionary()
"""Games of this process: an unpickled state finds its game here instead of building it again."""


def _restored_game(token: str, rules: Ruleset, name: str) -> AutoGame:
    known = _GAMES.get(token)
    if known is None:
        known = AutoGame(rules, name)
        known._token = token
        _GAMES[token] = known
    return known


class AutoState(State):
    """A state of either engine, converted to the better one when it is played from."""

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
        inner = self._inner
        if not self._settled and self.game.is_compiled:
            # Unreachable facts stay with the lifted engine: one try is enough.
            if inner.game is not self.game.best:
                self._inner = inner = self.game._inner(inner.facts())
            self._settled = True
        return inner

    def facts(self) -> frozenset[Term]:
        return self._inner.facts()

    def _best_for(self, role: Named) -> State:
        """The state that answers for a role; the lifted one for other terms, which no circuit has."""
        if isinstance(role, str) or role in self.game.roles:
            return self._best()
        return self.game._lifted.state(self.facts())

    def legal(self, role: Named) -> tuple[Term, ...]:
        return self._best_for(role).legal(role)

    @property
    def is_terminal(self) -> bool:
        return self._best().is_terminal

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        return self._best_for(role).goal_terms(role)

    def goals(self) -> tuple[int | None, ...]:
        return self._best().goals()

    def playouts(self, count: int = 1, *, seed: int = 0, max_steps: int = 0) -> tuple[float, ...]:
        return self._best().playouts(count, seed=seed, max_steps=max_steps)

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def percepts(self, role: Named) -> tuple[Term, ...]:
        return self._percepts.get(self._role(role), ())

    def play(self, joint: Moves) -> AutoState:
        moves = self.joint_move(joint)
        after = self._best().play(moves)
        percepts = {role: after.percepts(role) for role in self.game.roles}
        return AutoState(self.game, after, moves, percepts)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restored, (self.game, self.facts(), self._joint, self._percepts))


def _restored(
    game: AutoGame, facts: frozenset[Term], joint: JointMove | None, percepts: dict[Term, tuple[Term, ...]]
) -> AutoState:
    return AutoState(game, game._inner(facts), joint, percepts)
