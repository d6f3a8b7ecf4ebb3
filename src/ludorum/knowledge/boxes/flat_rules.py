"""Rules whose facts, moves and percepts are relations of their own, as far as the rules let them.

``(true (deck ?p ?n ?c))`` becomes a condition on a relation of three arguments. Joins can then look up any of
them, and rules that read one kind of fact do not depend on the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from ...engine.errors import GameError
from ...rules.dependencies import Dependencies, is_stratified
from ...rules.lenient import make_safe
from ...rules.normalise import expand_connectives
from ...rules.normalise.substitute_rules import change_rule
from ...rules.ruleset import Atom, Formula, Not, Rule, Ruleset, signed_atoms
from ...rules.terms import Signature, Term, Variable, substitute

TRUE, DOES = ("true", 1), ("does", 2)
LEGAL, SEES, NEXT = ("legal", 2), ("sees", 2), ("next", 1)
GOAL, TERMINAL = ("goal", 2), ("terminal", 0)
STATIC = (("role", 1), ("init", 1))
OF_ROLES = ("does", "legal")

FLAT_TOGETHER = ((TRUE,), (DOES, LEGAL), (SEES,), (NEXT,))
"""Relations that are made flat together, or not at all: what is legal can be done."""


class NotLiftedError(GameError):
    """Rules that knowledge without grounding does not serve."""


@dataclass(frozen=True)
class Flat:
    """What a flat relation stands for."""

    keyword: str
    functor: Signature | None
    """The kind of its facts, moves or percepts; None for all kinds."""

    @property
    def name(self) -> str:
        """A name that no sheet can write."""
        kind = "any" if self.functor is None else f"{self.functor[0]} {self.functor[1]}"
        return f"{self.keyword} {kind}"

    def value(self, term: Term) -> Term:
        """The fact, move or percept of an atom of the relation."""
        args = term.args[self.keyword in OF_ROLES :]
        return cast(Term, args[0]) if self.functor is None else Term(self.functor[0], args)


@dataclass(frozen=True)
class FlatRules:
    """The flat rules of a sheet, as far as they concern what one role knows."""

    rules: tuple[Rule, ...]
    kinds: dict[str, Flat]
    """The flat relations that rules mention, by name."""

    @cached_property
    def dependencies(self) -> Dependencies:
        return Dependencies(Ruleset(self.rules))

    @cached_property
    def bases(self) -> dict[Signature, Flat]:
        """The relations that no rule derives: facts of the state, and moves."""
        used = {edge.body for edge in self.dependencies.edges}
        return {
            relation: self.kinds[relation[0]]
            for relation in sorted(used)
            if relation[0] in self.kinds and self.kinds[relation[0]].keyword in ("true", "does")
        }

    @cached_property
    def changing(self) -> set[Signature]:
        """The relations that may depend on the state, keywords among them even where they do not."""
        asked = {rule.signature for rule in self.rules if rule.head.name in self.kinds}
        return self.dependencies.users_of(self.bases) | set(self.bases) | asked | {GOAL, TERMINAL}

    def of(self, keyword: str) -> list[Signature]:
        """The derived relations that stand for a keyword."""
        heads = dict.fromkeys(rule.signature for rule in self.rules)
        return [each for each in heads if each[0] in self.kinds and self.kinds[each[0]].keyword == keyword]

    def relation(self, keyword: str, value: Term) -> Signature:
        """The relation of a fact, move or percept; one without rules where no rule mentions its kind."""
        flat = Flat(keyword, value.signature)
        if flat.name not in self.kinds:
            return Flat(keyword, None).name, 1 + (keyword in OF_ROLES)
        return flat.name, len(value.args) + (keyword in OF_ROLES)


def flat_rules(ruleset: Ruleset, role: Term) -> FlatRules:
    """The flat rules; NotLiftedError where they do not have the usual form."""
    safe = expand_connectives(make_safe(ruleset)[0])
    rules = Dependencies(safe).slice((LEGAL, NEXT, SEES, GOAL, TERMINAL, *STATIC))
    _refuse_unusual(Ruleset(tuple(rules)))
    seen = [rule for one in rules for rule in (_seen_by(role, one) if one.signature == SEES else [one])]
    flat = {
        signature[0]
        for group in FLAT_TOGETHER
        if all(isinstance(term.args[-1], Term) for term in _terms(seen, group))
        for signature in group
    }
    kinds: dict[str, Flat] = {}

    def changed(term: Term) -> Term:
        if term.signature not in (TRUE, DOES, LEGAL, SEES, NEXT):
            return term
        value = term.args[-1]
        others = term.args[:-1] if term.name in OF_ROLES else ()
        if term.name not in flat:
            kind, args = Flat(term.name, None), (*others, value)
        else:
            assert isinstance(value, Term)
            kind, args = Flat(term.name, value.signature), (*others, *value.args)
        kinds[kind.name] = kind
        return Term(kind.name, args)

    def literal(each: Formula) -> Formula:
        match each:
            case Atom(term):
                return Atom(changed(term))
            case Not(Atom(term)):
                return Not(Atom(changed(term)))
        return each

    made = tuple(Rule(changed(rule.head), tuple(map(literal, rule.body))) for rule in seen)
    return FlatRules(made, kinds)


def _refuse_unusual(rules: Ruleset) -> None:
    graph = Dependencies(rules)
    if not is_stratified(rules):
        raise NotLiftedError("a relation depends on its own negation")
    if graph.reachable((LEGAL, GOAL, TERMINAL)) & {DOES, SEES} or graph.reachable(STATIC) & {TRUE, DOES}:
        raise NotLiftedError("what a state says depends on moves")
    if any(edge.body in (SEES, ("init", 1)) for edge in graph.edges):
        raise NotLiftedError("a rule depends on what is seen, or on the first state")


def _seen_by(role: Term, rule: Rule) -> Iterator[Rule]:
    """The rule as far as it says what the role sees."""
    who = rule.head.args[0]
    if who is role:
        yield rule
    elif isinstance(who, Variable):
        yield change_rule(rule, lambda pattern: substitute(pattern, {who: role}))


def _terms(rules: Iterable[Rule], signatures: tuple[Signature, ...]) -> Iterator[Term]:
    for rule in rules:
        if rule.signature in signatures:
            yield rule.head
        yield from (atom.term for atom, _ in signed_atoms(rule.body) if atom.term.signature in signatures)
