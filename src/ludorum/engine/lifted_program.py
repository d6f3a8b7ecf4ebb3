"""Rules compiled for the lifted evaluator: terms and relations become numbers, once, at the start."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .._core.kernels import Datalog
from ..rules.dependencies import Dependencies
from ..rules.normalise import expand_connectives
from ..rules.ruleset import Atom, Distinct, Formula, Not, Rule, Ruleset
from ..rules.terms import Pattern, Signature, Term, Variable, as_integer, sort_key

TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)
ROLE: Signature = ("role", 1)
INIT: Signature = ("init", 1)
LEGAL: Signature = ("legal", 2)
NEXT: Signature = ("next", 1)
SEES: Signature = ("sees", 2)
GOAL: Signature = ("goal", 2)
TERMINAL: Signature = ("terminal", 0)

QUESTIONS = (ROLE, INIT, LEGAL, NEXT, SEES, GOAL, TERMINAL)

ALWAYS, STATE, MOVES = 0, 1, 2
"""How long an answer stays valid; the numbers that the evaluator uses."""

_HOLDS, _FAILS, _DIFFER, _SAME = range(4)
_VARIABLE, _GROUND, _COMPOUND = range(3)

# No symbol that a sheet can write contains a space and a colon at the end of its name in this way; facts and
# inputs are kept under such names where rules derive the same relation as well.
_STORED = " : stored"


@dataclass(frozen=True)
class Limits:
    """The limits of one question."""

    seconds: float = 60.0
    rows: int = 30_000_000
    """The most cached answers: some 20 bytes each."""
    terms: int = 2_000_000
    """The most different terms since the program was made. Listing ten times as many moves takes minutes."""
    megabytes: float = 2000.0
    """Memory of terms, answers and indexes together, counted every few ten thousand steps."""
    depth: int = 10_000
    """The deepest nesting of terms, 65535 for any: rules that nest terms without end are detected at once."""
    steps: int = 2**63 - 1
    """Joins tried for all questions together: a bound that is the same on every machine."""


class LiftedProgram:
    """A ruleset inside the evaluator, with the conversion between its numbers and terms."""

    def __init__(self, rules: Ruleset, limits: Limits | None = None) -> None:
        self.core = Datalog()
        self.limits = limits or Limits()
        self.allow_steps(self.limits.steps)
        self._functors: dict[Signature, int] = {}
        self._new_functor = threading.Lock()
        self._names: list[str] = []
        self._ids: dict[Term, int] = {}
        self._terms: dict[int, Term] = {}
        self._keys: dict[int, tuple[object, ...]] = {}
        self.relations: dict[Signature, int] = {}
        fixed = self._load(_store_facts(expand_connectives(rules)))
        if rules.weights is not None:
            self.core.set_weight_place(self._functor(rules.weights.form), rules.weights.place)
        self.start((), ())
        self.core.materialise(fixed)

    def allow_steps(self, steps: int) -> None:
        """From now on questions fail that need more joins than that, together with all asked before."""
        limits = self.limits
        size = int(limits.megabytes * 1e6)
        self.core.set_limits(limits.seconds, limits.rows, limits.terms, size, limits.depth, steps)

    def start(self, roles: Sequence[Term], initial: Iterable[Term]) -> None:
        """Start answering; the initial facts tell the join planner how large states are."""
        asked = [self.relations[signature] for signature in (_input(TRUE), _input(DOES), *QUESTIONS[2:])]
        self.core.start(asked, list(map(self.id_of, roles)), sorted(map(self.id_of, initial)))

    def _load(self, rules: Sequence[Rule]) -> list[int]:
        """Pass all rules to the evaluator; returns the static derived relations, each after those it uses."""
        dependencies = Dependencies(Ruleset(tuple(rules)))
        derived = {rule.signature for rule in rules if not _is_fact(rule)}
        signatures = dict.fromkeys((_input(TRUE), _input(DOES), *QUESTIONS))
        signatures.update((edge.body, None) for edge in dependencies.edges)
        signatures.update((rule.signature, None) for rule in rules)
        by_state = dependencies.users_of([_input(TRUE)]) | {_input(TRUE)}
        by_moves = dependencies.users_of([_input(DOES)]) | {_input(DOES)}
        groups = _recursive_groups(dependencies)
        reached = dependencies.reachable(QUESTIONS)
        for signature in signatures:
            lifetime = MOVES if signature in by_moves else STATE if signature in by_state else ALWAYS
            stored = signature not in derived and signature not in QUESTIONS
            self.relations[signature] = self.core.add_relation(
                signature[1], stored, signature == _input(TRUE), self._functor(signature), lifetime,
                groups.get(signature, -1), signature in reached,
            )  # fmt: skip
        facts: dict[Signature, list[int]] = {}
        for rule in rules:
            if rule.signature in derived or rule.signature in QUESTIONS:
                self._add_rule(rule)
            else:
                facts.setdefault(rule.signature, []).append(self.id_of(rule.head))
        for signature, atoms in facts.items():
            self.core.add_facts(self.relations[signature], list(dict.fromkeys(atoms)))
        order = [signature for group in dependencies.components for signature in sorted(group)]
        fixed = derived & reached - by_state - by_moves - set(QUESTIONS)
        return [self.relations[signature] for signature in order if signature in fixed]

    def _add_rule(self, rule: Rule) -> None:
        variables: dict[Variable, int] = {}
        code: list[int] = []
        for arg in rule.head.args:
            self._write(arg, variables, code)
        for literal in rule.body:
            kind, relation, args = _literal(literal)
            code.append(kind)
            if relation is not None:
                code.append(self.relations[relation])
            for arg in args:
                self._write(arg, variables, code)
        self.core.add_rule(self.relations[rule.signature], len(variables), code)

    def _write(self, pattern: Pattern, variables: dict[Variable, int], code: list[int]) -> None:
        if isinstance(pattern, Variable):
            code += (_VARIABLE, variables.setdefault(pattern, len(variables)))
        elif pattern.is_ground:
            code += (_GROUND, self.id_of(pattern))
        else:
            code += (_COMPOUND, self._functor(pattern.signature), len(pattern.args))
            for arg in pattern.args:
                self._write(arg, variables, code)

    def _functor(self, signature: Signature) -> int:
        known = self._functors.get(signature)
        if known is None:
            with self._new_functor:  # two threads must not give one number to two functors
                if signature not in self._functors:
                    self._names.append(signature[0])
                    self._functors[signature] = len(self._functors)
                known = self._functors[signature]
        return known

    def id_of(self, term: Term) -> int:
        """The evaluator's number of a ground term."""
        known = self._ids.get(term)
        return self._make_id(term) if known is None else known

    def _make_id(self, term: Term) -> int:
        # Not recursive, as in ``_make_term``.
        todo = [term]
        while todo:
            args = [arg for arg in todo[-1].args if isinstance(arg, Term)]
            missing = [arg for arg in args if arg not in self._ids]
            if not missing:
                made = todo.pop()
                known = self.core.make_term(self._functor(made.signature), [self._ids[arg] for arg in args])
                self._ids[made] = known
                self._terms[known] = made
                number = as_integer(made)
                if number is not None and 0 <= number < 2**31:
                    self.core.set_number(known, number)
            todo += missing
        return self._ids[term]

    def term_of(self, number: int) -> Term:
        """The term a number of the evaluator stands for."""
        known = self._terms.get(number)
        return self._make_term(number) if known is None else known

    def _make_term(self, number: int) -> Term:
        # Not recursive: a counter that wraps its value in every step is nested thousands deep.
        todo = [number]
        while todo:
            functor, *args = self.core.term(todo[-1])
            missing = [arg for arg in args if arg not in self._terms]
            if not missing:
                made = Term(self._names[functor], tuple(self._terms[arg] for arg in args))
                self._ids.setdefault(made, todo[-1])
                self._terms[todo.pop()] = made
            todo += missing
        return self._terms[number]

    def pack(self, facts: Iterable[Term]) -> bytes:
        """Facts as the evaluator takes them: sorted 32-bit numbers."""
        return np.array(sorted(self.id_of(fact) for fact in facts), dtype=np.int32).tobytes()

    def unpack(self, packed: bytes) -> frozenset[Term]:
        """The facts again: the twin of ``pack``."""
        return frozenset(map(self.term_of, np.frombuffer(packed, dtype=np.int32).tolist()))

    def pack_moves(self, does: Iterable[tuple[Term, Term]]) -> bytes:
        numbers = [self.id_of(term) for pair in does for term in pair]
        return np.array(numbers, dtype=np.int32).tobytes()

    def pairs(self, signature: Signature, facts: bytes, does: bytes = b"") -> dict[Term, tuple[Term, ...]]:
        """A relation of two arguments as the sorted second ones for each first one."""
        flat = self.core.rows(self.relations[signature], facts, does)
        found: dict[int, list[int]] = {}
        for first, second in zip(flat[::2], flat[1::2], strict=True):
            found.setdefault(first, []).append(second)
        return {self.term_of(first): self.in_order(numbers) for first, numbers in found.items()}

    def in_order(self, numbers: list[int]) -> tuple[Term, ...]:
        """The terms of some numbers, sorted. Sort keys are cached: computing them costs more than sorting."""
        keys = self._keys
        for number in numbers:
            if number not in keys:
                keys[number] = self._sort_key(number)
        return tuple(map(self.term_of, sorted(numbers, key=keys.__getitem__)))

    def _sort_key(self, number: int) -> tuple[object, ...]:
        functor, *args = self.core.term(number)
        if not args:
            return sort_key(self.term_of(number))
        keys = self._keys
        for arg in args:
            if arg not in keys:
                keys[arg] = self._sort_key(arg)
        return (2, self._names[functor], len(args), tuple(keys[arg] for arg in args))

    def count(self, signature: Signature, facts: bytes) -> int:
        """How many rows a relation has in a state."""
        return len(self.core.rows(self.relations[signature], facts)) // max(1, signature[1])

    def rows(self, signature: Signature, facts: bytes, does: bytes = b"") -> list[tuple[Term, ...]]:
        """The rows of a relation in a state under some moves."""
        flat = self.core.rows(self.relations[signature], facts, does)
        width = signature[1]
        if not width:
            return [()] * len(flat)
        terms = list(map(self.term_of, flat))
        return [tuple(terms[at : at + width]) for at in range(0, len(terms), width)]


