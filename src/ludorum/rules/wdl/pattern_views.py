"""What a player is told of all moves of one form: the view of a pattern, by cases of its variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..ruleset import Distinct
from ..terms import Pattern, Substitution, Term
from ..unify import resolve, unify
from .statements import VISIBLE
from .views import NOTHING


@dataclass(frozen=True)
class PatternView:
    """A view, and when it is right: some variables have these values, others differ from the viewer."""

    view: Pattern
    values: Substitution
    apart: tuple[Distinct, ...]


@dataclass(frozen=True)
class _Case:
    parts: tuple[Pattern, ...] = ()
    values: Substitution = field(default_factory=dict)
    apart: tuple[Distinct, ...] = ()


def views_of_pattern(move: Pattern, viewer: Term) -> Iterator[PatternView]:
    """All that a viewer may be told of moves of this form, whose names are resolved.

    >>> from ludorum.rules.kif import parse_pattern
    >>> for case in views_of_pattern(parse_pattern("(get (visible ?p ?card))"), Term("ann")):
    ...     print(case.view, {str(name): str(value) for name, value in case.values.items()}, len(case.apart))
    get {} 1
    (get ?card) {'?p': 'ann'} 0
    """
    for case in _cases(move, viewer):
        view = resolve(case.parts[0], case.values) if case.parts else NOTHING
        yield PatternView(view, case.values, case.apart)


def _cases(pattern: Pattern, viewer: Term) -> list[_Case]:
    if not isinstance(pattern, Term) or not pattern.args:
        return [_Case((pattern,))]
    if pattern.signature == (VISIBLE, 2):
        return list(_private_cases(pattern.args[0], pattern.args[1], viewer))
    found = [_Case()]
    for arg in pattern.args:
        inner = _cases(arg, viewer)
        found = [both for case in found for more in inner if (both := _joined(case, more)) is not None]
    return [_Case((Term(pattern.name, case.parts),), case.values, case.apart) for case in found]


def _private_cases(player: Pattern, told: Pattern, viewer: Term) -> Iterator[_Case]:
    values = unify(player, viewer)
    if values != {}:  # it may be for somebody else
        yield _Case((), {}, () if values is None else (Distinct(player, viewer),))
    if values is not None:
        for case in _cases(told, viewer):
            yield _Case(case.parts, {**values, **case.values}, case.apart)


def _joined(left: _Case, right: _Case) -> _Case | None:
    """Both cases at once; None where they contradict each other."""
    if any(left.values.get(variable, value) is not value for variable, value in right.values.items()):
        return None
    values = {**left.values, **right.values}
    apart = tuple(dict.fromkeys((*left.apart, *right.apart)))
    if any(resolve(one.left, values) is one.right for one in apart):
        return None
    return _Case((*left.parts, *right.parts), values, apart)
