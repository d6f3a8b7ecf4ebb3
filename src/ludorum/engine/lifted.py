"""The lifted engine: answers at once on every sheet, without grounding.

Rules are compiled into joins over indexed facts and evaluated top-down, so that only what a question needs is
derived; every answer is cached as long as it stays valid: for good, for the state, or for the joint move.
Players use it in the first second, and for good where no circuit can be built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from .._core import kernels
from ..rules.binding import free_variables
from ..rules.costly_rules import told_cost
from ..rules.growing_terms import told_growth
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term, sort_key
from .errors import GameError
from .game import Game, JointMove, Moves, Named, State, refuse_negative
from .information import info_by_rules
from .lifted_program import GOAL, INIT, LEGAL, NEXT, ROLE, SEES, TERMINAL, LiftedProgram, Limits
from .reference import ReferenceGame, in_text_order

if TYPE_CHECKING:
    from .results import PlayoutResults

T = TypeVar("T")
NO_STATE = b""
FOREVER = 1e9  # seconds
LONGEST = 2**31 - 1  # steps


class LimitError(GameError):
    """A question that would cost more time or memory than it may."""


class DeepTermsError(LimitError):
    """A state whose terms are nested so deeply that they must be growing with every move."""


@dataclass(frozen=True)
class Playouts:
    """The results of random play."""

    steps: int
    playouts: int
    seconds: float
    cpu_seconds: float
    """Processor time of it, which other programs on a busy machine do not change."""
    tuning_seconds: float
    """The part of it spent once on choosing join plans."""
    goals: tuple[float, ...]
    """Mean goal value of each role; an end with several values or none counts as 0, as in every engine."""
    valued: int
    """Playouts that ended with one number for each role."""
    cut: int
    """Playouts that were longer than allowed, or in which a role had no move."""


class LiftedGame(Game):
    """A game whose questions are answered by joins over the facts of a state."""

    def __init__(self, rules: Ruleset, name: str = "game", limits: Limits | None = None) -> None:
        self.name = name
        self.rules: Ruleset = rules
        self.limits = limits or Limits()
        self._program = self._make_program()
        roles = [row[0] for row in self.ask(self._program, ROLE, NO_STATE)]
        self.roles = in_text_order(rules, roles)
        self._initial = frozenset(row[0] for row in self.ask(self._program, INIT, NO_STATE))
        self._program.start(self.roles, self._initial)
        self.info = info_by_rules(rules, self.roles)

    def _make_program(self) -> LiftedProgram:
        return LiftedProgram(self.rules, self.limits)

    @property
    def program(self) -> LiftedProgram:
        """The rules inside the evaluator; made anew when its caches come near the limits."""
        core, limits = self._program.core, self.limits
        full = core.term_count > limits.terms // 2 or core.bytes > limits.megabytes * 5e5
        if full or core.deepest > limits.depth:
            self._program = self._make_program()
            self._program.start(self.roles, self._initial)
        return self._program

    def ask(
        self, program: LiftedProgram, signature: Signature, facts: bytes, does: bytes = b""
    ) -> list[tuple[Term, ...]]:
        """The rows of a relation in a state under some moves."""
        return self._answer(
            signature,
            lambda: program.rows(signature, facts, does),
            lambda: self._ask_reference(program, signature, facts, does),
        )

    def count(self, program: LiftedProgram, signature: Signature, facts: bytes) -> int:
        """How many rows a relation has in a state: what ``ask`` answers, without making terms."""
        return self._answer(
            signature,
            lambda: program.count(signature, facts),
            lambda: len(self._ask_reference(program, signature, facts, b"")),
        )

    def pairs(
        self, program: LiftedProgram, signature: Signature, facts: bytes, does: bytes = b""
    ) -> dict[Term, tuple[Term, ...]]:
        """A relation between roles and values, as the sorted values of each role."""
        return self._answer(
            signature,
            lambda: program.pairs(signature, facts, does),
            lambda: _by_role(self._ask_reference(program, signature, facts, does)),
        )

    def next(self, program: LiftedProgram, facts: bytes, does: bytes) -> bytes:
        """The facts after some moves."""
        return self._answer(
            NEXT,
            lambda: program.core.next(facts, does),
            lambda: program.pack(row[0] for row in self._ask_reference(program, NEXT, facts, does)),
        )

    def _answer(self, signature: Signature, question: Callable[[], T], otherwise: Callable[[], T]) -> T:
        """Ask the evaluator; ``otherwise`` answers where relations depend on their own negation."""
        try:
            return question()
        except kernels.CircleError:
            return otherwise()
        except kernels.LimitError as error:
            found = f"{self.name}: {error} while asking for {signature[0]}"
            raise LimitError("; ".join(filter(None, (found, told_cost(self.rules, signature))))) from error
        except kernels.UnsafeError as error:
            faulty = next((str(rule) for rule in self.rules.rules if free_variables(rule)), "a rule")
            raise GameError(f"nothing binds some variable of {faulty}") from error

    def _ask_reference(
        self, program: LiftedProgram, signature: Signature, facts: bytes, does: bytes
    ) -> list[tuple[Term, ...]]:
        flat = [program.term_of(number) for number in memoryview(does).cast("i")]
        moves = zip(flat[::2], flat[1::2], strict=True)
        return self._reference.ask([signature], program.unpack(facts), moves)[signature]

    @cached_property
    def _reference(self) -> ReferenceGame:
        return ReferenceGame(self.rules, self.name)

    def initial(self) -> LiftedState:
        return self.state(self._initial)

    def state(self, facts: Iterable[Term]) -> LiftedState:
        program = self.program
        deepest = program.core.deepest
        packed = program.pack(frozenset(facts))
        if program.core.deepest > max(deepest, self.limits.depth):
            # Every program would be too full for this state, so each question would make a new one.
            found = f"{self.name}: a state has terms within terms, more than {self.limits.depth} deep"
            raise DeepTermsError("; ".join(filter(None, (found, told_growth(self.rules)))))
        return LiftedState(self, program, packed)

    def successor(
        self, facts: Iterable[Term], does: Iterable[tuple[Term, Term]]
    ) -> tuple[frozenset[Term], dict[Term, tuple[Term, ...]]]:
        """The next facts and each role's percepts, without asking whether the moves are legal."""
        program = self.program
        packed, moves = program.pack(frozenset(facts)), program.pack_moves(does)
        seen = self.percepts(program, packed, moves)
        after = program.unpack(self.next(program, packed, moves))
        return after, {role: seen.get(role, ()) for role in self.roles}

    def percepts(self, program: LiftedProgram, facts: bytes, does: bytes) -> dict[Term, tuple[Term, ...]]:
        """What each role perceives of some moves."""
        if not self.rules.has_hidden_information:
            return {}
        return self.pairs(program, SEES, facts, does)

    def measure_playouts(
        self, count: int | None = None, seconds: float = 1.0, seed: int = 0, longest: int = 1000
    ) -> Playouts:
        """Random play from the start, entirely in compiled code: so many playouts, or for so long."""
        program = self.program
        program.start(self.roles, self._initial)
        try:
            found = self.play_random(
                program,
                2**62 if count is None else count,
                seconds if count is None else FOREVER,
                seed,
                longest,
            )
        except kernels.CircleError as error:
            raise GameError(
                f"{self.name}: negation runs in a circle; there is no fast random play"
            ) from error
        played = found["playouts"]
        goals = tuple(total / played for total in found["goal_sums"]) if played else ()
        return Playouts(
            found["steps"], played, found["seconds"], found["cpu_seconds"],
            found["tuning_seconds"], goals, found["valued"], found["cut"],
        )  # fmt: skip

    def playouts(self, count: int, *, seed: int = 0, max_steps: int = 0, threads: int = 1) -> PlayoutResults:
        import numpy as np

        from .results import PlayoutResults

        refuse_negative(count=count, max_steps=max_steps)
        program = self._make_program()  # the caches of another program could give legal moves another order
        program.start(self.roles, self._initial)
        try:
            found = self.play_random(program, count, FOREVER, seed, max_steps or LONGEST, each=True)
        except kernels.CircleError:
            return super().playouts(count, seed=seed, max_steps=max_steps)
        goals = np.frombuffer(found["goals"], np.int32).reshape(count, len(self.roles))
        lengths = np.frombuffer(found["lengths"], np.int32)
        return PlayoutResults(self.name, self.roles, goals.copy(), lengths.copy())

    def play_random(
        self,
        program: LiftedProgram,
        count: int,
        seconds: float,
        seed: int,
        longest: int,
        facts: bytes | None = None,
        each: bool = False,
    ) -> kernels.DatalogPlayouts:
        """Random games from some facts, or from the start, in compiled code."""
        try:
            return program.core.playouts(count, seconds, seed, longest, facts, each)
        except kernels.LimitError as error:
            raise LimitError(f"{self.name}: {error} in random play") from error

    def __reduce__(self) -> tuple[object, ...]:
        return (LiftedGame, (self.rules, self.name, self.limits))


