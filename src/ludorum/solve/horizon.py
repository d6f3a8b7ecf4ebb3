"""A game unrolled over time in one clingo control: grounded step by step, asked again and again.

The solver keeps what it learned from one question for the next, and a grounded horizon stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import clingo
from clingo import Function, Number, Symbol

from ..asp.control import limited, make_growing_control
from ..asp.names import read_symbol
from ..asp.temporal import TemporalProgram
from ..asp.translate import asp_facts
from ..engine.errors import GameError
from ..engine.game import JointMove
from ..rules.check.refuse_hidden_information import refuse_hidden_information as signs_of_hidden_information
from ..rules.ruleset import Ruleset
from ..rules.source import RulesError
from ..rules.terms import Term
from ..search.budget import TO_THE_END, Budget, Stopwatch

Assumption = tuple[Symbol, bool]

BRIEF_CONFLICTS = 100
BRIEF_ATOMS = 2_000
"""Programs up to this size are first solved without a clock, up to so many conflicts: milliseconds."""


class OutOfTime(Exception):
    """The budget was spent before there was an answer."""


class Undecided(Exception):
    """The limit of conflicts was reached without an answer; a higher one might give it."""


class HiddenInformationError(RulesError, GameError):
    """The rules hide something from a role, or draw lots: a plan cannot be made of moves alone.

    The error names every such place, as other faults of rules do.
    """


@dataclass
class Work:
    """What questions have cost so far."""

    solves: int = 0
    """Calls of the solver; horizons that cannot end in time need none."""
    horizon: int = 0
    models: int = 0


@dataclass(frozen=True)
class Query:
    """A play that ends after exactly so many moves, with at least that value for a role if one is named."""

    horizon: int
    role: Term | None = None
    value: int = 0
    assumptions: tuple[Assumption, ...] = field(default=())


class FirstOnly:
    """Keeps what is read of the first model and stops there."""

    def __init__(self, read: Callable[[clingo.Model], tuple[JointMove, ...]]) -> None:
        self._read = read
        self.found: tuple[JointMove, ...] | None = None

    def __call__(self, model: clingo.Model) -> bool:
        self.found = self._read(model)
        return False


@dataclass
class StampedState:
    """A state as the temporal program describes it."""

    facts: set[Term] = field(default_factory=set)
    legal: set[tuple[Term, Term]] = field(default_factory=set)
    goals: set[tuple[Term, Term]] = field(default_factory=set)
    is_terminal: bool = False

    def end(self) -> None:
        self.is_terminal = True


_READ: dict[str, Callable[..., None]] = {
    "p_true_1": lambda moment, fact: moment.facts.add(fact),
    "p_legal_2": lambda moment, role, move: moment.legal.add((role, move)),
    "p_goal_2": lambda moment, role, value: moment.goals.add((role, value)),
    "p_terminal_0": StampedState.end,
}


class Unrolled:
    """The plays of a game from a state on, unrolled as far as questions needed."""

    def __init__(
        self,
        rules: Ruleset,
        root: Iterable[Term] | None = None,
        seed: int = 0,
        translation: str | None = None,
    ) -> None:
        """``translation``: the temporal program of the rules, where the caller has kept it."""
        refuse_hidden_information(rules)
        self.rules = rules
        self.work = Work()
        self._control, self._remarks = make_growing_control("0", seed=seed)
        text = TemporalProgram(rules).text if translation is None else translation
        self._run(lambda: self._control.add("base", [], text))
        parts: list[tuple[str, Sequence[Symbol]]] = [("base", ()), ("state", (Number(0),))]
        if root is None:
            parts.append(("root", ()))
        else:
            facts = asp_facts("true", ((fact,) for fact in root), "0")
            self._control.add("base", [], facts)
        self._ground([*parts, ("check", (Number(0),))])
        self._wanted: set[Query] = set()
        self._values: dict[tuple[Term, int], None] = {}
        self.roles = rules.roles

    @property
    def horizon(self) -> int:
        """The number of steps that are grounded."""
        return self.work.horizon

    @property
    def size(self) -> tuple[int, int]:
        """Atoms and rules of the ground program when it was last asked something."""
        counts = self._control.statistics["problem"]["lp"]
        return int(counts["atoms"]), int(counts["rules"])

    def count_first_rules(self) -> int:
        """The rules that are ground before the first question; clingo counts once, at the first call."""
        return int(self._control.statistics["problem"]["lpStep"]["rules"])

    def extend(self, horizon: int) -> None:
        """Ground until there are so many steps."""
        while self.work.horizon < horizon:
            step = self.work.horizon + 1
            now = (Number(step),)
            parts: list[tuple[str, Sequence[Symbol]]] = [("step", now), ("state", now), ("check", now)]
            # Parts used at other horizons will be used at this one: one call grounds all of them.
            wanted = [Query(step, role, value) for role, value in self._values]
            self._wanted.update(wanted)
            self._ground(parts + [("want", self._args(query)) for query in wanted])
            self.work.horizon += 1

    def can_end(self, horizon: int) -> bool:
        """Whether some play may end there, as far as grounding can tell."""
        return Function("p_terminal_0", [Number(horizon)]) in self._control.symbolic_atoms

    def can_reach(self, query: Query) -> bool:
        """Whether a play may end there with that value; if not, no search is needed."""
        if query.role is not None:
            self._values[query.role, query.value] = None
        self.extend(query.horizon)
        if not self.can_end(query.horizon):
            return False
        if query.role is None:
            return True
        self._want(query)
        return Function("at_least", self._args(query)) in self._control.symbolic_atoms

    def values(self, role: Term) -> set[int]:
        """The goal values a role may have somewhere, as far as the grounded horizons can tell."""
        who = symbol(role)
        found = set()
        for atom in self._control.symbolic_atoms.by_signature("p_goal_2", 3):
            owner, value, _ = atom.symbol.arguments
            if owner == who and value.type is clingo.SymbolType.Number and 0 <= value.number <= 100:
                found.add(value.number)
        return found

    def solve(
        self,
        query: Query,
        watch: Stopwatch,
        on_model: Callable[[clingo.Model], bool | None] | None = None,
        conflicts: int | None = None,
    ) -> bool:
        """Whether such a play exists; OutOfTime when that is not known in time, Undecided when it is not
        known after so many conflicts."""
        if not self.can_reach(query):
            return False
        asked = [Function("query", [Number(query.horizon)])]
        if query.role is not None:
            asked.append(Function("want", self._args(query)))
        for external in asked:
            self._control.assign_external(external, True)
        try:
            return self.decide(query.assumptions, watch, on_model, conflicts)
        finally:
            for external in asked:
                self._control.assign_external(external, False)

    def decide(
        self,
        assumptions: Sequence[Assumption],
        watch: Stopwatch,
        on_model: Callable[[clingo.Model], bool | None] | None = None,
        conflicts: int | None = None,
    ) -> bool:
        """One call of the solver that ends when the time does, or after so many conflicts."""
        self.work.solves += 1
        found = solve_in_time(self._control, assumptions, watch, on_model, conflicts)
        self._remarks.refuse()
        return found

    def count(self, query: Query, watch: Stopwatch) -> int:
        """How many plays answer a query."""
        found = 0

        def count(_model: clingo.Model) -> bool:
            nonlocal found
            found += 1
            return True

        self.solve(query, watch, count)
        return found

    def plays(self, query: Query, watch: Stopwatch) -> Iterator[tuple[JointMove, ...]]:
        """Every play that answers a query."""
        found: list[tuple[JointMove, ...]] = []

        def keep(model: clingo.Model) -> bool:
            found.append(self.read_play(model, query.horizon))
            return True

        self.solve(query, watch, keep)
        yield from found

    def play(
        self, query: Query, watch: Stopwatch, conflicts: int | None = None
    ) -> tuple[JointMove, ...] | None:
        """One play that answers a query, or None where there is none."""
        keep = FirstOnly(lambda model: self.read_play(model, query.horizon))
        self.solve(query, watch, keep, conflicts)
        return keep.found

    def read_play(self, model: clingo.Model, horizon: int) -> tuple[JointMove, ...]:
        """The joint moves of a model, from first to last."""
        moves: dict[tuple[int, Term], Term] = {}
        for atom in model.symbols(shown=True):
            role, move, step = atom.arguments
            moves[step.number, read_symbol(role)] = read_symbol(move)
        self.work.models += 1
        return tuple(tuple(moves[step, role] for role in self.roles) for step in range(horizon))

    def trace(self, play: Sequence[JointMove]) -> list[StampedState]:
        """Every state of a play as the program describes it, for comparison with an engine."""
        self.extend(len(play))
        moments = [StampedState() for _ in range(len(play) + 1)]

        def read(model: clingo.Model) -> bool:
            for atom in model.symbols(atoms=True):
                if atom.name in _READ and atom.arguments[-1].number <= len(play):
                    _READ[atom.name](
                        moments[atom.arguments[-1].number], *map(read_symbol, atom.arguments[:-1])
                    )
            return False

        moves = [
            (does(role, move, step), True)
            for step, joint in enumerate(play)
            for role, move in zip(self.roles, joint, strict=True)
        ]
        if not self.decide(moves, Stopwatch(TO_THE_END), read):
            raise GameError("the rules do not allow these moves")
        return moments

    def _want(self, query: Query) -> None:
        kind = Query(query.horizon, query.role, query.value)
        if kind not in self._wanted:
            self._wanted.add(kind)
            self._ground([("want", self._args(query))])

    def _args(self, query: Query) -> list[Symbol]:
        assert query.role is not None
        return [symbol(query.role), Number(query.value), Number(query.horizon)]

    def _ground(self, parts: Sequence[tuple[str, Sequence[Symbol]]]) -> None:
        self._run(lambda: self._control.ground(parts))

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except RuntimeError as error:
            if "bad_alloc" in str(error):
                raise MemoryError from error
            self._remarks.refuse(error)
        self._remarks.refuse()


def refuse_hidden_information(rules: Ruleset) -> None:
    """HiddenInformationError for GDL-II."""
    found = signs_of_hidden_information(rules)
    if found:
        raise HiddenInformationError(found)


def solve_in_time(
    control: clingo.Control,
    assumptions: Sequence[Assumption],
    watch: Stopwatch,
    on_model: Callable[[clingo.Model], bool | None] | None = None,
    conflicts: int | None = None,
) -> bool:
    """Whether a program has an answer set; OutOfTime when that is not known in time, Undecided when it is not
    known after so many conflicts."""
    if len(control.symbolic_atoms) <= BRIEF_ATOMS and (on_model is None or isinstance(on_model, FirstOnly)):
        known = _try_briefly(control, assumptions, on_model or _first)
        if known is not None:
            return known
    with (
        limited(control, conflicts),
        control.solve(assumptions, on_model=on_model or _first, async_=True) as handle,
    ):
        while not handle.wait(_slice(watch)):
            if watch.is_up():
                handle.cancel()
                raise OutOfTime
        found = handle.get()
    if found.satisfiable is None:
        raise OutOfTime if conflicts is None else Undecided
    return bool(found.satisfiable)


def _try_briefly(
    control: clingo.Control,
    assumptions: Sequence[Assumption],
    on_model: Callable[[clingo.Model], bool | None],
) -> bool | None:
    """The answer within few conflicts, or None. It saves the thread that a call with a clock needs."""
    with limited(control, BRIEF_CONFLICTS):
        return control.solve(assumptions, on_model=on_model).satisfiable


def not_over(step: int) -> Assumption:
    """The assumption that the game has not ended up to a state."""
    return Function("over", [Number(step)]), False


def does(role: Term, move: Term, step: int) -> Symbol:
    """The atom that says which role makes which move in which state."""
    return Function("p_does_2", [symbol(role), symbol(move), Number(step)])


@lru_cache(maxsize=1 << 12)
def symbol(term: Term) -> Symbol:
    """A term as the solver has it."""
    from ..asp.names import asp_term

    return clingo.parse_term(asp_term(term))


@lru_cache(maxsize=1 << 16)
def _stamped(atom: Symbol) -> tuple[str, int, tuple[Term, ...]]:
    """Name, time stamp and arguments of an atom about a state; other atoms have no stamp."""
    if atom.name not in _READ:
        return "", -1, ()
    *args, step = atom.arguments
    return atom.name, step.number, tuple(map(read_symbol, args))


def _first(_model: clingo.Model) -> bool:
    return False


def _slice(watch: Stopwatch) -> float:
    """Seconds to wait before looking at the clock and at the event that stops the search."""
    left = watch.seconds_left
    return 0.05 if left is None else min(0.05, left)


__all__ = [
    "Budget",
    "HiddenInformationError",
    "OutOfTime",
    "Query",
    "Undecided",
    "Unrolled",
    "does",
    "not_over",
    "refuse_hidden_information",
]
