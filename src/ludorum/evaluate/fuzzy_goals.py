"""How near a state is to a goal: the truth of its rules in shades from 0 to 1.

A conjunction has the mean truth of its parts; a disjunction lies half way between its truest part and the
mean of all. So a state that needs one fact more is nearer than one that needs two, and one with many ways
left is nearer than one with few. Only formulas that hold have truth 1: negations are pushed down to facts,
which are either true or false (asp-player, section 15.2).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..asp.ground import GroundProgram, clock_of, ground_rules
from ..rules.ruleset import Ruleset
from ..rules.terms import Term, as_integer
from .ground_bodies import MEGABYTES, bodies_of, fluents_of

MOST_NODES = 6_000
"""The most conjunctions and disjunctions of a formula; a larger one costs more than it gains."""


class TooLargeError(Exception):
    """The formula has too many parts, or is cyclic."""


class FuzzyFormulas:
    """Some atoms of a ground program as formulas over facts. Each is evaluated once for a state."""

    def __init__(self, program: GroundProgram, atoms: Iterable[Term], most_nodes: int = MOST_NODES) -> None:
        """TooLargeError where the atoms have more parts than that."""
        self._reader = _Reader(program, most_nodes)
        self.roots: dict[Term, int] = {}
        for atom in atoms:
            number = program.numbers.get(atom)
            self.roots[atom] = self._reader.never if number is None else self._reader.node(number, True)
        self._nodes = self._reader.nodes
        self._leaves = self._reader.leaves

    def __len__(self) -> int:
        return len(self._nodes)

    def truths(self, facts: Collection[Term]) -> dict[Term, float]:
        """How true each atom is where exactly these facts hold."""
        values: list[float] = []
        for kind, parts in self._nodes:
            if kind == _LEAF:
                fact, wanted = self._leaves[parts[0]]
                values.append(1.0 if (fact in facts) == wanted else 0.0)
            elif kind == _ALL:
                values.append(sum([values[part] for part in parts]) / len(parts) if parts else 1.0)
            else:
                values.append(_any([values[part] for part in parts]))
        return {atom: values[node] for atom, node in self.roots.items()}


def _any(parts: list[float]) -> float:
    if not parts:
        return 0.0
    best = max(parts)
    return 1.0 if best == 1.0 else (best + sum(parts) / len(parts)) / 2


_LEAF, _ALL, _ANY = range(3)
_Node = tuple[int, tuple[int, ...]]


class _Reader:
    """Rules as nodes over facts, each after those it is made of. Equal nodes are one."""

    def __init__(self, program: GroundProgram, most_nodes: int) -> None:
        self.most_nodes = most_nodes
        self.nodes: list[_Node] = []
        self.leaves: list[tuple[Term, bool]] = []
        self._known: dict[_Node, int] = {}
        self._atoms: dict[tuple[int, bool], int | None] = {}
        self._facts = set(program.facts.tolist())
        self._inputs = fluents_of(program)
        self._bodies = bodies_of(program)
        self.never = self._add((_ANY, ()))

    def node(self, atom: int, holds: bool) -> int:
        """The node of an atom, or of its negation."""
        if (atom, holds) not in self._atoms:
            self._atoms[atom, holds] = None
            self._atoms[atom, holds] = self._made(atom, holds)
        found = self._atoms[atom, holds]
        if found is None:
            raise TooLargeError("the formula goes in a circle")
        return found

    def _made(self, atom: int, holds: bool) -> int:
        if atom in self._inputs:
            self.leaves.append((self._inputs[atom], holds))
            return self._add((_LEAF, (len(self.leaves) - 1,)))
        if atom in self._facts:
            return self._add((_ALL if holds else _ANY, ()))
        # De Morgan: false if each body has something false in it.
        each, whole = (_ALL, _ANY) if holds else (_ANY, _ALL)
        bodies = [
            self._joined(each, [self.node(other, is_negated != holds) for other, is_negated in body])
            for body in self._bodies.get(atom, ())
        ]
        return self._joined(whole, bodies)

    def _joined(self, kind: int, parts: list[int]) -> int:
        return parts[0] if len(parts) == 1 else self._add((kind, tuple(parts)))

    def _add(self, node: _Node) -> int:
        if node not in self._known:
            if len(self.nodes) >= self.most_nodes:
                raise TooLargeError(f"the formula has more than {self.most_nodes} parts")
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return self._known[node]


def goal_formulas(
    rules: Ruleset, seconds: float | None = None, most_nodes: int = MOST_NODES
) -> tuple[FuzzyFormulas, dict[Term, Term]]:
    """The best goal of each role as a formula, and which atom is the best goal of which role.

    GroundingError or TooLargeError where rules are too large for that. Without ``seconds`` the memory of the
    ground rules is the only bound.
    """
    program = ground_rules(rules, clock_of(seconds), MEGABYTES)
    best: dict[Term, Term] = {}
    for role in program.roles:
        own = [
            (value, atom)
            for atom in program.numbers
            if atom.signature == ("goal", 2) and atom.args[0] is role
            for value in [_value(atom)]
            if value is not None
        ]
        if own:
            best[role] = max(own, key=lambda each: each[0])[1]
    try:
        return FuzzyFormulas(program, best.values(), most_nodes), best
    except RecursionError as error:
        raise TooLargeError("the formula is nested too deeply") from error


def _value(goal: Term) -> int | None:
    value = goal.args[1]
    return as_integer(value) if isinstance(value, Term) else None
