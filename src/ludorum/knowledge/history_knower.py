"""What a role knows, from all courses of the match that agree with what it was told, found by clingo.

Sound and complete: stable models are the legal histories that agree with the role's moves and with its
percepts, those that did not come included. What holds in all of them is known, what holds in some is possible
(filtering-gdl2, 9.3). The program grows by a step at a time, and nothing is ground twice.

A question is settled by counterexamples: a model in which the answer differs from what all models so far have
in common, until there is none. Every model is a witness for all later questions about the same state. Where
a limit of conflicts is reached, the answer is what is sure without the solver, which is sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import clingo

from ..asp.control import MOST_SEED, limited, make_growing_control
from ..asp.history import history_program
from ..asp.names import read_symbol
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .knower import ImpossiblePerceptsError, Knower, Truth
from .listed_knower import goal_values
from .witness_pool import WitnessPool

Literal = int

MOST_CONFLICTS = 5_000
"""Conflicts for one question: most need none, the hardest known one would need minutes."""

RANDOM_CHOICES = "0.3"
"""The share of the solver's choices that are made by chance where courses are drawn."""

KINDS = ("legal", "fact", "goal", "over")
"""What is asked of a state, as ``asp.history`` names it."""


@dataclass
class _Question:
    """What is known so far about one kind of atom of the current state."""

    literals: dict[Term, Literal]
    """What may hold, as far as the ground program tells; what holds for certain is not there."""
    sure: frozenset[Term]
    common: set[Term] = field(default_factory=set)
    """Those that hold in every model so far."""
    met: set[Term] = field(default_factory=set)
    """Those that hold in one."""
    is_settled: bool = False

    def take(self, held: AbstractSet[Term]) -> None:
        """Take what holds in one more model."""
        self.common &= held
        self.met |= held


@dataclass(frozen=True)
class KnowledgeAnswer:
    """What holds in all possible states, and what in some; ``is_exact`` unless a limit was reached."""

    known: frozenset[Term]
    possible: frozenset[Term]
    is_exact: bool


@dataclass(frozen=True)
class Box:
    """All states that have the known facts and, beside them, any that are possible."""

    known: frozenset[Term]
    possible: frozenset[Term]


@dataclass
class SolverWork:
    """What the solver was asked."""

    calls: int = 0
    models: int = 0


