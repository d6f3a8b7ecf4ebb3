"""An evaluator of rules in plain Python, bottom-up, stratum by stratum: it shares nothing with the engines.

Slow, and short enough to be read: what holds in a state is what rules derive from its facts and moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ludorum.rules.ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, Ruleset, signed_atoms
from ludorum.rules.terms import Pattern, Signature, Substitution, Term, substitute
from ludorum.rules.terms import match as unify  # a keyword of the language here

Known = dict[Signature, set[Term]]
STATE = frozenset({("true", 1), ("does", 2)})


class PlainEvaluator:
    """The questions that a reasoner answers, from rules alone."""

    def __init__(self, rules: Ruleset) -> None:
        strata = _strata(rules)
        moving = _users_of(rules, STATE)
        levels = sorted(set(strata.values()))
        by_level = [[rule for rule in rules.rules if strata[rule.signature] == level] for level in levels]
        self._layers = [[rule for rule in layer if rule.signature in moving] for layer in by_level]
        self._static: Known = {}
        for layer in by_level:
            _derive([rule for rule in layer if rule.signature not in moving], self._static)
        self.roles = rules.roles
        self.initial = {_argument(atom) for atom in self._static.get(("init", 1), ())}

    def holds(self, facts: Iterable[Term], joint: Sequence[Term] | None = None) -> Known:
        """All that follows in a state, under a joint move."""
        known = {signature: set(atoms) for signature, atoms in self._static.items()}
        known["true", 1] = {Term("true", (fact,)) for fact in facts}
        if joint is not None:
            pairs = zip(self.roles, joint, strict=True)
            known["does", 2] = {Term("does", (role, move)) for role, move in pairs}
        for layer in self._layers:
            _derive(layer, known)
        return known

    def legal(self, facts: Iterable[Term]) -> set[tuple[Pattern, ...]]:
        return {atom.args for atom in self.holds(facts).get(("legal", 2), ())}

    def goals(self, facts: Iterable[Term]) -> set[tuple[Pattern, ...]]:
        return {atom.args for atom in self.holds(facts).get(("goal", 2), ())}

    def is_terminal(self, facts: Iterable[Term]) -> bool:
        return bool(self.holds(facts).get(("terminal", 0)))

    def next(self, facts: Iterable[Term], joint: Sequence[Term]) -> set[Term]:
        return {_argument(atom) for atom in self.holds(facts, joint).get(("next", 1), ())}


def _derive(rules: Sequence[Rule], known: Known) -> None:
    """Adds what the rules of one stratum derive, until nothing is new."""
    while True:
        fresh = [
            head
            for rule in rules
            for values in _solutions(rule.body, {}, known)
            if isinstance(head := substitute(rule.head, values), Term)
            and head not in known.get(rule.signature, ())
        ]
        if not fresh:
            return
        for head in fresh:
            known.setdefault(head.signature, set()).add(head)


def _solutions(body: Sequence[Formula], values: Substitution, known: Known) -> Iterator[Substitution]:
    """Values of variables under which all of a body holds; what binds nothing comes last."""
    ordered = sorted(body, key=lambda formula: isinstance(formula, (Not, Distinct)))
    if not ordered:
        yield values
        return
    first, *rest = ordered
    for more in _of_formula(first, values, known):
        yield from _solutions(rest, more, known)


def _of_formula(formula: Formula, values: Substitution, known: Known) -> Iterator[Substitution]:
    match formula:
        case Atom(term):
            pattern = substitute(term, values)
            assert isinstance(pattern, Term)
            for atom in list(known.get(pattern.signature, ())):
                found = unify(pattern, atom, values)
                if found is not None:
                    yield found
        case Distinct(left, right):
            if substitute(left, values) is not substitute(right, values):
                yield values
        case And(parts):
            yield from _solutions(parts, values, known)
        case Or(parts):
            for part in parts:
                yield from _of_formula(part, values, known)
        case Not(inner):
            if next(_of_formula(inner, values, known), None) is None:
                yield values


def _strata(rules: Ruleset) -> dict[Signature, int]:
    """A number for each relation, higher than those of all relations it uses under ``not``."""
    level: dict[Signature, int] = {rule.signature: 0 for rule in rules.rules}
    changed = True
    while changed:
        changed = False
        for rule in rules.rules:
            for atom, positive in signed_atoms(rule.body):
                least = level.get(atom.term.signature, 0) + (not positive)
                if level[rule.signature] < least:
                    level[rule.signature], changed = least, True
    return level


def _users_of(rules: Ruleset, given: Iterable[Signature]) -> set[Signature]:
    """The relations that depend on some others."""
    found = set(given)
    while True:
        more = {
            rule.signature
            for rule in rules.rules
            if any(atom.term.signature in found for atom, _ in signed_atoms(rule.body))
        }
        if more <= found:
            return found
        found |= more


def _argument(atom: Term) -> Term:
    argument = atom.args[0]
    assert isinstance(argument, Term)
    return argument
