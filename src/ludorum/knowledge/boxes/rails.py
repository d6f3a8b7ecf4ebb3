"""Rules about what must and what may be, made from rules about what is.

Every relation becomes two, or rails: rows that must be there, and rows that may be. The rules of one rail use
the other one under ``not``. A first pair speaks of the box as it is, a second one of the box after what was
perceived is filtered, and each observation is taken alone: a percept with a single reason shows all of this
reason, and one that did not come shows that each of its reasons fails, so that the one open condition of a
reason is false. Where this is not all that an observation says, ``HARD`` holds.

The state is given as facts ``known``, ``open``, ``own`` (the role's move) and ``seen`` (a percept).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from ...rules.binding import bound_by
from ...rules.normalise.substitute_rules import change_literal, rename_apart, rule_variables
from ...rules.ruleset import Atom, Distinct, Formula, Not, Rule, Ruleset
from ...rules.terms import Pattern, Signature, Substitution, Term, Variable, variables_of
from ...rules.unify import resolve, unify
from .flat_rules import Flat, FlatRules

MUST, MAY = "must", "may"
KNOWN, OPEN, OWN, SEEN = "known", "open", "own", "seen"
OVER = Term("over")
HARD, WRONG = Term("hard"), Term("wrong")
"""As facts of the next state: that an observation says more than these rules find, and that one cannot be."""
MOST_PAIRS = 400
"""Pairs of rules for one relation that are compared; with more of them every observation is hard."""

SHOWN, REFUTED, LEFT = "shown", "refuted", "left"
"""Rows that an observation shows to be there or not to be there, and rows that may be there after that.

