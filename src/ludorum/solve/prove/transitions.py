"""The ground rules of a game, copied step after step into one clingo control, from *any* state on.

State 0 is an arbitrary set of facts. What is unsatisfiable from there is impossible from every state, and so
from every reachable state; this is what proofs by induction ask. With the initial facts assumed for state 0
the same control answers what plays can do (bounded model checking). Proved invariants, which hold in every
reachable state, are added as constraints and strengthen later questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import clingo
import numpy as np

from ...asp.control import limited, make_control
from ...asp.ground import GroundProgram
from ...engine.game import JointMove
from ...rules.terms import Term, as_integer
from ...search.budget import Stopwatch
from ..horizon import OutOfTime

Literal = int
"""A literal of the control; negative where negated."""
Bad = Callable[["Transitions", int], Literal]
"""Makes the literal that holds where the state of that step is faulty."""


class Transitions:
    """Copies of a ground program, one a step; questions are lists of literals."""

    def __init__(self, program: GroundProgram, watch: Stopwatch, most_conflicts: int | None = None) -> None:
        """A question ends without an answer after so many conflicts, and all questions do once there were as
        many as the budget of the watch has nodes."""
        self.program = program
        self.most_conflicts = most_conflicts
        self.watch = watch
        self.solves = 0
        self.roles = program.roles
        self.fluents: list[Term] = [_argument(program.atoms[at]) for at in program.true_atoms.tolist()]
        self._true = program.true_atoms.tolist()
        self._rules = self._read_rules()
        self._facts = set(program.facts.tolist())
        self._control, self._remarks = make_control("1", "--sat-prepro=no")
        # Constraints are added between questions: no atom they could use may be simplified away.
        self._control.enable_cleanup = False
        self._copies: list[list[int]] = []
        self._moves: list[Literal] = []
        self._invariants: list[Bad] = []
        self._made: dict[tuple[object, int], Literal] = {}
        self._number = program.numbers
        self._next = [self._number.get(Term("next", (fluent,))) for fluent in self.fluents]
        self._does = self._read_moves()
        self.extend(0)

    @property
    def size(self) -> int:
        """Ground rules of one copy."""
        return len(self._rules)

    # Building

    def extend(self, step: int) -> None:
        """Add copies of the rules up to a state."""
        while len(self._copies) <= step:
            self._add_copy()
            for bad in self._invariants:
                self._keep(bad, len(self._copies) - 1)

    def assume_invariant(self, bad: Bad) -> None:
        """Add a proved invariant as a constraint on all states."""
        self._invariants.append(bad)
        for step in range(len(self._copies)):
            self._keep(bad, step)

    def _keep(self, bad: Bad, step: int) -> None:
        # Where no move was made the next copy is no state of the game, so the invariant need not hold there.
        self.forbid(bad(self, step), *self._moves[:step][-1:])

    def any_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that holds where one of these does."""
        literals = list(literals)  # made before the backend is open: it can be open once only
        with self._control.backend() as backend:
            head = backend.add_atom()
            for literal in literals:
                backend.add_rule([head], [literal])
        return int(head)

    def all_of(self, literals: Iterable[Literal]) -> Literal:
        """A literal that holds where all of these do."""
        body = list(literals)
        with self._control.backend() as backend:
            head = backend.add_atom()
            backend.add_rule([head], body)
        return int(head)

    def at_least(self, count: int, literals: Sequence[Literal]) -> Literal:
        """A literal that holds where so many of these do."""
        with self._control.backend() as backend:
            head = backend.add_atom()
            backend.add_weight_rule([head], count, [(literal, 1) for literal in literals])
        return int(head)

    def sum_at_least(self, least: int, weighted: Sequence[tuple[Literal, int]]) -> Literal:
        """A literal that holds where the weights of those that hold sum up to so much; weights may be < 0."""
        # The solver takes no weight below 0: negating literal and weight changes the sum by a constant.
        least -= sum(weight for _, weight in weighted if weight < 0)
        body = [(literal, weight) if weight > 0 else (-literal, -weight) for literal, weight in weighted]
        with self._control.backend() as backend:
            head = backend.add_atom()
            backend.add_weight_rule([head], least, body)
        return int(head)

    def odd(self, literals: Iterable[Literal]) -> Literal:
        """A literal that holds where an odd number of these do."""
        found: Literal | None = None
        for literal in list(literals):
            found = literal if found is None else self._either(found, literal)
        return self.any_of(()) if found is None else found

    def _either(self, one: Literal, other: Literal) -> Literal:
        """A literal that holds where just one of these does."""
        with self._control.backend() as backend:
            head = backend.add_atom()
            backend.add_rule([head], [one, -other])
            backend.add_rule([head], [-one, other])
        return int(head)

    def switch(self) -> Literal:
        """A free literal, which a question may assume true or false."""
        with self._control.backend() as backend:
            head = backend.add_atom()
            backend.add_rule([head], choice=True)
        return int(head)

    def forbid(self, *literals: Literal) -> None:
        """Forbid that all of these hold."""
        with self._control.backend() as backend:
            backend.add_rule([], list(literals))

    def once(self, key: object, step: int, make: Callable[[], Literal]) -> Literal:
        """The literal of a step, made once and kept."""
        if (key, step) not in self._made:
            self._made[key, step] = make()
        return self._made[key, step]

    # What is said of a state

    def true(self, fluent: int, step: int) -> Literal:
        """The literal that holds where the fluent of this number is true in a state."""
        return int(self._copies[step][self._true[fluent]])

    def atom(self, atom: Term, step: int) -> Literal:
        """A named atom of the ground rules in a state; false where they do not have it."""
        return self._named(atom, step)

    def terminal(self, step: int) -> Literal:
        return self._named(Term("terminal"), step)

    def legal(self, role: int, step: int) -> list[Literal]:
        """The moves a role may have."""
        return [self._copies[step][legal] for legal, _, _ in self._does[role]]

    @property
    def moves(self) -> list[list[Term]]:
        """The moves each role may ever have."""
        return [[move for _, _, move in own] for own in self._does]

    def does(self, role: int, move: int, step: int) -> Literal:
        """The literal that holds where a role makes a move, given by its number among the role's moves."""
        return self._copies[step][self._does[role][move][1]]

    def goals(self, role: int, step: int) -> dict[int | str, Literal]:
        """The literal of each goal value the rules may give a role; values that are no numbers are texts."""
        found: dict[int | str, Literal] = {}
        for value, atom in self._goal_atoms(role):
            found[value] = self._copies[step][atom]
        return found

    def moves_from(self, step: int) -> Literal:
        """The literal that holds where a joint legal move is made in a state, which is then not terminal."""
        self.extend(step + 1)
        return self._moves[step]

    def initially(self) -> list[Literal]:
        """The literals that make state 0 the initial one."""
        initial = self.program.initial
        return [
            self.true(at, 0) if fluent in initial else -self.true(at, 0)
            for at, fluent in enumerate(self.fluents)
        ]

    # Asking

    def possible(self, *literals: Literal) -> bool:
        """Whether these can hold together; OutOfTime when that is not known in time."""
        return self.ask(literals)

    def ask(
        self, literals: Iterable[Literal], read: Callable[[Callable[[Literal], bool]], None] | None = None
    ) -> bool:
        """The same, with the model passed to ``read`` as a test of literals."""
        if self.watch.is_up(self.solves):
            raise OutOfTime
        self.solves += 1

        def look(model: clingo.Model) -> bool:
            if read is not None:
                read(lambda literal: model.is_true(literal) if literal > 0 else not model.is_true(-literal))
            return False

        with (
            limited(self._control, self.most_conflicts),
            self._control.solve(list(literals), on_model=look, async_=True) as handle,
        ):
            while not handle.wait(0.05):
                if self.watch.is_up():
                    handle.cancel()
                    raise OutOfTime
            found = handle.get()
        self._remarks.refuse()
        if found.satisfiable is None:
            raise OutOfTime
        return bool(found.satisfiable)

    def play(self, length: int, *literals: Literal) -> tuple[JointMove, ...] | None:
        """A play of so many moves from the initial state after which these hold, or None."""
        moving = [self.moves_from(step) for step in range(length)]
        found: list[tuple[JointMove, ...]] = []

        def read(holds: Callable[[Literal], bool]) -> None:
            found.append(tuple(self._read_joint(holds, step) for step in range(length)))

        self.ask([*self.initially(), *moving, *literals], read)
        return found[0] if found else None

    def _read_joint(self, holds: Callable[[Literal], bool], step: int) -> JointMove:
        copy = self._copies[step]
        return tuple(next(move for _, does, move in own if holds(copy[does])) for own in self._does)

    # Making copies

    def _add_copy(self) -> None:
        step = len(self._copies)
        with self._control.backend() as backend:
            copy = [backend.add_atom() for _ in range(len(self.program.atoms))]
            for fact in self._facts:
                backend.add_rule([copy[fact]])
            if step == 0:
                for atom in self._true:
                    backend.add_rule([copy[atom]], choice=True)
            else:
                before = self._copies[step - 1]
                for atom, source in zip(self._true, self._next, strict=True):
                    if source is not None:
                        backend.add_rule([copy[atom]], [before[source]])
            # Here and not with the next copy: an atom that was asked about cannot get further rules.
            self._add_moves(backend, copy)
            for head, body in self._rules:
                backend.add_rule(
                    [copy[head]], [-copy[lit >> 1] if lit & 1 else copy[lit >> 1] for lit in body]
                )
        self._copies.append(copy)

    def _add_moves(self, backend: clingo.Backend, copy: list[int]) -> None:
        move = backend.add_atom()
        backend.add_rule([move], choice=True)
        terminal = self._number.get(Term("terminal"))
        if terminal is not None:
            backend.add_rule([], [move, copy[terminal]])
        for own in self._does:
            chosen = []
            for legal, does, _ in own:
                backend.add_rule([copy[does]], [copy[legal], move], choice=True)
                chosen.append(copy[does])
            one, two = backend.add_atom(), backend.add_atom()
            backend.add_weight_rule([one], 1, [(atom, 1) for atom in chosen])
            backend.add_weight_rule([two], 2, [(atom, 1) for atom in chosen])
            backend.add_rule([], [move, -one])
            backend.add_rule([], [two])
        self._moves.append(move)

    def _named(self, atom: Term, step: int) -> Literal:
        number = self._number.get(atom)
        if number is None:
            return -self.once("nothing", 0, lambda: self.all_of(()))
        return self._copies[step][number]

    def _read_rules(self) -> list[tuple[int, list[int]]]:
        program = self.program
        body, offsets = program.body.tolist(), program.body_offsets.tolist()
        inputs = set(np.concatenate([program.true_atoms, program.does_atoms]).tolist())
        return [
            (head, body[offsets[at] : offsets[at + 1]])
            for at, head in enumerate(program.heads.tolist())
            if head not in inputs
        ]

    def _read_moves(self) -> list[list[tuple[int, int, Term]]]:
        """For each role: the atom of a legal move, the atom of doing it, and the move."""
        number = {role: at for at, role in enumerate(self.roles)}
        found: list[list[tuple[int, int, Term]]] = [[] for _ in self.roles]
        for atom, at in self._number.items():
            if atom.name == "legal" and len(atom.args) == 2:
                role, move = atom.args
                assert isinstance(role, Term)
                assert isinstance(move, Term)
                found[number[role]].append((at, self._number[Term("does", (role, move))], move))
        return found

    def _goal_atoms(self, role: int) -> list[tuple[int | str, int]]:
        found: list[tuple[int | str, int]] = []
        for atom, at in self._number.items():
            if atom.name == "goal" and len(atom.args) == 2 and atom.args[0] is self.roles[role]:
                value = atom.args[1]
                assert isinstance(value, Term)
                number = as_integer(value)
                found.append((str(value) if number is None else number, at))
        return found


def _argument(atom: Term | None) -> Term:
    assert atom is not None
    argument = atom.args[0]
    assert isinstance(argument, Term)
    return argument
