"""Goals as one graph: conjunctions and disjunctions over leaves, equal ones only once, negation on the edges.

A part of a node is an *edge*: the number of a node, times two, plus one where it is negated. What is true or
false whatever the leaves are is no node: while a theory is built, ``True`` and ``False`` stand for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

Edge = int
Formula = int | bool
"""An edge, or a constant. Constants are instances of ``bool``, which is looked at first everywhere."""


class Kind(Enum):
    LEAF = "leaf"
    ALL = "all"
    ANY = "any"


@dataclass(frozen=True)
class TheoryNode:
    """A leaf, or a conjunction or disjunction of two or more different parts."""

    kind: Kind
    parts: tuple[Edge, ...] = ()


MOST_TAKEN_APART = 128
"""Parts of a part: where more are shared by many nodes, each would get a copy of a long list."""


class TooManyNodesError(Exception):
    """The formulas have more parts than were allowed."""


class Theory:
    """Nodes, each after all its parts; leaves are named by whatever tells whether they hold."""

    def __init__(self, most_nodes: int | None = None, *, flat: bool = False) -> None:
        """``flat``: parts of a node that are of its kind are taken apart, if that makes not too many."""
        self.nodes: list[TheoryNode] = []
        self.leaves: dict[int, Hashable] = {}
        self._most_nodes = most_nodes
        self._flat = flat
        self._inner = 0
        self._numbers: dict[TheoryNode | Hashable, int] = {}

    def __len__(self) -> int:
        return len(self.nodes)

    def leaf(self, name: Hashable) -> Edge:
        found = self._numbers.get(("leaf", name))
        if found is None:
            found = self._numbers[("leaf", name)] = len(self.nodes)
            self.nodes.append(TheoryNode(Kind.LEAF))
            self.leaves[found] = name
        return 2 * found

    def all_of(self, parts: Iterable[Formula]) -> Formula:
        return self._joined(Kind.ALL, parts)

    def any_of(self, parts: Iterable[Formula]) -> Formula:
        return self._joined(Kind.ANY, parts)

    def _joined(self, kind: Kind, parts: Iterable[Formula]) -> Formula:
        """The node of these parts, or what it comes to: a constant, or its only part."""
        decides = (
            kind is Kind.ANY
        )  # one true part makes a disjunction true, one false part a conjunction false
        edges: dict[Edge, None] = {}
        for part in parts:
            if isinstance(part, bool):
                if part is decides:
                    return decides
            else:
                edges.update(dict.fromkeys(self._parts_of(kind, part)))
        if any(edge ^ 1 in edges for edge in edges):
            return decides
        if len(edges) < 2:
            return next(iter(edges), not decides)
        return 2 * self._add(TheoryNode(kind, tuple(edges)))

    def _parts_of(self, kind: Kind, edge: Edge) -> tuple[Edge, ...]:
        """What a part of a node of this kind adds to it."""
        node = self.nodes[edge >> 1]
        is_alike = self._flat and not edge & 1 and node.kind is kind and len(node.parts) <= MOST_TAKEN_APART
        return node.parts if is_alike else (edge,)

    def _add(self, node: TheoryNode) -> int:
        found = self._numbers.get(node)
        if found is None:
            if self._most_nodes is not None and self._inner >= self._most_nodes:
                raise TooManyNodesError(f"the goals have more than {self._most_nodes} parts")
            self._inner += 1
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return found

    def add_apart(self, node: TheoryNode) -> int:
        """A node even where there is an equal one, or with one part: for networks in which they differ."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def below(self, roots: Iterable[Edge]) -> list[int]:
        """All nodes that these are made of, themselves included, parts first."""
        wanted = {root >> 1 for root in roots}
        for number in range(len(self.nodes) - 1, -1, -1):
            if number in wanted:
                wanted.update(part >> 1 for part in self.nodes[number].parts)
        return sorted(wanted)

    def truth(self, formula: Formula, holds: Callable[[Hashable], bool]) -> bool:
        """Whether a formula holds where these leaves do: slow, and plainly right."""
        if isinstance(formula, bool):
            return formula
        node, negated = self.nodes[formula >> 1], bool(formula & 1)
        if node.kind is Kind.LEAF:
            return holds(self.leaves[formula >> 1]) != negated
        test = all if node.kind is Kind.ALL else any
        return test(self.truth(part, holds) for part in node.parts) != negated


def negated(formula: Formula) -> Formula:
    return not formula if isinstance(formula, bool) else formula ^ 1


Clauses = Mapping[Hashable, Sequence[Sequence[tuple[Hashable, bool]]]]
"""Of each atom its bodies; of each literal in a body its atom, and whether it is negated."""


class CircleError(Exception):
    """An atom depends on itself."""


class ClauseReader:
    """Ground clauses as formulas: a conjunction for each, and a disjunction for each atom with several."""

    def __init__(
        self,
        theory: Theory,
        clauses: Clauses,
        constants: Mapping[Hashable, bool],
        leaf_names: Mapping[Hashable, Hashable] | None = None,
    ) -> None:
        """Atoms that have neither clauses nor a constant value are leaves, by names of their own or these."""
        self._theory = theory
        self._clauses = clauses
        self._constants = constants
        self._leaf_names = leaf_names or {}
        self._known: dict[Hashable, Formula | None] = {}

    def formula(self, atom: Hashable) -> Formula:
        if atom in self._constants:
            return self._constants[atom]
        if atom not in self._clauses:
            return self._theory.leaf(self._leaf_names.get(atom, atom))
        if atom not in self._known:
            self._known[atom] = None
            self._known[atom] = self._theory.any_of([self._conjunction(body) for body in self._clauses[atom]])
        found = self._known[atom]
        if found is None:
            raise CircleError(f"{atom} depends on itself")
        return found

    def _conjunction(self, body: Sequence[tuple[Hashable, bool]]) -> Formula:
        literals = [(self.formula(atom), is_negated) for atom, is_negated in body]
        return self._theory.all_of(
            [negated(formula) if is_negated else formula for formula, is_negated in literals]
        )
