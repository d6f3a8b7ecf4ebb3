"""What a sheet says of its relations: which never change, with their rows, which depend on themselves, and
what can stand at their arguments. No rule is instantiated for that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

from ...engine.errors import GameError
from ...engine.lifted import NO_STATE, LiftedGame
from ...engine.lifted_program import Limits
from ...rules.dependencies import Dependencies
from ...rules.normalise.estimate_domains import MAX_DEPTH, Domains, Place, variable_places
from ...rules.normalise.expand_connectives import expand_connectives
from ...rules.ruleset import Rule, Ruleset
from ...rules.terms import Pattern, Signature, Term, Variable, as_integer, match, sort_key
from .argument_graphs import OrderGraph, Pair

MOST_ROWS = 100_000
"""A relation that never changes and has more rows is derived where it is asked for."""
MOST_TERMS = 4096
"""A variable that may have more values is not instantiated."""
_LIMITS = Limits(rows=2_000_000, terms=1_000_000, steps=30_000_000, depth=100)
TRUE: Signature = ("true", 1)
DOES: Signature = ("does", 2)


class Relations:
    """The relations of a sheet whose rules have bodies of plain literals."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = expand_connectives(rules)
        graph = Dependencies(self.rules)
        inputs = [TRUE, DOES]
        self._moving = graph.users_of(inputs) | set(inputs)
        self.recursive = frozenset(
            one
            for group in graph.components
            for one in group
            if len(group) > 1 or one in graph.uses.get(one, ())
        )
        """Relations that depend on themselves."""
        self._rows: dict[Signature, FixedRows | None] = {}
        self._orders: dict[Signature, OrderGraph | None] = {}

    @property
    def by_signature(self) -> Mapping[Signature, Sequence[Rule]]:
        return self.rules.by_signature

    def rows(self, signature: Signature) -> FixedRows | None:
        """The rows of a relation that never changes; None where it does, or has too many."""
        if signature in self._moving:
            return None
        if signature not in self._rows:
            self._rows[signature] = self._read(signature)
        return self._rows[signature]

    @property
    def derives_facts(self) -> bool:
        """Whether rules say of some facts that they hold, so that the facts of a state are not all."""
        return TRUE in self.by_signature

    @cached_property
    def roles(self) -> tuple[Term, ...]:
        rows = self.rows(("role", 1))
        derived = [role for row in rows or () if isinstance(role := row.args[0], Term)]
        return tuple(dict.fromkeys([*self.rules.roles, *derived]))

    @cached_property
    def goal_values(self) -> list[int]:
        """The values that some goal may have, the least first."""
        found = self.terms_at((("goal", 2), 1))
        if found is None:
            heads = (rule.head.args[1] for rule in self.by_signature.get(("goal", 2), ()))
            found = [value for value in heads if isinstance(value, Term)]
        return sorted({number for value in found if (number := as_integer(value)) is not None})

    def is_recursive(self, signature: Signature) -> bool:
        """Whether a relation depends on itself and its rows are not known beforehand."""
        return signature in self.recursive and self.rows(signature) is None

    def changes(self, signature: Signature) -> bool:
        """Whether the rows of a relation depend on the state."""
        return signature in self._moving

    def pairs(self, signature: Signature) -> frozenset[Pair] | None:
        """The rows of a relation between two symbols that never changes."""
        rows = self.rows(signature) if signature[1] == 2 else None
        return None if rows is None else frozenset((row.args[0], row.args[1]) for row in rows)  # type: ignore[misc]

    def order(self, signature: Signature) -> OrderGraph | None:
        """The order that a relation is, if it is one with steps upon steps."""
        if signature not in self._orders:
            self._orders[signature] = self._find_order(signature)
        return self._orders[signature]

    def _find_order(self, signature: Signature) -> OrderGraph | None:
        pairs = self.pairs(signature)
        if pairs is None:
            return None
        try:
            found = OrderGraph(pairs)
        except ValueError:
            return None
        return found if found.longest > 1 else None

    def _read(self, signature: Signature) -> FixedRows | None:
        rules = self.by_signature.get(signature, ())
        if all(not rule.body and rule.head.is_ground for rule in rules):
            return FixedRows(dict.fromkeys(rule.head for rule in rules))
        # A program of its own for each: once its limits are reached it answers nothing.
        try:
            asked = self.rules.with_rules(Dependencies(self.rules).slice([signature]))
            game = LiftedGame(asked, "rows", _LIMITS)
            found = game.ask(game.program, signature, NO_STATE)
        except GameError:
            return None
        if len(found) > MOST_ROWS:
            return None
        made = (Term(signature[0], row) for row in found)
        return FixedRows(dict.fromkeys(sorted(made, key=sort_key)))

    @cached_property
    def _domains(self) -> Domains:
        return Domains(self.rules)

    def values_of(self, variable: Variable, atoms: Sequence[Term]) -> list[Term] | None:
        """What a variable of these atoms can be; None where that is too much."""
        found: set[Term] | None = None
        for atom in atoms:
            for other, place in variable_places(atom):
                if other is variable:
                    here = self.terms_at(place)
                    if here is not None:
                        found = set(here) if found is None else found & set(here)
        return None if found is None else sorted(found, key=sort_key)

    def terms_at(self, place: Place) -> list[Term] | None:
        """The ground terms that may stand at a place, or None where they are too many to be listed."""
        if not self._domains.complete:
            return None
        found: list[Term] = []
        for name, arity in self._domains.symbols.get(place, ()):
            if not arity:
                found.append(Term(name))
                continue
            if len(place) + 2 > MAX_DEPTH:
                return None
            columns = [self.terms_at((*place, (name, arity), at)) for at in range(arity)]
            size = 1
            for column in columns:
                if column is None:
                    return None
                size *= len(column)
            if size > MOST_TERMS:
                return None
            found += [Term(name, args) for args in product(*(column for column in columns if column))]
        return found if len(found) <= MOST_TERMS else None


class FixedRows:
    """The rows of one relation, found by any of their arguments."""

    def __init__(self, rows: Mapping[Term, None]) -> None:
        self._rows = rows
        self._by_places: dict[tuple[int, ...], dict[tuple[Pattern, ...], list[Term]]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[Term]:
        return iter(self._rows)

    def __contains__(self, row: object) -> bool:
        return row in self._rows

    def matching(self, pattern: Term) -> list[Term]:
        """The rows that a pattern can stand for."""
        near = self._near(pattern)
        plain = [arg for arg in pattern.args if isinstance(arg, Variable)]
        simple = len(set(plain)) == len(plain) == sum(not arg.is_ground for arg in pattern.args)
        return near if simple else [row for row in near if match(pattern, row, {}) is not None]

    def _near(self, pattern: Term) -> list[Term]:
        """The rows with the ground arguments of a pattern."""
        places = tuple(at for at, arg in enumerate(pattern.args) if arg.is_ground)
        index = self._by_places.get(places)
        if index is None:
            index = self._by_places[places] = {}
            for row in self._rows:
                index.setdefault(tuple(row.args[at] for at in places), []).append(row)
        return index.get(tuple(pattern.args[at] for at in places), [])