class LiftedState(State):
    """The facts of a state as sorted numbers; answers are computed on demand."""

    __slots__ = (
        "_facts",
        "_goals",
        "_joint",
        "_legal",
        "_packed",
        "_percepts",
        "_program",
        "_terminal",
        "game",
    )

    def __init__(
        self,
        game: LiftedGame,
        program: LiftedProgram,
        packed: bytes,
        joint: JointMove | None = None,
        percepts: dict[Term, tuple[Term, ...]] | None = None,
    ) -> None:
        self.game: LiftedGame = game
        self._program = program
        self._packed = packed
        self._joint = joint
        self._percepts = percepts or {}
        self._facts: frozenset[Term] | None = None
        self._legal: dict[Term, tuple[Term, ...]] | None = None
        self._goals: dict[Term, tuple[Term, ...]] | None = None
        self._terminal: bool | None = None

    def facts(self) -> frozenset[Term]:
        if self._facts is None:
            self._facts = self._program.unpack(self._packed)
        return self._facts

    @property
    def joint(self) -> JointMove | None:
        return self._joint

    def legal(self, role: Named) -> tuple[Term, ...]:
        if self._legal is None:
            self._legal = self.game.pairs(self._program, LEGAL, self._packed)
        found = self._legal.get(role)  # type: ignore[arg-type]  # a text is looked up next
        return self._legal.get(self._role(role), ()) if found is None else found

    @property
    def is_terminal(self) -> bool:
        if self._terminal is None:
            self._terminal = bool(self.game.ask(self._program, TERMINAL, self._packed))
        return self._terminal

    def goal_terms(self, role: Named) -> tuple[Term, ...]:
        if self._goals is None:
            self._goals = self.game.pairs(self._program, GOAL, self._packed)
        return self._goals.get(self._role(role), ())

    def percepts(self, role: Named) -> tuple[Term, ...]:
        return self._percepts.get(self._role(role), ())

    def playouts(self, count: int = 1, *, seed: int = 0, max_steps: int = 0) -> tuple[float, ...]:
        try:
            found = self.game.play_random(
                self._program, count, FOREVER, seed, max_steps or LONGEST, self._packed
            )
        except kernels.CircleError:
            return super().playouts(count, seed=seed, max_steps=max_steps)
        return tuple(total / count for total in found["goal_sums"])

    def play(self, joint: Moves) -> LiftedState:
        game, moves = self.game, self.legal_joint(joint)
        here = self if game.program is self._program else game.state(self.facts())
        program = here._program
        does = program.pack_moves(zip(game.roles, moves, strict=True))
        packed = game.next(program, here._packed, does)
        return LiftedState(game, program, packed, moves, game.percepts(program, here._packed, does))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LiftedState) and other._program is self._program:
            return self._packed == other._packed
        return super().__eq__(other)

    __hash__ = State.__hash__

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.game, self.facts(), self._joint, self._percepts))


def _restore(
    game: LiftedGame,
    facts: frozenset[Term],
    joint: JointMove | None,
    percepts: dict[Term, tuple[Term, ...]],
) -> LiftedState:
    program = game.program
    return LiftedState(game, program, program.pack(facts), joint, percepts)


def _by_role(rows: Iterable[tuple[Term, ...]]) -> dict[Term, tuple[Term, ...]]:
    """Pairs of role and value, as the sorted values of each role."""
    found: dict[Term, list[Term]] = {}
    for role, value in rows:
        found.setdefault(role, []).append(value)
    return {role: tuple(sorted(own, key=sort_key)) for role, own in found.items()}