def _input(signature: Signature) -> Signature:
    return (signature[0] + _STORED, signature[1])


def _literal(formula: Formula) -> tuple[int, Signature | None, tuple[Pattern, ...]]:
    match formula:
        case Atom(term):
            return _HOLDS, term.signature, term.args
        case Not(Atom(term)):
            return _FAILS, term.signature, term.args
        case Distinct(left, right):
            return _DIFFER, None, (left, right)
        case Not(Distinct(left, right)):
            return _SAME, None, (left, right)
    raise TypeError(f"not a plain literal: {formula}")


def _is_fact(rule: Rule) -> bool:
    return not rule.body and rule.head.is_ground


def _store_facts(ruleset: Ruleset) -> list[Rule]:
    """The rules with all facts, and the inputs ``true`` and ``does``, apart from derived relations.

    Facts are looked up by index; among rules each of them would be tried in turn.
    """
    mixed = {rule.signature for rule in ruleset.rules if not _is_fact(rule)} | set(QUESTIONS)
    split: dict[Signature, Term] = {}
    rules: list[Rule] = []
    inputs = [signature for signature in (TRUE, DOES) if signature in ruleset.by_signature]
    for signature in inputs:
        split[signature] = _open_atom(signature)
    for rule in ruleset.rules:
        if _is_fact(rule) and rule.signature in mixed and rule.signature not in inputs:
            split.setdefault(rule.signature, _open_atom(rule.signature))
            rule = Rule(Term(rule.head.name + _STORED, rule.head.args))
        rules.append(rule)
    for signature, atom in split.items():
        rules.append(Rule(atom, (Atom(Term(signature[0] + _STORED, atom.args)),)))
    if len(inputs) < 2:
        bare = [signature for signature in (TRUE, DOES) if signature not in inputs]
        rules = [Rule(rule.head, tuple(_to_input(part, bare) for part in rule.body)) for rule in rules]
    return rules


def _to_input(formula: Formula, bare: Sequence[Signature]) -> Formula:
    """A literal that reads the input directly where no rule derives ``true`` or ``does``."""
    match formula:
        case Atom(term) if term.signature in bare:
            return Atom(Term(term.name + _STORED, term.args))
        case Not(Atom(term)) if term.signature in bare:
            return Not(Atom(Term(term.name + _STORED, term.args)))
    return formula


def _open_atom(signature: Signature) -> Term:
    return Term(signature[0], tuple(Variable(f"a{i}") for i in range(signature[1])))


def _recursive_groups(dependencies: Dependencies) -> dict[Signature, int]:
    """A number for each relation that depends on itself, the same within a group of mutual dependence."""
    found: dict[Signature, int] = {}
    for number, group in enumerate(dependencies.components):
        first = next(iter(group))
        if len(group) > 1 or first in dependencies.uses.get(first, ()):
            found.update((signature, number) for signature in group)
    return found
