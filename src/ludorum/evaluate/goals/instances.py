"""Instances of a conjunction whose literals share variables, by what never changes first.

``(true (cell ?c1 ?r x)) (succ ?c1 ?c2) (true (cell ?c2 ?r x))`` has as many instances as ``succ`` has rows,
times the rows of the board: relations that never change say which values go together. What is left over takes
all values that the rules can put at its places. Work is bounded by counts, so that every machine finds the
same.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.normalise.expand_connectives import Literal
from ...rules.ruleset import Atom, Distinct, Not
from ...rules.terms import Pattern, Substitution, Variable, match
from ...rules.unify import unify
from .conjunctions import (
    Conjunction,
    atoms_of,
    canonical,
    components,
    shared_variables,
    variables_in,
    with_values,
)
from .relations import Relations

MOST_INSTANCES = 512
MOST_TRIES = 100_000
NONE: frozenset[Variable] = frozenset()


class TooManyInstancesError(Exception):
    """A conjunction has more instances than are made, or takes too long to instantiate."""


class Instantiator:
    """Makes instances; ``tries`` counts the values that were put in."""

    def __init__(
        self, relations: Relations, most_instances: int = MOST_INSTANCES, most_tries: int = MOST_TRIES
    ) -> None:
        self._relations = relations
        self._most = most_instances
        self._most_tries = most_tries
        self.tries = 0

    def instances(self, literals: Conjunction, also: frozenset[Variable] = NONE) -> list[Conjunction]:
        """The conjunctions of which one holds where the whole does.

        ``also`` are variables to be given values although no two literals share them.
        """
        left = self._most_tries
        found: dict[Conjunction, None] = {}
        for instance in self._by_rows(literals, also):
            self.tries += 1
            left -= 1
            if instance is not None:
                found[canonical(instance)] = None
            if left <= 0 or len(found) > self._most:
                raise TooManyInstancesError
        return list(found)

    def _by_rows(self, literals: Conjunction, also: frozenset[Variable]) -> Iterator[Conjunction | None]:
        """Instances, and None for each value that was tried."""
        simple = simplified(literals, self._relations)
        if isinstance(simple, bool):
            if simple:
                yield ()
            return
        also = also & frozenset(variables_in(simple))
        if not also and len(components(simple)) > 1:
            yield simple
            return
        chosen = self._most_telling(simple)
        if chosen is not None:
            yield from self._each_row(chosen, simple, also)
            return
        wanted = shared_variables(simple) | also
        if wanted:
            yield from self._each_value(simple, wanted, also)
        else:
            yield simple

    def _most_telling(self, literals: Conjunction) -> Atom | None:
        """The literal with the fewest rows among those that never change."""
        found = [
            (len(rows.matching(one.term)), at)
            for at, one in enumerate(literals)
            if isinstance(one, Atom) and (rows := self._relations.rows(one.term.signature)) is not None
        ]
        chosen = literals[min(found)[1]] if found else None
        return chosen if isinstance(chosen, Atom) else None

    def _each_row(
        self, chosen: Atom, literals: Conjunction, also: frozenset[Variable]
    ) -> Iterator[Conjunction | None]:
        rows = self._relations.rows(chosen.term.signature)
        assert rows is not None
        rest = tuple(one for one in literals if one is not chosen)
        needed = {*variables_in(rest), *also}
        seen: set[tuple[Pattern, ...]] = set()
        for row in rows.matching(chosen.term):
            values = match(chosen.term, row, {}) or {}
            telling = {variable: value for variable, value in values.items() if variable in needed}
            key = tuple(telling.values())
            if key not in seen:
                seen.add(key)
                yield from self._tried(with_values(rest, telling), also)

    def _each_value(
        self, literals: Conjunction, variables: set[Variable], also: frozenset[Variable]
    ) -> Iterator[Conjunction | None]:
        """Each value of the variable that has fewest."""
        atoms = list(atoms_of(literals))
        choices = []
        for variable in variables:
            values = self._relations.values_of(variable, atoms)
            if values is not None:
                choices.append((len(values), variable.name, variable, values))
        if not choices:
            raise TooManyInstancesError
        _, _, variable, values = min(choices, key=lambda each: each[:2])
        for value in values:
            yield from self._tried(with_values(literals, {variable: value}), also)

    def _tried(self, literals: Conjunction, also: frozenset[Variable]) -> Iterator[Conjunction | None]:
        yield None
        yield from self._by_rows(literals, also)


def simplified(literals: Conjunction, relations: Relations) -> Conjunction | bool:
    """Without what is decided by relations that never change; where one row only fits, with its values."""
    while True:
        decisions = [(literal, _decided(literal, relations)) for literal in literals]
        if any(found is False for _, found in decisions):
            return False
        values = next((found for _, found in decisions if isinstance(found, dict) and found), {})
        literals = with_values([one for one, found in decisions if found is not True], values)
        if not values:
            return tuple(one for one, found in decisions if found is None) or True


def _decided(literal: Literal, relations: Relations) -> bool | Substitution | None:
    """Whether a literal holds, the only values with which it does, or None where a state tells."""
    match literal:
        case Distinct(left, right):
            values = unify(left, right)
            return values is None or (None if values else False)
        case Not(Distinct(left, right)):
            values = unify(left, right)
            return False if values is None else values or True
        case Not(Atom(term)):
            rows = relations.rows(term.signature)
            return term not in rows if rows is not None and term.is_ground else None
        case Atom(term):
            rows = relations.rows(term.signature)
            if rows is None:
                return None
            found = rows.matching(term)
            if len(found) == 1:
                return match(term, found[0], {}) or True
            return None if found else False
    return None