class HistoryKnower(Knower):
    """All courses of a match that agree with a role's moves and percepts, as the models of a program."""

    def __init__(
        self,
        rules: Ruleset,
        role: Term,
        *,
        roots: Sequence[Iterable[Term]] | Box | None = None,
        heeds_messages: bool = True,
        conflicts: int | None = MOST_CONFLICTS,
        pool: WitnessPool | None = None,
        told: Iterable[tuple[Term, Iterable[Term]]] = (),
        seed: int = 0,
    ) -> None:
        """``roots``: the states of which one is where this begins, the first of the game unless given; with a
        box the answers are sound, and no longer complete.

        ``heeds_messages``: whether a wish for a move tells that the match is not over. ``conflicts``: the
        most for one question; None: until it is answered. ``pool``: keeps the states of models for later,
        and may have some of the present. ``told``: moves and percepts of the steps since the roots.
        """
        self.role = role
        self.work = SolverWork()
        self._terms: dict[clingo.Symbol, Term] = {}
        """What symbols stand for; most come again in every step."""
        self.step = 0
        self._program = history_program(rules, role, heeds_messages)
        self._roots = self._root_text(roots)
        self._conflicts = conflicts
        self._pool = pool
        self._seed = seed
        self._told = [self._program.own_step(at, *step) for at, step in enumerate(told)]
        """The program texts of the steps so far, to begin again where the last one proves impossible."""
        self._begin()

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        percepts = frozenset(percepts)
        told = self._program.own_step(self.step, move, percepts)
        self._grow(told)
        if self._pool is not None:
            self._pool.advance(move, percepts, self._program.heeds_messages)
        self._settle_existence()
        self._told.append(told)

    def asked(self) -> None:
        if self._program.heeds_messages:
            self._pin(over=False)

    def stop(self) -> None:
        self._pin(over=True)

    def known_legal(self) -> frozenset[Term]:
        return self.ask("legal").known

    def possible_legal(self) -> frozenset[Term]:
        return self.ask("legal").possible

    def known_facts(self) -> frozenset[Term]:
        return self.ask("fact").known

    def possible_facts(self) -> frozenset[Term]:
        return self.ask("fact").possible

    def terminal(self) -> Truth:
        answer = self.ask("over")
        if answer.known:
            return Truth.TRUE
        return Truth.UNKNOWN if answer.possible else Truth.FALSE

    def known_goals(self) -> frozenset[int]:
        return goal_values(self.ask("goal").known)

    def possible_goals(self) -> frozenset[int]:
        return goal_values(self.ask("goal").possible)

    def ask(self, kind: str, one_call: bool = False) -> KnowledgeAnswer:
        """What is known and possible of one kind: ``legal``, ``fact``, ``goal`` or ``over``.

        ``one_call``: stop after one model that differs, where any doubt is all that matters.
        """
        question = self._questions[kind]
        is_exact = question.is_settled or self._settle(question, one_call)
        known, possible = question.common, question.met
        if not is_exact:
            known, possible = set(), set(question.literals)
        return KnowledgeAnswer(question.sure | known, question.sure | possible, is_exact)

    def only_state(self) -> frozenset[Term] | None:
        """The facts of the current state, where they are known; None also where a limit was reached."""
        question = self._questions["fact"]
        if not question.is_settled and question.met != question.common:
            return None  # two models differ
        answer = self.ask("fact", one_call=True)
        return answer.known if answer.is_exact and answer.known == answer.possible else None

    def witness(
        self, kind: str = "fact", term: Term | None = None, holds: bool = True
    ) -> tuple[int, tuple[dict[Term, Term], ...]] | None:
        """A course in which an atom of the current state holds, or does not; any course, without an atom.

        The number of its root, and the moves since by role; None where there is no such course.
        """
        question = self._questions[kind]
        assumptions: list[Literal] = []
        if term is not None and (literal := question.literals.get(term)) is not None:
            assumptions = [literal if holds else -literal]
        elif term is not None and (term in question.sure) is not holds:
            return None
        found: list[tuple[int, tuple[dict[Term, Term], ...]]] = []
        self._solve([*self._pins, *assumptions], lambda model: found.append(self._course(model)), None)
        return found[0] if found else None

    def courses(self, count: int, seed: int) -> Iterator[tuple[int, tuple[dict[Term, Term], ...]]]:
        """Courses that agree, found one after the other by chance; some may be the same.

        They are not drawn evenly: a solver finds what its choices lead to. Fewer where the limit is reached.
        """
        solver = self._control.configuration.solver
        usual = solver.rand_freq, solver.sign_def  # type: ignore[union-attr]
        solver.rand_freq, solver.sign_def = RANDOM_CHOICES, "rnd"  # type: ignore[union-attr]
        try:
            for number in range(count):
                solver.seed = (seed + number) % MOST_SEED  # type: ignore[union-attr]
                found: list[tuple[int, tuple[dict[Term, Term], ...]]] = []
                self._solve(
                    self._pins, lambda model, found=found: found.append(self._course(model)), self._conflicts
                )
                yield from found
        finally:
            solver.rand_freq, solver.sign_def = usual  # type: ignore[union-attr]

    # -- the program ------------------------------------------------------------------------------------

    def _root_text(self, roots: Sequence[Iterable[Term]] | Box | None) -> str:
        if roots is None:
            return "p_true_1(F,0) :- p_init_1(F)."
        if isinstance(roots, Box):
            return self._program.any_of(roots.known, roots.possible)
        return self._program.roots(roots)

    def _begin(self) -> None:
        """The program with the steps that were told so far."""
        self._control, self._remarks = make_growing_control("1", seed=self._seed)
        self._control.add("base", [], f"{self._program.text}#program root.\n{self._roots}\n")
        self._pins: list[Literal] = []
        self.step = 0
        self._ground([("base", []), ("root", []), ("state", [clingo.Number(0)])])
        for told in self._told:
            self._grow(told)
        self._settle_existence()

    def _grow(self, told: str) -> None:
        part = f"told_{self.step}"
        self._control.add(part, [], told)
        self.step += 1
        self._pins = []
        now = clingo.Number(self.step)
        self._ground([(part, []), ("step", [now]), ("state", [now])])

    def _ground(self, parts: Sequence[tuple[str, Sequence[clingo.Symbol]]]) -> None:
        asked = f"ask_{self.step}"
        self._control.add(asked, [], self._program.questions(self.step))
        try:
            self._control.ground([*parts, (asked, [])])
        except RuntimeError as error:
            self._remarks.refuse(error)
        self._remarks.refuse()
        self._questions = {kind: self._question(kind) for kind in KINDS}

    def _question(self, kind: str) -> _Question:
        literals: dict[Term, Literal] = {}
        sure: set[Term] = set()
        for atom in self._control.symbolic_atoms.by_signature(f"{kind}_{self.step}", 1):
            symbol = atom.symbol.arguments[0]
            term = self._terms.get(symbol)
            if term is None:
                term = self._terms[symbol] = read_symbol(symbol)
            if atom.is_fact:
                sure.add(term)
            else:
                literals[term] = atom.literal
        return _Question(literals, frozenset(sure), set(literals))

    def _pin(self, over: bool) -> None:
        """Take it that the current state is terminal, or is not."""
        question = self._questions["over"]
        if question.sure:
            if not over:
                self._refuse()
            return
        if not question.literals:
            if over:
                self._refuse()
            return
        (literal,) = question.literals.values()
        self._pins = [literal if over else -literal]
        if self._pool is not None:
            self._pool.keep(over)
        for one in self._questions.values():
            one.common, one.met, one.is_settled = set(one.literals), set(), False
        self._settle_existence()

    def _settle_existence(self) -> None:
        """ImpossiblePerceptsError where no course agrees; the knowledge then is that of the step before.

        Where that is not found out within the limit, what was told is taken to be true.
        """
        if self._take_pool() or self._solve(self._pins, self._take_model, self._conflicts) is not False:
            return
        if len(self._told) < self.step or self._pins:
            step = self.step
            self._begin()
            self._refuse(step)
        self._refuse()

    def _refuse(self, step: int | None = None) -> None:
        raise ImpossiblePerceptsError(
            f"no course of the game agrees with what {self.role} was told in step {step or self.step}"
        )

    # -- the solver -------------------------------------------------------------------------------------

    def _settle(self, question: _Question, one_call: bool) -> bool:
        """Look for models that differ, until there is none; whether that was settled within the limit."""
        while True:
            met, common = question.met, question.common
            differs = [-question.literals[one] for one in common]
            differs += [literal for one, literal in question.literals.items() if one not in met]
            if not differs:
                break
            found = self._solve([*self._pins, self._one_of(differs)], self._take_model, self._conflicts)
            if found is None or (found and one_call):
                return False
            if not found:
                break
        question.is_settled = True
        return True

    def _one_of(self, literals: Sequence[Literal]) -> Literal:
        """A new literal that holds where one of these does."""
        with self._control.backend() as backend:
            made = backend.add_atom()
            for literal in literals:
                backend.add_rule([made], [literal])
        return int(made)

    def _solve(self, assumptions: Sequence[Literal], on_model: object, conflicts: int | None) -> bool | None:
        self.work.calls += 1
        with limited(self._control, conflicts):
            found = self._control.solve(assumptions=assumptions, on_model=on_model)  # type: ignore[call-overload]
        return found.satisfiable  # type: ignore[no-any-return]

    def _take_model(self, model: clingo.Model) -> None:
        self.work.models += 1
        for question in self._questions.values():
            if not question.is_settled:
                question.take({one for one, literal in question.literals.items() if model.is_true(literal)})

        if self._pool is not None:
            facts = self._questions["fact"]
            held = (one for one, literal in facts.literals.items() if model.is_true(literal))
            self._pool.add([*facts.sure, *held])

    def _take_pool(self) -> bool:
        """Take the states of the pool as models; whether there were any."""
        states = self._pool.states if self._pool is not None else []
        for state in states:
            held = {
                "legal": frozenset(state.legal(self.role)),
                "fact": state.facts(),
                "goal": frozenset(state.goal_terms(self.role)),
                "over": frozenset([Term("0")] if state.is_terminal else []),
            }
            for kind, question in self._questions.items():
                question.take(question.literals.keys() & held[kind])
        return bool(states)

    def _course(self, model: clingo.Model) -> tuple[int, tuple[dict[Term, Term], ...]]:
        root, moves = 0, [dict[Term, Term]() for _ in range(self.step)]
        for symbol in model.symbols(shown=True):  # a model of a large sheet has many times as many atoms
            if symbol.name == "root":
                root = symbol.arguments[0].number
            else:
                role, move, at = symbol.arguments
                if at.number < self.step:
                    moves[at.number][read_symbol(role)] = read_symbol(move)
        return root, tuple(moves)
