"""Most general unifiers: the values of variables that make two patterns equal."""

from __future__ import annotations

from .terms import Pattern, Substitution, Term, Variable, variables_of


def unify(left: Pattern, right: Pattern, values: Substitution | None = None) -> Substitution | None:
    """Values that make both patterns equal, extending ``values``; None if there are none.

    Values may mention other bound variables: apply them with ``resolve``. Variables of the two patterns that
    bear the same name are the same variable.
    """
    found = dict(values or {})
    return found if _unify(left, right, found) else None


def resolve(pattern: Pattern, values: Substitution) -> Pattern:
    """The pattern with all values put in, values of values as well."""
    if isinstance(pattern, Variable):
        value = values.get(pattern)
        return pattern if value is None else resolve(value, values)
    if pattern.is_ground:
        return pattern
    return Term(pattern.name, tuple(resolve(arg, values) for arg in pattern.args))


def _unify(left: Pattern, right: Pattern, values: Substitution) -> bool:
    left, right = _walk(left, values), _walk(right, values)
    if left is right:
        return True
    if isinstance(left, Variable):
        return _bind(left, right, values)
    if isinstance(right, Variable):
        return _bind(right, left, values)
    if left.signature != right.signature:
        return False
    return all(_unify(one, other, values) for one, other in zip(left.args, right.args, strict=True))


def _walk(pattern: Pattern, values: Substitution) -> Pattern:
    while isinstance(pattern, Variable) and pattern in values:
        pattern = values[pattern]
    return pattern


def _bind(variable: Variable, pattern: Pattern, values: Substitution) -> bool:
    # A term cannot contain itself: without this check f(x) = x would have a value that never ends.
    if variable in variables_of(resolve(pattern, values)):
        return False
    values[variable] = pattern
    return True
