"""Which variables a body binds, and which it uses without binding them: the test of safety.

``or`` binds what all its branches bind, ``and`` what any part binds, ``not`` turns the two around. That gives
exactly the answer of the expanded alternatives without writing them down, so a rule with a million
alternatives costs no more than its text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from .ruleset import And, Atom, Distinct, Formula, Not, Or, Rule
from .terms import Pattern, Variable, variables_of

Variables = frozenset[Variable]
NOTHING: Variables = frozenset()


def bound_by(formulas: Iterable[Formula]) -> Variables:
    """The variables a conjunction binds in each of its alternatives."""
    return NOTHING.union(*(_bound(formula, True) for formula in formulas))


def _bound(formula: Formula, positive: bool) -> Variables:
    match formula:
        case Atom(term):
            return frozenset(variables_of(term)) if positive else NOTHING
        case Distinct():
            return NOTHING
        case Not(body):
            return _bound(body, not positive)
        case And(parts) | Or(parts):
            found = [_bound(part, positive) for part in parts]
            if isinstance(formula, And) == positive:
                return NOTHING.union(*found)
            return found[0].intersection(*found[1:]) if found else NOTHING


def unbound_uses(
    formulas: Iterable[Formula], bound: Variables, positive: bool = True
) -> Iterator[tuple[Atom | Distinct, Variable]]:
    """Negated atoms and comparisons with each variable that nothing binds in some alternative."""
    for formula in formulas:
        match formula:
            case Atom(term):
                if not positive:
                    yield from ((formula, variable) for variable in unbound((term,), bound))
            case Distinct(left, right):
                yield from ((formula, variable) for variable in unbound((left, right), bound))
            case Not(body):
                # Copying what is bound for each `not` of a long body would make it quadratic.
                here = _bound(body, not positive)
                yield from unbound_uses((body,), bound | here if here else bound, not positive)
            case And(parts) | Or(parts):
                if isinstance(formula, And) == positive:
                    inner = bound.union(*(_bound(part, positive) for part in parts))
                    yield from unbound_uses(parts, inner, positive)
                else:
                    for part in parts:
                        yield from unbound_uses((part,), bound | _bound(part, positive), positive)


def unbound(patterns: Iterable[Pattern], bound: Set[Variable]) -> list[Variable]:
    """The variables of some patterns that are not bound, each once, from left to right."""
    found = dict.fromkeys(variable for pattern in patterns for variable in variables_of(pattern))
    return [variable for variable in found if variable not in bound]


def free_variables(rule: Rule) -> list[Variable]:
    """The variables that make a rule unsafe, the head's first; a safe rule has none."""
    bound = bound_by(rule.body)
    found = dict.fromkeys(unbound((rule.head,), bound))
    found.update((variable, None) for _, variable in unbound_uses(rule.body, bound))
    return list(found)
