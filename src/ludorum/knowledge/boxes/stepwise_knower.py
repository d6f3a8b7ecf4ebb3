"""Knowledge in boxes for sheets that cannot be ground as a whole: every step is ground by itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...asp.ground import StepGrounder
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from .box import Answers
from .box_game import BoxGame, Ladder
from .box_knower import BoxKnower
from .ground_sheet import sheet_of
from .supports import BUDGET


class StepwiseKnower(BoxKnower):
    """A box whose program is ground anew in each step, over what may be true there.

    Slower by far than a program that is ground once. There are no invariants: level 5 is level 4.
    """

    def __init__(
        self,
        rules: Ruleset,
        role: Term,
        level: int | Ladder = 0,
        engine: str = "clingo",
        nonpercepts: bool = True,
        budget: int = BUDGET,
    ) -> None:
        ladder = level if isinstance(level, Ladder) else Ladder.at(level)
        self._grounder = StepGrounder(rules)
        self._initial = self._grounder.ground((), ()).initial
        game = self._ground(self._initial, ())
        super().__init__(game, role, replace(ladder, invariants=False), engine, nonpercepts, budget)

    def restart(self) -> None:
        self.step = 0
        self.enter(self._initial, frozenset())

    def known_facts(self) -> frozenset[Term]:
        return self._known | {self.sheet.facts[atom] for atom in self.worlds.known}

    def possible_facts(self) -> frozenset[Term]:
        return self.known_facts() | {self.sheet.facts[atom] for atom in self.worlds.open}

    def _enter(self, later: Answers) -> None:
        names = {atom: fact for fact, atom in self.sheet.next.items()}
        known, possible = (frozenset(map(names.__getitem__, each)) for each in (later.known, later.possible))
        self.enter(known, possible - known)

    def enter(self, known: frozenset[Term], maybe: frozenset[Term]) -> None:
        """Go on with a state in which all of ``known`` and any of ``maybe`` holds."""
        self._use(self._ground(known, maybe))
        self._known = known
        # Known facts are folded into the rules, so that only open ones have atoms there.
        self._set_state(self._state_worlds(frozenset(), frozenset(self.sheet.true.values())))

    def _ground(self, known: Iterable[Term], maybe: Iterable[Term]) -> BoxGame:
        return BoxGame(sheet_of(self._grounder.ground(known, maybe)), compiled=False)
