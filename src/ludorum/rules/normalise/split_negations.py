"""Split a negated atom of a huge relation into one for each of its rules, without redundant arguments.

    (<= (safe ?k ?c) (cell ?k) (cell ?c) (not (hit ?k ?c)))
    (<= (hit ?k ?c) (king_near ?k) (cell ?c))    (<= (hit ?k ?c) (knight ?k ?c))

No king is near and no knight hits: ``(not (hit_1 ?k)) (not (hit_2 ?k ?c))``. In the first rule of ``hit`` ?c
is any cell, which ``safe`` has checked already, so ``hit_1`` does not need it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..dependencies import Dependencies
from ..keywords import KEYWORDS
from ..lenient.rewrite import FreshNames
from ..ruleset import Atom, Formula, Not, Rule, Ruleset, formula_variables
from ..terms import Pattern, Signature, Term, Variable, variables_of
from .decompose_bodies import HOPELESS
from .estimate_domains import Domains, variable_places
from .estimate_sizes import Sizes
from .expand_connectives import expand_connectives
from .loose_arguments import unary_facts

MOST = 12
"""The most rules of a relation that is split."""


def split_negations(ruleset: Ruleset, hopeless: float = HOPELESS) -> Ruleset:
    """The same answers, with negated atoms of huge relations split into their rules."""
    ruleset = expand_connectives(ruleset)
    sizes = Sizes(ruleset)
    of = Dependencies(ruleset).component_of
    split = {
        signature: rules
        for signature, rules in ruleset.by_signature.items()
        if 2 <= len(rules) <= MOST and all(rule.body for rule in rules)
        if signature[0] not in KEYWORDS and len(of[signature]) == 1
        if sizes.rows(signature) >= hopeless
    }
    if not split or not sizes.domains.complete:
        return ruleset
    writer = _Writer(split, sizes.domains, unary_facts(ruleset), FreshNames(ruleset))
    return ruleset.with_rules(made for rule in ruleset.rules for made in writer.rules(rule))


@dataclass
class _Writer:
    """Writes rules with split negations, and before them the new relations they ask for."""

    split: dict[Signature, tuple[Rule, ...]]
    domains: Domains
    facts: dict[Signature, frozenset[Term]]
    names: FreshNames
    made: dict[tuple[Rule, tuple[int, ...]], str] = field(default_factory=dict)

    def rules(self, rule: Rule) -> Iterator[Rule]:
        body: list[Formula] = []
        for literal in rule.body:
            match literal:
                case Not(Atom(term)) if term.signature in self.split:
                    for definition in self.split[term.signature]:
                        kept = self._kept(rule, term, definition)
                        yield from self._define(definition, kept)
                        name = self.made[definition, kept]
                        asked = Term(name, tuple(term.args[at] for at in kept))
                        body.append(Not(Atom(asked, literal.node), literal.node))
                case _:
                    body.append(literal)
        yield Rule(rule.head, tuple(body), rule.node)

    def _define(self, definition: Rule, kept: tuple[int, ...]) -> Iterator[Rule]:
        if (definition, kept) in self.made:
            return
        name = self.made[definition, kept] = self.names.new(definition.head.name)
        head = Term(name, tuple(definition.head.args[at] for at in kept))
        gone = set(variables_of(definition.head)).difference(variables_of(head))
        body = tuple(one for one in definition.body if gone.isdisjoint(formula_variables(one)))
        yield Rule(head, body, definition.node)

    def _kept(self, rule: Rule, asked: Term, definition: Rule) -> tuple[int, ...]:
        """The arguments that a rule of the relation restricts, where the relation is used."""
        found = []
        for at, (arg, value) in enumerate(zip(definition.head.args, asked.args, strict=True)):
            others = (one for other, one in enumerate(definition.head.args) if other != at)
            mentioned = any(arg in list(variables_of(other)) for other in others)
            if (
                not isinstance(arg, Variable)
                or mentioned
                or not self._says_nothing(arg, value, definition, rule)
            ):
                found.append(at)
        return tuple(found)

    def _says_nothing(self, variable: Variable, value: Pattern, definition: Rule, rule: Rule) -> bool:
        """Whether a rule only asks that its variable is in some domains, which the value always is."""
        uses = [literal for literal in definition.body if variable in formula_variables(literal)]
        rest = len(definition.body) - len(uses)
        allowed = [self.facts.get(one.term.signature) for one in uses if isinstance(one, Atom)]
        if not rest or len(allowed) < len(uses):
            return False
        return all(some is not None and self._is_within(value, some, rule) for some in allowed)

    def _is_within(self, value: Pattern, allowed: Iterable[Term], rule: Rule) -> bool:
        if isinstance(value, Term):
            return value in allowed
        places = [
            place
            for literal in rule.body if isinstance(literal, Atom)
            for variable, place in variable_places(literal.term) if variable == value
        ]  # fmt: skip
        possible = [self.domains.symbols.get(place, set()) for place in places]
        constants = {term.signature for term in allowed if not term.args}
        return bool(possible) and set.intersection(*possible) <= constants
