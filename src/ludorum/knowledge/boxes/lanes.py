"""Many worlds at once: a ground program as Python code over whole numbers whose bits are worlds.

``worlds`` gives every atom a number with one bit for each world. ``rails`` is three-valued: for each lane the
atoms that may be true and those that must be, where both differ for open facts. It is quick and a bound: what
it calls impossible is, what it calls possible need not be.

The code is generated, since a loop over rules would take most of its time to find the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from .normal_program import Body, NormalProgram

MOST_TERMS = 40
"""Operands of one expression: the compiler recurses into longer ones."""

MOST_BITS = 500_000_000
"""Inputs times atoms up to which it is found out on which inputs an atom depends: some hundred megabytes."""

Numbers = Sequence[int]


class Slice:
    """The part of a program that some atoms depend on; compiled, unless it is for a few questions only."""

    def __init__(
        self, program: NormalProgram, base: Collection[int], roots: Iterable[int], compiled: bool = True
    ) -> None:
        self.program = program
        self.roots = tuple(sorted(set(roots)))
        self.place = {atom: at for at, atom in enumerate(self.roots)}
        self._components = program.components_of(self.roots)
        order = [atom for component in self._components for atom in component.atoms]
        given = set(base)
        self.inputs = tuple(atom for atom in order if atom in given)
        self.input_place = {atom: at for at, atom in enumerate(self.inputs)}
        self.input_set = frozenset(self.inputs)
        self.compiled = compiled
        self._cones: dict[int, frozenset[int]] = {}
        self.worlds: Callable[[Numbers, int], list[int]] = self._plain_worlds
        """Values of the inputs and the number with all lanes set; values of the roots."""
        self.rails: Callable[[Numbers, Numbers, int], tuple[list[int], list[int]]] = self._plain_rails
        """What inputs may and must be true; what roots may and must be."""
        if compiled:
            loops = [component.atoms for component in self._components if component.is_loop]
            writer = _Writer(program, order, loops, self.inputs, self.roots)
            self.worlds, self.rails = writer.function(["a"]), writer.function(["m", "k"])

    def _plain_worlds(self, inputs: Numbers, full: int) -> list[int]:
        (values,) = self._evaluate([inputs], full)
        return values

    def _plain_rails(self, may: Numbers, must: Numbers, full: int) -> tuple[list[int], list[int]]:
        may_be, must_be = self._evaluate([may, must], full)
        return may_be, must_be

    def _evaluate(self, inputs: list[Numbers], full: int) -> list[list[int]]:
        """The values of the roots on one rail, or on two whose negations cross."""
        rails = [dict(zip(self.inputs, own, strict=True)) for own in inputs]
        crossed = rails[::-1]
        bodies = self.program.bodies
        for component in self._components:
            changed = True
            while changed:
                changed = False
                for atom in component.atoms:
                    for rail, other in zip(rails, crossed, strict=True):
                        before = rail.get(atom, 0)
                        value = before
                        for positive, negative in bodies[atom]:
                            value |= _conjunction(positive, negative, rail, other, full)
                        rail[atom] = value
                        changed |= component.is_loop and value != before
        return [[rail[atom] for atom in self.roots] for rail in rails]

    @cached_property
    def mixed(self) -> list[int]:
        """For each root the inputs that it depends on both for and against, as bits by their places.

        Where none of these is open, what rails say of the root is exact: all open inputs that count for it,
        and no others, make it true if it may be, and the opposite world makes it false. Slices that are too
        large to find this out are taken to be mixed everywhere.
        """
        if len(self.inputs) * sum(len(component.atoms) for component in self._components) > MOST_BITS:
            return [-1] * len(self.roots)
        pro: dict[int, int] = {}
        contra: dict[int, int] = {}
        for component in self._components:
            for atom in component.atoms:
                at = self.input_place.get(atom)
                pro[atom], contra[atom] = 0 if at is None else 1 << at, 0
            grows = True
            while grows:
                before = [(pro[one], contra[one]) for one in component.atoms]
                for atom in component.atoms:
                    for positive, negative in self.program.bodies[atom]:
                        for used in positive:
                            pro[atom] |= pro[used]
                            contra[atom] |= contra[used]
                        for used in negative:
                            pro[atom] |= contra[used]
                            contra[atom] |= pro[used]
                grows = component.is_loop and before != [
                    (pro[atom], contra[atom]) for atom in component.atoms
                ]
        return [pro[atom] & contra[atom] for atom in self.roots]

    def bits(self, atoms: frozenset[int]) -> int:
        """The inputs among the atoms, as bits by their places."""
        return sum(1 << self.input_place[atom] for atom in self.input_set & atoms)

    def flags(self, atoms: frozenset[int], others: Sequence[int] | None = None) -> list[int]:
        """For each input a 1 where it is one of the atoms, or where ``others`` have one."""
        flags = list(others) if others is not None else [0] * len(self.inputs)
        place = self.input_place
        for atom in self.input_set & atoms:
            flags[place[atom]] = 1
        return flags

    def inputs_of(self, root: int) -> frozenset[int]:
        """The inputs that a root depends on."""
        known = self._cones.get(root)
        if known is None:
            cone = self.program.cone([root])
            known = self._cones[root] = frozenset(atom for atom in cone if atom in self.input_place)
        return known


def _conjunction(
    positive: Iterable[int], negative: Iterable[int], rail: dict[int, int], other: dict[int, int], full: int
) -> int:
    value = full
    for used in positive:
        value &= rail.get(used, 0)
    for used in negative:
        value &= ~other[used]
    return value


class _Writer:
    """Writes the code of a slice, for one rail or for two whose negations cross."""

    def __init__(
        self,
        program: NormalProgram,
        order: Sequence[int],
        loops: Sequence[tuple[int, ...]],
        inputs: Sequence[int],
        roots: Sequence[int],
    ) -> None:
        self.order = order
        self.loops = {loop[0]: loop for loop in loops}
        self.inside = {atom for loop in loops for atom in loop}
        self.inputs = inputs
        self.roots = roots
        self.bodies = program.bodies
        self.same = self._find_same(program)
        """The atom whose value each atom has: of those with the same rules one is computed."""

    def _find_same(self, program: NormalProgram) -> dict[int, int]:
        same: dict[int, int] = {}
        first: dict[frozenset[Body], int] = {}
        kept = self.inside.union(self.inputs)
        for atom in self.order:
            bodies = frozenset(_renamed(body, same) for body in program.bodies[atom])
            (positive, negative), *others = bodies or [((), ())]
            if atom in kept:
                same[atom] = atom
            elif len(positive) == 1 and not negative and not others:
                same[atom] = positive[0]
            else:
                same[atom] = first.setdefault(bodies, atom)
        return same

    def function(self, rails: list[str]) -> Callable[..., Any]:
        lines = [f"def evaluate({', '.join('v' + rail for rail in rails)}, full):"]
        for rail in rails:
            if self.inputs:
                lines.append(f" [{', '.join(f'{rail}{atom}' for atom in self.inputs)}] = v{rail}")
        given = set(self.inputs)
        for atom in self.order:
            if atom in self.loops:
                lines += self._loop(self.loops[atom], rails, given)
            elif atom not in self.inside and self.same[atom] == atom:
                for rail in rails:
                    first = f"{rail}{atom}" if atom in given else "0"
                    lines += self._atom(f"{rail}{atom}", first, atom, rail, rails)
        results = [
            f"[{', '.join(f'{rail}{atom}' for atom in map(self.same.get, self.roots))}]" for rail in rails
        ]
        lines.append(f" return {', '.join(results)}")
        made: dict[str, Callable[..., Any]] = {}
        exec(compile("\n".join(lines), "<slice>", "exec"), made)
        return made["evaluate"]

    def _loop(self, atoms: tuple[int, ...], rails: list[str], given: set[int]) -> list[str]:
        """Atoms that depend on each other: from nothing until nothing changes."""
        names = [f"{rail}{atom}" for atom in atoms for rail in rails]
        lines = [f" {name} = 0" for name in names if int(name[1:]) not in given]
        lines += [" while True:", f"  before = ({', '.join(names)},)"]
        for atom in atoms:
            for rail in rails:
                name = f"{rail}{atom}"
                lines += [f" {line}" for line in self._atom(name, name, atom, rail, rails)]
        return [*lines, f"  if before == ({', '.join(names)},): break"]

    def _atom(self, name: str, first: str, atom: int, rail: str, rails: list[str]) -> list[str]:
        other = rails[rails.index(rail) - 1]  # of two rails the other one
        terms = [first] if first != "0" else []
        lines: list[str] = []
        bodies = sorted({_renamed(body, self.same) for body in self.bodies[atom]})
        common = _common_part(bodies) if not terms else ((), ())
        for body in bodies:
            positive, negative = (
                tuple(used for used in part if used not in every)
                for part, every in zip(body, common, strict=True)
            )
            parts = [f"{rail}{used}" for used in positive] or ["full"]
            parts += [f"~{other}{used}" for used in negative]
            if len(parts) > MOST_TERMS:
                lines += _chunks("body", " & ", parts)
                lines += _chunks(name, " | ", [*terms, "body"])
                terms = [name]
            else:
                terms.append(" & ".join(parts))
        if terms != [name]:
            lines += _chunks(name, " | ", terms) if terms else [f" {name} = 0"]
        factors = [f"{rail}{used}" for used in common[0]] + [f"~{other}{used}" for used in common[1]]
        return lines + (_chunks(name, " & ", [name, *factors]) if factors else [])


def _common_part(bodies: Sequence[Body]) -> Body:
    """What stands in each of several bodies; it needs to be looked at once only."""
    if len(bodies) < 2:
        return (), ()
    positive, negative = (set.intersection(*map(set, part)) for part in zip(*bodies, strict=True))
    return tuple(sorted(positive)), tuple(sorted(negative))


def _renamed(body: Body, same: Mapping[int, int]) -> Body:
    """A body over the atoms that are computed; those of a loop are not known yet and stand for themselves."""
    positive, negative = (tuple(sorted({same.get(atom, atom) for atom in part})) for part in body)
    return positive, negative


def _chunks(name: str, sign: str, terms: list[str]) -> list[str]:
    lines = [f" {name} = {sign.join(terms[:MOST_TERMS])}"]
    for start in range(MOST_TERMS, len(terms), MOST_TERMS):
        lines.append(f" {name} {sign.strip()}= {sign.join(terms[start : start + MOST_TERMS])}")
    return lines