What is refuted is asked for under ``not`` only, so that all its variables have values."""


def rail_rules(flat: FlatRules, role: Term) -> Ruleset:
    """The rules for one role, which answer by the usual relations.

    ``legal`` and ``goal`` have ``must`` or ``may`` as their first argument, ``sees`` says so of the end,
    ``next`` has ``known`` and ``open`` facts, and ``terminal`` says that a move of another role is open.
    """
    return Ruleset(tuple(dict.fromkeys(_RailWriter(flat, role).rules())))


class _RailWriter:
    def __init__(self, flat: FlatRules, role: Term) -> None:
        self.flat = flat
        self.role = role
        self.bases = flat.bases
        self.changing = flat.changing
        self.by_head = Ruleset(flat.rules).by_signature
        groups = flat.dependencies.component_of
        uses = flat.dependencies.uses
        self.circular = {one for one in self.by_head if len(groups[one]) > 1 or one in uses[one]}
        """Relations that depend on themselves."""
        self.learned = dict.fromkeys(self._learned_from())
        """Relations of which an observation may say something, each with what it says."""

    def rules(self) -> Iterator[Rule]:
        for rule in self.flat.rules:
            if rule.head.name == "init":
                yield Rule(Term("init", (Term(KNOWN, rule.head.args),)), rule.body)
                continue
            if rule.signature not in self.changing:
                yield rule
                continue
            for stage in (1, 2):
                for mode in (MUST, MAY):
                    body = tuple(self._on(literal, mode, stage) for literal in rule.body)
                    yield Rule(_named(rule.head, mode, stage), body)
        for base, kind in self.bases.items():
            yield from self._facts(base, kind) if kind.keyword == "true" else self._moves(base, kind)
            yield from self._filtered(base)
        yield from self._learning()
        yield from self._answers()

    # -- what is given ------------------------------------------------------------------------------------

    def _facts(self, base: Signature, kind: Flat) -> Iterator[Rule]:
        atom = _open_atom(base)
        value = kind.value(atom)
        for mode in (MUST, MAY):
            yield Rule(_named(atom, mode, 1), (_given(KNOWN, value),))
        yield Rule(_named(atom, MAY, 1), (_given(OPEN, value),))

    def _moves(self, base: Signature, kind: Flat) -> Iterator[Rule]:
        atom = _open_atom(base)
        who, *rest = atom.args
        own = Term(atom.name, (self.role, *rest))
        for mode in (MUST, MAY):
            yield Rule(_named(own, mode, 1), (_given(OWN, kind.value(atom)),))
        legal = Term(Flat("legal", kind.functor).name, atom.args)
        if legal.signature in self.by_head:
            others = (Atom(Term("role", (who,))), Distinct(who, self.role))
            yield Rule(_named(atom, MAY, 1), (Atom(_named(legal, MAY, 1)), *others))

    def _filtered(self, base: Signature) -> Iterator[Rule]:
        atom = _open_atom(base)
        yield Rule(_named(atom, MUST, 2), (Atom(_named(atom, MUST, 1)),))
        if (base, SHOWN) in self.learned:
            yield Rule(_named(atom, MUST, 2), (Atom(_named(atom, SHOWN)),))
        left = _named(atom, LEFT) if (base, REFUTED) in self.learned else _named(atom, MAY, 1)
        yield Rule(_named(atom, MAY, 2), (Atom(left),))

    # -- what observations say ----------------------------------------------------------------------------

    def _learned_from(self) -> Iterator[tuple[Signature, str]]:
        """What follows from percepts, relation by relation, down to facts and moves."""
        todo = [(sees, what) for sees in self.flat.of("sees") for what in (SHOWN, REFUTED)]
        found = set(todo)
        while todo:
            relation, what = todo.pop()
            yield relation, what
            if relation in self.circular:
                continue
            for rule in self.by_head.get(relation, ()):
                for literal in rule.body:
                    if (below := self._changing_atom(literal)) is not None:
                        same = not isinstance(literal, Not)
                        one = (below.signature, what if same else _other(what))
                        if one not in found:
                            found.add(one)
                            todo.append(one)

    def _learning(self) -> Iterator[Rule]:
        seen_ones = self.flat.of("sees")
        for relation, what in self.learned:
            if what == REFUTED and relation not in seen_ones:
                atom = _open_atom(relation)
                refuted = Atom(_named(atom, REFUTED))
                yield Rule(_named(atom, LEFT), (Atom(_named(atom, MAY, 1)), Not(refuted)))
        for relation in seen_ones:
            atom = _open_atom(relation)
            seen = _given(SEEN, self.flat.kinds[relation[0]].value(atom))
            unknown = Not(Atom(_named(atom, MUST, 1)))
            yield Rule(_named(atom, SHOWN), (seen, unknown))
        for relation, what in self.learned:
            yield from self._impossible(relation, what)
            if relation in self.bases:
                continue
            if relation in self.circular:
                atom = _open_atom(relation)
                yield Rule(HARD_ATOM, (*self._is_open(atom), self._learned(atom, what)))
                continue
            for rule in self.by_head.get(relation, ()):
                yield from self._from_reason(rule) if what == SHOWN else self._from_failure(rule)
            if what == SHOWN:
                yield from self._several_reasons(self.by_head.get(relation, ()))

    def _impossible(self, relation: Signature, what: str) -> Iterator[Rule]:
        """What is learned and cannot be."""
        atom = _open_atom(relation)
        if what == REFUTED:
            yield Rule(WRONG_ATOM, (Atom(_named(atom, MUST, 1)), self._learned(atom, REFUTED)))
        else:
            shown = self._learned(atom, SHOWN)
            yield Rule(WRONG_ATOM, (shown, Not(Atom(_named(atom, MAY, 1)))))
            if (relation, REFUTED) in self.learned and relation in self.bases:
                yield Rule(WRONG_ATOM, (shown, self._learned(atom, REFUTED)))

    def _from_reason(self, rule: Rule) -> Iterator[Rule]:
        """Something holds that can have this reason only: all of it holds."""
        shown = self._learned(rule.head, SHOWN)
        body = tuple(self._on(literal, MAY, 1) for literal in rule.body)
        for literal in rule.body:
            atom = self._changing_atom(literal)
            if atom is None:
                continue
            if isinstance(literal, Not):
                yield Rule(_named(atom, REFUTED), (shown, *body))
            else:
                yield Rule(_named(atom, SHOWN), (shown, *body, Not(Atom(_named(atom, MUST, 1)))))

    def _from_failure(self, rule: Rule) -> Iterator[Rule]:
        """Something fails, so this reason does: the condition that is not known is false."""
        fails = self._learned(rule.head, REFUTED)
        parts = [(literal, self._changing_atom(literal)) for literal in rule.body]
        for at, (literal, atom) in enumerate(parts):
            if atom is None:
                continue
            others = [self._on(each, MUST, 1) for place, (each, _) in enumerate(parts) if place != at]
            if isinstance(literal, Not):
                yield Rule(_named(atom, SHOWN), (*others, fails, Not(Atom(_named(atom, MUST, 1)))))
            else:
                yield _bound(_named(atom, REFUTED), (*others, fails), Atom(_named(atom, MAY, 1)))
        body = tuple(self._on(literal, MAY, 1) for literal in rule.body)
        for (_, first), (_, second) in combinations(parts, 2):
            if first is not None and second is not None:
                yield Rule(HARD_ATOM, (*body, *self._is_open(first), *self._is_open(second), fails))

    def _several_reasons(self, rules: Sequence[Rule]) -> Iterator[Rule]:
        """Something holds that can have two reasons: it is hard to say which."""
        if len(rules) ** 2 > MOST_PAIRS:
            atom = _open_atom(rules[0].signature)
            yield Rule(HARD_ATOM, (self._learned(atom, SHOWN),))
            return
        for at, rule in enumerate(rules):
            for second in rules[at:]:
                yield from self._two_reasons(rule, second)

    def _two_reasons(self, rule: Rule, second: Rule) -> Iterator[Rule]:
        """Two rules for the same thing, or one rule with different values."""
        other = rename_apart(second, rule_variables(rule))
        values = unify(rule.head, other.head)
        if values is None:
            return
        shown = self._learned(rule.head, SHOWN)
        body = (shown, *(self._on(literal, MAY, 1) for literal in (*rule.body, *other.body)))
        if second is not rule:
            yield Rule(HARD_ATOM, _resolved(body, values))
            return
        of_head = set(variables_of(rule.head))
        for one, twin in zip(rule_variables(rule), rule_variables(other), strict=True):
            if one not in of_head:
                yield Rule(HARD_ATOM, _resolved((*body, Distinct(one, twin)), values))

    def _learned(self, atom: Term, what: str) -> Formula:
        """The condition that something was learned; of percepts that one did not come."""
        if what == SHOWN:
            return Atom(_named(atom, SHOWN))
        kind = self.flat.kinds.get(atom.name)
        if kind is not None and kind.keyword == "sees":
            return Not(_given(SEEN, kind.value(atom)))
        return Not(Atom(_named(atom, LEFT)))

    def _is_open(self, atom: Term) -> tuple[Formula, Formula]:
        return Atom(_named(atom, MAY, 1)), Not(Atom(_named(atom, MUST, 1)))

    # -- answers ------------------------------------------------------------------------------------------

    def _answers(self) -> Iterator[Rule]:
        value = Variable("value")
        for mode in (MUST, MAY):
            goal = _named(Term("goal", (self.role, value)), mode, 1)
            yield Rule(Term("goal", (Term(mode), value)), (Atom(goal),))
            yield Rule(Term("sees", (Term(mode), OVER)), (Atom(_named(Term("terminal"), mode, 1)),))
        for legal in self.flat.of("legal"):
            atom = _open_atom(legal)
            move = self.flat.kinds[legal[0]].value(atom)
            own = Term(atom.name, (self.role, *atom.args[1:]))
            for mode in (MUST, MAY):
                yield Rule(Term("legal", (Term(mode), move)), (Atom(_named(own, mode, 1)),))
            role = Atom(Term("role", (atom.args[0],)))
            other = (role, Distinct(atom.args[0], self.role))
            yield Rule(Term("terminal"), (*self._is_open(atom), *other))
        for later in self.flat.of("next"):
            atom = _open_atom(later)
            fact = self.flat.kinds[later[0]].value(atom)
            must = Atom(_named(atom, MUST, 2))
            yield Rule(Term("next", (Term(KNOWN, (fact,)),)), (must,))
            yield Rule(Term("next", (Term(OPEN, (fact,)),)), (Atom(_named(atom, MAY, 2)), Not(must)))
        yield Rule(Term("next", (HARD,)), (Atom(HARD_ATOM),))
        yield Rule(Term("next", (WRONG,)), (Atom(WRONG_ATOM),))

    def _changing_atom(self, literal: Formula) -> Term | None:
        """The atom of a literal that depends on the state."""
        atom = literal.body if isinstance(literal, Not) else literal
        return atom.term if isinstance(atom, Atom) and atom.term.signature in self.changing else None

    def _on(self, literal: Formula, mode: str, stage: int) -> Formula:
        """The literal on a rail."""
        atom = self._changing_atom(literal)
        if atom is None:
            return literal
        if isinstance(literal, Not):
            return Not(Atom(_named(atom, MUST if mode == MAY else MAY, stage)))
        return Atom(_named(atom, mode, stage))


HARD_ATOM, WRONG_ATOM = Term("hard :"), Term("wrong :")


def _named(atom: Term, mode: str, stage: int | None = None) -> Term:
    return Term(f"{atom.name} : {mode}{'' if stage is None else f' {stage}'}", atom.args)


def _bound(head: Term, body: tuple[Formula, ...], binder: Formula) -> Rule:
    """The rule, with one more condition where the others leave variables of the head without a value."""
    without = not set(variables_of(head)) <= bound_by(body)
    return Rule(head, (*body, binder) if without else body)


def _resolved(body: Iterable[Formula], values: Substitution) -> tuple[Formula, ...]:
    return tuple(change_literal(each, lambda part: resolve(part, values)) for each in body)  # type: ignore[type-var]


def _given(kind: str, value: Pattern) -> Atom:
    return Atom(Term("true", (Term(kind, (value,)),)))


def _open_atom(signature: Signature) -> Term:
    return Term(signature[0], tuple(Variable(f"a{at}") for at in range(signature[1])))


def _other(what: str) -> str:
    return REFUTED if what == SHOWN else SHOWN
