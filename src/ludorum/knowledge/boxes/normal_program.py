"""Ground stratified programs over numbered atoms: the rules that filtering works on.

A literal is ``2 * atom``, plus 1 where it is negated. Atoms that depend on each other form a component;
components are kept in an order in which each comes after those it uses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ...engine.errors import GameError
from ...rules.dependencies import strong_components

Literal: TypeAlias = int
Body: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The atoms of the positive and of the negative literals of a rule."""


class UnstratifiedError(GameError):
    """Atoms depend on their own negation."""


@dataclass(frozen=True)
class Component:
    """Atoms that depend on each other; a single atom that does not depend on itself is no loop."""

    atoms: tuple[int, ...]
    is_loop: bool


class NormalProgram:
    """The rules of a ground program, by their heads."""

    def __init__(self, count: int, rules: Iterable[tuple[int, Body]]) -> None:
        self.count = count
        """Atoms are numbered from 0 up to here."""
        bodies: list[dict[Body, None]] = [{} for _ in range(count)]
        for head, (positive, negative) in rules:
            body = (tuple(sorted(set(positive))), tuple(sorted(set(negative))))
            bodies[head][body] = None
        self.bodies: tuple[tuple[Body, ...], ...] = tuple(tuple(sorted(each)) for each in bodies)

    def uses(self, atom: int) -> list[int]:
        """The atoms that the rules of an atom mention."""
        return sorted({used for body in self.bodies[atom] for part in body for used in part})

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """All components, each after those it uses; UnstratifiedError where negation runs in a circle."""
        return tuple(self.components_of(range(self.count)))

    def cone(self, atoms: Iterable[int]) -> set[int]:
        """These atoms and all that they depend on."""
        seen = set(atoms)
        todo = list(seen)
        while todo:
            below = [used for used in self.uses(todo.pop()) if used not in seen]
            seen.update(below)
            todo += below
        return seen

    def components_of(self, atoms: Iterable[int]) -> list[Component]:
        """The components that these atoms depend on, theirs included, each after those it uses."""
        return list(map(self._component, strong_components(atoms, self.uses)))

    def model(self, facts: Iterable[int]) -> set[int]:
        """The atoms that follow from facts: the standard model."""
        found = set(facts)
        for component in self.components:
            grows = True
            while grows:
                new = [a for a in component.atoms if a not in found and self._follows(a, found)]
                found.update(new)
                grows = component.is_loop and bool(new)
        return found

    def _follows(self, atom: int, found: set[int]) -> bool:
        return any(
            found.issuperset(positive) and found.isdisjoint(negative)
            for positive, negative in self.bodies[atom]
        )

    def _component(self, atoms: list[int]) -> Component:
        if len(atoms) == 1 and not self.bodies[atoms[0]]:
            return Component((atoms[0],), False)
        inside = set(atoms)
        bodies = [body for atom in atoms for body in self.bodies[atom]]
        if any(not inside.isdisjoint(negative) for _, negative in bodies):
            raise UnstratifiedError("negation runs in a circle")
        return Component(tuple(sorted(atoms)), any(not inside.isdisjoint(body) for body, _ in bodies))
