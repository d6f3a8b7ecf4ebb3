"""The rules of ``sees`` and ``legal`` for one role each, as far as they do not change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..rules.ruleset import (
    Atom,
    Distinct,
    Formula,
    Not,
    Rule,
    Ruleset,
    format_formula,
    formula_variables,
    with_other_terms,
)
from ..rules.terms import (
    Pattern,
    Signature,
    Substitution,
    Term,
    Variable,
    format_term,
    match,
    substitute,
    variables_of,
)
from ..rules.unify import unify
from ..rules.wdl.rewriting import settled

MOST_INSTANCES = 200
"""Instances of one rule for one player; of a rule with more nothing is public."""


@dataclass(frozen=True)
class SeesInstance:
    """A rule of ``sees`` or ``legal`` for one role: the percept or move, and conditions that may change."""

    what: Pattern
    body: tuple[Formula, ...]

    def __str__(self) -> str:
        """The instance with its variables numbered, the same for every player that is told alike."""
        found = dict.fromkeys([*variables_of(self.what), *variables_of_all(self.body)])
        names: Substitution = {one: Variable(str(at)) for at, one in enumerate(found)}
        rule = _changed(Rule(Term("told", (self.what,)), self.body), names)
        return " ".join([format_term(rule.head), *map(format_formula, rule.body)])


def may_be_same(one: Pattern, other: Pattern) -> bool:
    renamed = {variable: Variable(f"{variable.name} ") for variable in variables_of(one)}
    return unify(substitute(one, dict(renamed)), other) is not None


def instances_of(rules: Ruleset, rule: Rule, role: Term) -> list[SeesInstance] | None:
    """The instances of a rule for one role, with its conditions on listed facts solved; None for too many, or
    conditions of other forms."""
    who = rule.head.args[0]
    if isinstance(who, Term) and who is not role:
        return []
    if not all(isinstance(part, (Atom, Distinct, Not)) for part in rule.body):
        return None
    start: Substitution = {} if isinstance(who, Term) else {who: role}
    listed = [
        part.term for part in rule.body if isinstance(part, Atom) and is_listed(rules, part.term.signature)
    ]
    solved = list(_solutions(rules, listed, start))
    if len(solved) >= MOST_INSTANCES:
        return None
    found = {}
    for values in solved:
        one = _instance(rule, listed, values)
        if one is not None:
            found[str(one)] = one
    return list(found.values())


def _instance(rule: Rule, listed: list[Term], values: Substitution) -> SeesInstance | None:
    """The rule with these values, without the conditions that they fulfil; None where they break one."""
    rest = tuple(part for part in rule.body if not (isinstance(part, Atom) and part.term in listed))
    left = settled(_changed(Rule(rule.head, rest), values))
    return None if left is None else SeesInstance(left.head.args[1], left.body)


def _solutions(rules: Ruleset, listed: list[Term], values: Substitution) -> Iterator[Substitution]:
    if not listed:
        yield values
        return
    count = 0
    for rule in rules.by_signature[listed[0].signature]:
        found = match(listed[0], rule.head, values)
        if found is not None:
            for solution in _solutions(rules, listed[1:], found):
                yield solution
                count += 1
                if count >= MOST_INSTANCES:
                    return


def is_listed(rules: Ruleset, relation: Signature) -> bool:
    """Whether a relation is a list of facts."""
    found = rules.by_signature.get(relation, ())
    return bool(found) and all(not rule.body and rule.head.is_ground for rule in found)


def variables_of_all(body: Iterable[Formula]) -> Iterator[Variable]:
    for part in body:
        yield from formula_variables(part)


def _changed(rule: Rule, values: Substitution) -> Rule:
    return with_other_terms(rule, lambda pattern: substitute(pattern, values))
