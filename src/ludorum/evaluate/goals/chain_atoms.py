"""Counting along a chain as atoms: one for each value that may come out of each link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...rules.terms import Substitution, Term, Variable, match, sort_key
from ...rules.unify import resolve
from .atom_circuit import AtomCircuit, AtomLiteral
from .count_chains import CountChain, Way
from .ground_atoms import MOST_RULES, NoCompiledFormError, Solutions
from .leaf import LeafQuery, Row

Found = Mapping[LeafQuery, Solutions]


def chain_atoms(
    chain: CountChain, variables: Sequence[Variable], solutions: Found, circuit: AtomCircuit
) -> dict[Row, int]:
    """The atom of each row of values of some variables of the result; exactly one holds."""
    values = _passed(chain.first, {(): circuit.always}, solutions, circuit, chain.otherwise)
    for link in chain.links:
        values = _passed(link, values, solutions, circuit)
        if circuit.rules > MOST_RULES:
            raise NoCompiledFormError("a chain of counts is too long")
    rows: dict[Row, list[int]] = {}
    for row, atom in values.items():
        found = dict(zip(chain.result, row, strict=True))
        rows.setdefault(tuple(found[variable] for variable in variables), []).append(atom)
    return {row: circuit.any_of(atoms) for row, atoms in rows.items()}


def _passed(
    ways: Sequence[Way],
    values: Mapping[Row, int],
    solutions: Found,
    circuit: AtomCircuit,
    otherwise: Row | None = None,
) -> dict[Row, int]:
    """What comes out of a link; where no way is open that is what goes in, or ``otherwise``."""
    found: dict[Row, list[int]] = {}
    for row, atom in values.items():
        shut: list[AtomLiteral] = [(atom, False)]
        for opened, outs in [
            (opened, outs) for way in ways for opened, outs in _openings(way, row, solutions)
        ]:
            if opened is None:
                found.setdefault(outs, []).append(circuit.atom_of([shut]))
                break
            found.setdefault(outs, []).append(circuit.atom_of([[*shut, (opened, False)]]))
            shut = [*shut, (opened, True)]
        else:
            left = row if otherwise is None else otherwise
            found.setdefault(left, []).append(circuit.atom_of([shut]))
    return {row: circuit.any_of(atoms) for row, atoms in found.items()}


def _openings(way: Way, row: Row, solutions: Found) -> Iterator[tuple[int | None, Row]]:
    """The atoms that open a way, with what comes out; the least comes first. None: it is always open."""
    known: Substitution | None = {}
    for pattern, value in zip(way.ins, row, strict=True):
        known = None if known is None else match(pattern, value, known)
    if known is None:
        return
    if way.query is None:
        yield None, _outs(way, known)
        return
    found = []
    for solution, atom in solutions[way.query].items():
        own = dict(zip(way.query.variables, solution, strict=True))
        if all(known.get(variable, value) is value for variable, value in own.items()):
            found.append((_outs(way, {**known, **own}), atom))
    yield from ((atom, outs) for outs, atom in sorted(found, key=lambda one: tuple(map(sort_key, one[0]))))


def _outs(way: Way, values: Substitution) -> Row:
    found = tuple(resolve(pattern, values) for pattern in way.outs)
    assert all(isinstance(value, Term) and value.is_ground for value in found)
    return found  # type: ignore[return-value]
