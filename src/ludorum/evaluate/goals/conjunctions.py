"""Conjunctions with variables, as goals are expanded to them: split into parts, and written in one way.

Their variables are existential: a conjunction holds where some values of them make all literals true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...rules.normalise.expand_connectives import Literal
from ...rules.normalise.substitute_rules import change_literal
from ...rules.ruleset import Atom, Not, format_formula, formula_variables
from ...rules.source import Source
from ...rules.terms import Substitution, Term, Variable
from ...rules.unify import resolve

Conjunction = tuple[Literal, ...]


def variables_in(literals: Iterable[Literal]) -> list[Variable]:
    """Each once, from left to right."""
    return list(dict.fromkeys(variable for one in literals for variable in formula_variables(one)))


def with_values(literals: Iterable[Literal], values: Substitution) -> Conjunction:
    if not values:
        return tuple(literals)
    return tuple(change_literal(one, lambda pattern: resolve(pattern, values)) for one in literals)


def canonical(literals: Iterable[Literal]) -> Conjunction:
    """Each literal once, and variables named by their order, so that what says the same is the same."""
    once = tuple(dict.fromkeys(literals))
    names: Substitution = {
        variable: Variable(f"v{at}") for at, variable in enumerate(variables_in(once), start=1)
    }
    # One pass and no `resolve`: new names may be among the old ones.
    return tuple(change_literal(one, lambda pattern: _renamed(pattern, names)) for one in once)


def _renamed(pattern: Variable | Term, names: Substitution) -> Variable | Term:
    if isinstance(pattern, Variable):
        return names.get(pattern, pattern)
    if pattern.is_ground:
        return pattern
    return Term(pattern.name, tuple(_renamed(arg, names) for arg in pattern.args))


def components(literals: Conjunction) -> list[Conjunction]:
    """The parts that share no variable with each other, each in the order of the whole."""
    groups: list[tuple[set[Variable], list[int]]] = []
    for at, literal in enumerate(literals):
        variables, members = set(formula_variables(literal)), [at]
        apart = []
        for group in groups:
            if group[0] & variables:
                variables |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (variables, members)]
    found = sorted(sorted(members) for _, members in groups)
    return [tuple(literals[at] for at in members) for members in found]


def shared_variables(literals: Iterable[Literal]) -> set[Variable]:
    """Those of two literals or more."""
    seen: set[Variable] = set()
    shared: set[Variable] = set()
    for literal in literals:
        own = set(formula_variables(literal))
        shared |= own & seen
        seen |= own
    return shared


def atoms_of(literals: Iterable[Literal]) -> Iterator[Term]:
    """The atoms of positive literals."""
    return (one.term for one in literals if isinstance(one, Atom))


def every_atom(literals: Iterable[Literal]) -> Iterator[Term]:
    """The atoms of all literals, negated ones included."""
    for literal in literals:
        inner = literal.body if isinstance(literal, Not) else literal
        if isinstance(inner, Atom):
            yield inner.term


def fluent_of(literal: Literal) -> Term | None:
    """What ``(true fluent)`` asks for."""
    if isinstance(literal, Atom) and literal.term.signature == ("true", 1):
        (fluent,) = literal.term.args
        return fluent if isinstance(fluent, Term) else None
    return None


def line_of(literals: Iterable[Literal], source: Source) -> int:
    """The first line of a sheet on which one of them is written; 0 for what was made."""
    starts = [one.node.span.start for one in literals if one.node.span.end]
    return source.position(min(starts))[0] if starts else 0


def written(literals: Iterable[Literal]) -> str:
    """For people."""
    return " ".join(map(format_formula, literals))
