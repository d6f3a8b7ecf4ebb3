"""The feature of comparisons: by how much one number of a state is greater than another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import ClassVar

from ...rules.ruleset import Atom
from ...rules.terms import Term, Variable
from .argument_graphs import OrderGraph
from .conjunctions import Conjunction, components, variables_in
from .count_chains import CountChain
from .feature_values import TruthValues
from .leaf import LeafPosition, LeafQuery
from .relations import Relations


@dataclass(frozen=True)
class Side:
    """Where the values of one part of a comparison come from."""

    query: LeafQuery
    chain: CountChain | None
    """How to count where the query has no rows yet."""

    def values(self, position: LeafPosition) -> list[dict[Variable, Term]]:
        rows = position.rows(self.query)
        if not rows and self.chain is not None:
            rows = self.chain.rows(position, self.query.variables)
        return [dict(zip(self.query.variables, row, strict=True)) for row in rows]


@dataclass(frozen=True)
class OrderMargin:
    """How far above or below each other two values are, by the longest way along their order."""

    whole: LeafQuery
    sides: tuple[Side, ...]
    greater: Variable
    """The first argument of the relation, and the second."""
    less: Variable
    order: OrderGraph = field(compare=False, repr=False)
    text: str
    line: int
    kind: ClassVar[str] = "order"

    @property
    def asks(self) -> tuple[LeafQuery, ...]:
        chains = [side.chain.asks for side in self.sides if side.chain is not None]
        return (*(side.query for side in self.sides), *(query for asked in chains for query in asked))

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        holds, margin = position.holds(self.whole), self.margin(position)
        if margin is None:
            return values.default(holds)
        # Counts of chains may be compared before the whole can hold.
        return values.of_truth(max(margin, 0.0)) if holds or margin > 0 else values.of_falsity(margin)

    def margin(self, position: LeafPosition) -> float | None:
        """The best margin of all pairs; None where no two values can be compared."""
        found = [self.order.margin(one, other) for one, other in self._pairs(position)]
        return max((margin for margin in found if margin is not None), default=None)

    def _pairs(self, position: LeafPosition) -> Iterator[tuple[Term, Term]]:
        for chosen in product(*(side.values(position) for side in self.sides)):
            values = {variable: value for part in chosen for variable, value in part.items()}
            yield values[self.greater], values[self.less]


def compared(literals: Conjunction, relations: Relations) -> tuple[Atom, OrderGraph] | None:
    """The literal of a conjunction that compares two of its variables by an order, and that order."""
    for literal in literals:
        if not isinstance(literal, Atom) or len(set(literal.term.args)) != 2 or len(literal.term.args) != 2:
            continue
        if not all(isinstance(arg, Variable) for arg in literal.term.args):
            continue
        rest = tuple(one for one in literals if one is not literal)
        bound = set(variables_in(one for one in rest if isinstance(one, Atom)))
        order = relations.order(literal.term.signature) if bound.issuperset(literal.term.args) else None
        if order is not None:
            return literal, order
    return None


def parts_without(literals: Conjunction, comparison: Atom) -> list[Conjunction]:
    """What the compared values come from."""
    return components(tuple(one for one in literals if one is not comparison))
