"""The two ways to answer questions about a box, with the same answers: worlds and clingo, or supports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Protocol

from .box import Answers, BoxReasoner, Worlds
from .lanes import Slice
from .open_program import OpenProgram
from .supports import SupportOverflowError, Supports, filter_by_supports


class BoxMethod(Protocol):
    """Answers questions about worlds that a part of a program describes."""

    def ask(self, part: Slice, worlds: Worlds, atoms: Collection[int], skeptical: bool = False) -> Answers:
        """What holds; with ``skeptical``, by case distinctions as well."""

    def filter(
        self, part: Slice, worlds: Worlds, observable: Collection[int], seen: Collection[int], absences: bool
    ) -> tuple[Worlds, frozenset[int]]:
        """The worlds after each observation taken alone, and the observable atoms that were possible.

        With ``absences`` what is possible and was not seen is an observation, too.
        """


class WorldsMethod:
    """Answers by evaluating many worlds, and by clingo (engine E2)."""

    def __init__(self, reasoner: BoxReasoner) -> None:
        self.reasoner = reasoner

    def ask(self, part: Slice, worlds: Worlds, atoms: Collection[int], skeptical: bool = False) -> Answers:
        return self.reasoner.view(part, worlds).ask(atoms, skeptical)

    def filter(
        self, part: Slice, worlds: Worlds, observable: Collection[int], seen: Collection[int], absences: bool
    ) -> tuple[Worlds, frozenset[int]]:
        view = self.reasoner.view(part, worlds)
        possible = view.possible(observable)
        observations = [2 * atom for atom in sorted(seen)]
        if absences:
            observations += [2 * atom + 1 for atom in sorted(possible.difference(seen))]
        return worlds.narrow(view.learned(observations)), possible


class SupportsMethod:
    """Answers by supports (engine E1); where they are too many, the other method answers."""

    def __init__(self, reasoner: BoxReasoner, budget: int) -> None:
        self.budget = budget
        self.program = reasoner.program
        self.overflows = 0
        """Questions that the other method had to answer."""
        self._otherwise = WorldsMethod(reasoner)

    def ask(self, part: Slice, worlds: Worlds, atoms: Collection[int], skeptical: bool = False) -> Answers:
        supports = Supports(OpenProgram(self.program, worlds.known, worlds.open), self.budget)
        try:
            possible = frozenset(atom for atom in atoms if supports.possible(2 * atom))
            return Answers(possible, frozenset(atom for atom in possible if supports.known(2 * atom)))
        except SupportOverflowError:
            self.overflows += 1
            return self._otherwise.ask(part, worlds, atoms, skeptical)

    def filter(
        self, part: Slice, worlds: Worlds, observable: Collection[int], seen: Collection[int], absences: bool
    ) -> tuple[Worlds, frozenset[int]]:
        box = OpenProgram(self.program, worlds.known, worlds.open)
        try:
            after = filter_by_supports(box, observable, seen, nonpercepts=absences, budget=self.budget)
            supports = Supports(box, self.budget)
            possible = frozenset(atom for atom in observable if supports.possible(2 * atom))
        except SupportOverflowError:
            self.overflows += 1
            return self._otherwise.filter(part, worlds, observable, seen, absences)
        return replace(worlds, known=after.known, open=after.open), possible
