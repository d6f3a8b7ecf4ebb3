"""Estimates of the rows of relations and the instances of rules, by which rewrites choose.

The estimate is that of database planners (Selinger and others 1979): columns are independent, and a variable
at several places keeps the values of the smallest. Facts are counted; for fluents all rows that their places
allow are assumed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from itertools import chain
from math import prod
from typing import TypeAlias

from ..dependencies import Dependencies
from ..ruleset import Rule, Ruleset
from ..terms import Pattern, Signature, Term, Variable, variables_of
from .estimate_domains import Domains, Place, place_of, positive_atoms, variable_places

Key: TypeAlias = tuple[Signature, Signature | None]
"""A relation; for facts and moves together with their function, which tells ``cell`` from ``step``."""

FUNCTION_AT: dict[Signature, int] = {
    ("true", 1): 0, ("next", 1): 0, ("init", 1): 0, ("does", 2): 1, ("legal", 2): 1,
}  # fmt: skip
"""The argument whose function says what a row is about."""

CEILING = 1e90
"""The largest estimate: beyond it all sizes are equally infeasible."""


class Sizes:
    """Estimated sizes of relations and joins for one ruleset whose bodies are lists of literals."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.domains = Domains(ruleset)
        self._rows: dict[Key, float] = {}
        self._keys: dict[Signature, list[Key]] = {}
        self._columns: dict[Place, float] = {}
        for component in Dependencies(ruleset).components:
            rules = [rule for signature in component for rule in ruleset.by_signature.get(signature, ())]
            self._add_component(component, rules)

    def join(self, atoms: Sequence[Term]) -> float:
        """How many ways there are to satisfy all atoms at once."""
        places: dict[Variable, list[float]] = {}
        total = 1.0
        for atom in atoms:
            total *= self.matches(atom)
            for variable, place in variable_places(atom):
                places.setdefault(variable, []).append(self.column(place))
        everything = 1.0
        for sizes in places.values():
            sizes.sort()
            # All but the smallest place filter; a place without values has made the total zero.
            total /= prod(max(size, 1.0) for size in sizes[1:])
            everything *= sizes[0]
        return min(total, everything, CEILING)

    def matches(self, atom: Term) -> float:
        """How many rows of its relation fit an atom whose variables are free and different."""
        rows = self._rows_of(atom)
        for place, pattern in _leaves(place_of(atom), atom):
            if isinstance(pattern, Term):
                rows /= max(self.column(place), 1.0)
        return rows

    def matches_given(self, atom: Term, bound: Set[Variable]) -> float:
        """How many rows fit an atom once some of its variables have values."""
        rows = self.matches(atom)
        for variable, place in variable_places(atom):
            if variable in bound:
                rows /= max(self.column(place), 1.0)
        return rows

    def rows(self, signature: Signature) -> float:
        """How many rows a relation may have."""
        return sum(self._rows[key] for key in self._keys.get(signature, ()))

    def column(self, place: Place) -> float:
        """How many different terms may stand at a place."""
        known = self._columns.get(place)
        return self.domains.size(place) if known is None else known

    def define(self, head: Term, atoms: Sequence[Term]) -> None:
        """Add a new relation over variables that a join defines."""
        places: dict[Variable, list[float]] = {}
        for atom in atoms:
            for variable, place in variable_places(atom):
                places.setdefault(variable, []).append(self.column(place))
        for argument, arg in enumerate(head.args):
            assert isinstance(arg, Variable)
            self._columns[(head.signature, argument)] = min(places[arg])
        self._set(key_of(head), min(self.join(atoms), prod(min(places[arg]) for arg in variables_of(head))))

    def scale(self, signature: Signature, factor: float) -> None:
        """Lower the estimate of a relation."""
        for key in self._keys[signature]:
            self._rows[key] *= factor

    def _rows_of(self, atom: Term) -> float:
        key = key_of(atom)
        if atom.signature == ("true", 1):
            return self._everything(atom)
        if atom.signature == ("does", 2):
            key = (("legal", 2), key[1])
        if key[0] not in FUNCTION_AT:
            return self._rows.get(key, 0.0)
        if key[1] is None:
            return sum(self._rows.get(known, 0.0) for known in self._keys.get(key[0], ()))
        rows = self._rows.get(key, 0.0)
        # A rule for `legal ?role ?move` makes moves of any function.
        of_any = self._rows.get((key[0], None), 0.0)
        return min(rows + of_any, self._everything(atom)) if of_any else rows

    def _everything(self, atom: Term) -> float:
        """All rows that the places of an atom allow."""
        place, which = place_of(atom), FUNCTION_AT.get(atom.signature)
        total = 1.0
        for argument, arg in enumerate(atom.args):
            here = (*place, argument)
            if argument == which and isinstance(arg, Term):
                total *= prod(self.column((*here, arg.signature, inner)) for inner in range(arg.arity))
            else:
                total *= self.column(here)
        return min(total, CEILING)

    def _add_component(self, component: Iterable[Signature], rules: Sequence[Rule]) -> None:
        inside = set(component)
        for rule in rules:
            atoms = list(positive_atoms(rule))
            # Rows of recursive relations may grow to all that their places allow.
            recursive = any(atom.signature in inside for atom in atoms)
            rows = self._everything(rule.head) if recursive else self._projected(rule.head, atoms)
            key = key_of(rule.head)
            self._set(key, min(self._rows.get(key, 0.0) + rows, CEILING))
        for rule in rules:
            key = key_of(rule.head)
            if key[1] is not None or key[0] not in FUNCTION_AT:
                self._rows[key] = min(self._rows[key], max(self._everything(rule.head), 1.0))

    def _projected(self, head: Term, atoms: Sequence[Term]) -> float:
        if head.is_ground:
            return 1.0
        sizes: dict[Variable, float] = {}
        for variable, place in chain.from_iterable(map(variable_places, atoms)):
            sizes[variable] = min(sizes.get(variable, CEILING), self.column(place))
        return min(self.join(atoms), prod(sizes.get(variable, 1.0) for variable in set(variables_of(head))))

    def _set(self, key: Key, rows: float) -> None:
        if key not in self._rows:
            self._keys.setdefault(key[0], []).append(key)
        self._rows[key] = rows


def estimated_instances(ruleset: Ruleset) -> float:
    """How many instances the rules have together."""
    sizes = Sizes(ruleset)
    return sum(sizes.join(list(positive_atoms(rule))) for rule in ruleset.rules if rule.body)


def key_of(atom: Term) -> Key:
    which = FUNCTION_AT.get(atom.signature)
    arg = atom.args[which] if which is not None else None
    return (atom.signature, arg.signature if isinstance(arg, Term) else None)


def _leaves(place: Place, term: Term) -> Iterable[tuple[Place, Pattern]]:
    """Variables and constants of an atom with their places, functions opened."""
    for argument, arg in enumerate(term.args):
        here = (*place, argument)
        if isinstance(arg, Term) and arg.args:
            yield from _leaves((*here, arg.signature), arg)
        else:
            yield here, arg
