"""Changes of rules that translations share."""

from __future__ import annotations

from collections.abc import Mapping

from ..ruleset import And, Atom, Distinct, Formula, Not, Or, Rule, with_other_terms
from ..terms import Pattern, Signature, Substitution, Term
from ..unify import resolve


def with_other_relations(rule: Rule, relations: Mapping[Signature, str]) -> Rule:
    """A rule whose conditions ask relations of other names."""

    def changed(formula: Formula) -> Formula:
        match formula:
            case Atom(term):
                name = relations.get(term.signature)
                return formula if name is None else Atom(Term(name, term.args), formula.node)
            case Distinct():
                return formula
            case Not(body):
                return Not(changed(body), formula.node)
            case And(parts):
                return And(tuple(map(changed, parts)), formula.node)
            case Or(parts):
                return Or(tuple(map(changed, parts)), formula.node)

    return Rule(rule.head, tuple(map(changed, rule.body)), rule.node)


def settled(rule: Rule) -> Rule | None:
    """A rule without comparisons of constants; None where one of them fails."""
    body = []
    for part in rule.body:
        if isinstance(part, Distinct) and part.left.is_ground and part.right.is_ground:
            if part.left is part.right:
                return None
        else:
            body.append(part)
    return Rule(rule.head, tuple(body), rule.node)


def substituted(rule: Rule, values: Substitution) -> Rule:
    """A rule with values for some of its variables."""
    return with_other_terms(rule, lambda pattern: resolve(pattern, values)) if values else rule


def with_terms(pattern: Pattern, terms: Mapping[Pattern, Pattern]) -> Pattern:
    """A pattern with some constants among its arguments replaced; what they become is not looked into."""
    if not isinstance(pattern, Term):
        return pattern
    args = (terms[arg] if arg in terms else with_terms(arg, terms) for arg in pattern.args)
    return Term(pattern.name, tuple(args))


def free_name(taken: set[str], stem: str) -> str:
    """The stem, with as many underscores as make it a name that is not taken."""
    while stem in taken:
        stem += "_"
    return stem
