"""Which argument places hold the same kind of thing: roles, coordinates, marks.

Two places belong together when a variable of some rule stands in both; the places of ``init``, ``true`` and
``next`` are one, so are those of moves and those of roles (asp-player, section 9.6, as equivalence classes).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from ..ruleset import Rule, Ruleset, signed_atoms
from ..terms import Pattern, Term, Variable

Place: TypeAlias = tuple[str, str, int, int]
"""Relation (``r``) or function (``f``), its name, its arity, and the number of the argument."""

ROLE: Place = ("r", "role", 1, 0)
FLUENT: Place = ("r", "true", 1, 0)
MOVE: Place = ("r", "does", 2, 1)

_SAME = {
    ("r", "init", 1, 0): FLUENT,
    ("r", "next", 1, 0): FLUENT,
    ("r", "base", 1, 0): FLUENT,
    ("r", "legal", 2, 1): MOVE,
    ("r", "input", 2, 1): MOVE,
    **{("r", keyword, 2, 0): ROLE for keyword in ("does", "legal", "goal", "sees", "input")},
}


class ArgumentClasses:
    """The classes of a sheet, with the terms that stand in each."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._parent: dict[Place, Place] = {}
        self._terms: dict[Place, dict[Term, None]] = {}
        for rule in ruleset.rules:
            self._join(rule)

    def class_of(self, rule: Rule, variable: Variable) -> Place | None:
        """The class of the first place where a variable of a rule stands."""
        for place, pattern in _places(rule):
            if pattern is variable:
                return self.find(place)
        return None

    def is_role(self, place: Place) -> bool:
        return self.find(place) == self.find(ROLE)

    def terms(self, place: Place) -> list[Term]:
        """The terms rules put into a class, in text order."""
        return list(self._by_class.get(self.find(place), ()))

    @cached_property
    def _by_class(self) -> dict[Place, dict[Term, None]]:
        found: dict[Place, dict[Term, None]] = {}
        for place, terms in self._terms.items():
            found.setdefault(self.find(place), {}).update(terms)
        return found

    def _join(self, rule: Rule) -> None:
        first: dict[Variable, Place] = {}
        for place, pattern in _places(rule):
            if isinstance(pattern, Variable):
                self._unite(first.setdefault(pattern, place), place)
            else:
                self._terms.setdefault(place, {})[pattern] = None

    def find(self, place: Place) -> Place:
        """The place that stands for the class of a place."""
        place = _SAME.get(place, place)
        while (above := self._parent.get(place, place)) != place:
            self._parent[place] = self._parent.get(above, above)
            place = above
        return place

    def _unite(self, one: Place, other: Place) -> None:
        one, other = self.find(one), self.find(other)
        if one != other:
            self._parent[other] = one


def _places(rule: Rule) -> Iterator[tuple[Place, Pattern]]:
    yield from places_in("r", rule.head)
    for atom, _ in signed_atoms(rule.body):
        yield from places_in("r", atom.term)


def places_in(kind: str, term: Term) -> Iterator[tuple[Place, Pattern]]:
    """Each argument of a relation's or function's term with its place, and those inside it."""
    for index, arg in enumerate(term.args):
        place = (kind, term.name, term.arity, index)
        yield _SAME.get(place, place), arg
        if isinstance(arg, Term) and arg.args:
            yield from places_in("f", arg)
