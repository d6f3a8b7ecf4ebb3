"""Bottom-up evaluation of a few rules in plain Python: slow, small, and free of any solver.

For static relations of moderate size; engines have better means for everything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ruleset import Atom, Distinct, Not, Rule, formula_variables
from ..terms import Signature, Substitution, Term, match, substitute
from .expand_connectives import Literal


class TooManyRowsError(Exception):
    """A relation has more rows than were allowed."""


class Rows:
    """The rows of relations, with an index for each set of known arguments that was asked for."""

    def __init__(self) -> None:
        self.rows: dict[Signature, dict[Term, None]] = {}
        self._indexes: dict[tuple[Signature, tuple[int, ...]], dict[tuple[object, ...], list[Term]]] = {}

    def add(self, row: Term) -> bool:
        """Whether the row is new."""
        known = self.rows.setdefault(row.signature, {})
        if row in known:
            return False
        known[row] = None
        for (signature, positions), index in self._indexes.items():
            if signature == row.signature:
                index.setdefault(tuple(row.args[at] for at in positions), []).append(row)
        return True

    def matching(self, pattern: Term) -> Sequence[Term]:
        """The rows that agree with the ground arguments of a pattern."""
        positions = tuple(at for at, arg in enumerate(pattern.args) if arg.is_ground)
        key = (pattern.signature, positions)
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = {}
            for row in self.rows.get(pattern.signature, ()):
                index.setdefault(tuple(row.args[at] for at in positions), []).append(row)
        return index.get(tuple(pattern.args[at] for at in positions), ())


def derive_rows(rules: Sequence[Rule], known: Rows, limit: int) -> None:
    """Add to ``known`` what the rules of one stratum derive from it; TooManyRowsError beyond ``limit`` rows.

    Bodies are lists of literals; relations under ``not`` must be complete already.
    """
    orders = [(rule, _in_binding_order(rule)) for rule in rules]
    count = 0
    grown = True
    while grown:
        grown = False
        for rule, body in orders:
            # Collected first: the rule may read the relation it adds to.
            for row in [substitute(rule.head, values) for values in _solutions(body, known, {})]:
                assert isinstance(row, Term)
                if known.add(row):
                    grown = True
                    count += 1
                    if count > limit:
                        raise TooManyRowsError


def _in_binding_order(rule: Rule) -> list[Literal]:
    """Positive literals that share variables with what came before first, tests as soon as they are bound."""
    rest: list[Literal] = list(rule.body)  # type: ignore[arg-type]
    found: list[Literal] = []
    bound: set[object] = set()
    while rest:
        tests = [
            one for one in rest if not isinstance(one, Atom) and bound.issuperset(formula_variables(one))
        ]
        atoms = [one for one in rest if isinstance(one, Atom)]
        chosen = tests[0] if tests else min(atoms, key=lambda atom: _free_share(atom, bound))
        rest.remove(chosen)
        found.append(chosen)
        bound.update(formula_variables(chosen))
    return found


def _free_share(atom: Atom, bound: set[object]) -> float:
    variables = set(formula_variables(atom))
    return len(variables - bound) / max(len(variables), 1)


def _solutions(body: Sequence[Literal], known: Rows, values: Substitution) -> Iterator[Substitution]:
    if not body:
        yield values
        return
    first, rest = body[0], body[1:]
    if isinstance(first, Atom):
        pattern = substitute(first.term, values)
        assert isinstance(pattern, Term)
        for row in list(known.matching(pattern)):
            extended = match(pattern, row, values)
            if extended is not None:
                yield from _solutions(rest, known, extended)
    elif _holds(first, known, values):
        yield from _solutions(rest, known, values)


def _holds(test: Literal, known: Rows, values: Substitution) -> bool:
    match test:
        case Distinct(left, right):
            return substitute(left, values) is not substitute(right, values)
        case Not(Distinct() as body):
            return not _holds(body, known, values)
        case Not(Atom(term)):
            return substitute(term, values) not in known.rows.get(term.signature, {})
    raise TypeError(f"not a test: {test}")
