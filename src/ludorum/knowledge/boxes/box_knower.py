"""The legal player of Thielscher (2013): knowledge as a box of known and open facts, moved from step to step.

Level 0 is the paper's method; levels 1 to 5 add reasoning that the box alone loses (``Ladder``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from ...engine.errors import GameError
from ...engine.game import Game
from ...rules.ruleset import Ruleset
from ...rules.terms import Term
from ..knower import ImpossiblePerceptsError, Knower, Truth
from .box import Answers, Worlds
from .box_game import BoxGame, Ladder, box_game
from .box_methods import BoxMethod, SupportsMethod, WorldsMethod
from .ground_sheet import GroundSheet
from .lanes import Slice
from .supports import BUDGET

T = TypeVar("T")

ENGINES = ("clingo", "supports")


class BoxKnower(Knower):
    """What a role knows of a match, kept as facts that are true and facts that may be.

    ``level`` may be a ``Ladder``, to switch its kinds of reasoning one by one. Without ``nonpercepts`` only
    percepts teach something, not their absence. The engine ``supports`` is for level 0; where an atom has
    more supports than the budget, the other one answers.
    """

    def __init__(
        self,
        game: Game | Ruleset | GroundSheet | BoxGame,
        role: Term,
        level: int | Ladder = 0,
        engine: str = "clingo",
        nonpercepts: bool = True,
        budget: int = BUDGET,
        quick: bool = True,
    ) -> None:
        ready = box_game(game)
        self.ladder = level if isinstance(level, Ladder) else Ladder.at(level)
        if engine not in ENGINES:
            raise ValueError(f"no engine {engine!r}; there are {', '.join(ENGINES)}")
        if engine == "supports" and self.ladder != Ladder():
            raise ValueError("the engine 'supports' has level 0 only")
        if role not in ready.sheet.roles:
            raise GameError(f"{role} is no role of the game")
        self.role = role
        self.nonpercepts = nonpercepts
        self._engine = engine
        self._budget = budget
        self._quick = quick
        self._use(ready)
        self.restart()

    def _use(self, game: BoxGame) -> None:
        """Answer by the rules of a game made ready."""
        self.sheet = game.sheet
        self._parts = game.parts(self.role, self.ladder, self._quick)
        reasoner = self._parts.reasoner
        self.method: BoxMethod = (
            SupportsMethod(reasoner, self._budget) if self._engine == "supports" else WorldsMethod(reasoner)
        )

    def restart(self) -> None:
        """Begin another match."""
        self.step = 0
        self._set_state(self._state_worlds(self.sheet.initial, frozenset()))

    def _state_worlds(self, known: frozenset[int], maybe: frozenset[int]) -> Worlds:
        return Worlds(known, maybe, self._parts.state_required, self._parts.fact_groups)

    def _set_state(self, worlds: Worlds, is_over: bool = False) -> None:
        self.worlds = worlds
        """The states that are possible: facts that are known, and facts that are open."""
        self._is_over = is_over
        for answers in ("_legal", "_end", "_goals"):
            self.__dict__.pop(answers, None)

    # -- what is known --------------------------------------------------------------------------------

    @cached_property
    def _legal(self) -> Answers:
        """What holds of the legal moves of all roles."""
        return self._ask(self._parts.legal, self.worlds)

    @cached_property
    def _end(self) -> Answers:
        return self._ask(self._parts.end, self.worlds)

    @cached_property
    def _goals(self) -> Answers:
        worlds, end = self.worlds, self.sheet.terminal
        if self._is_over and end is not None:
            worlds = replace(worlds, required=(*worlds.required, 2 * end))
        return self._ask(self._parts.goal, worlds)

    def _ask(self, part: Slice, worlds: Worlds) -> Answers:
        return self.method.ask(part, worlds, part.roots, self.ladder.skeptical)

    def known_legal(self) -> frozenset[Term]:
        return _chosen(self._parts.own_legal, self._legal.known)

    def possible_legal(self) -> frozenset[Term]:
        return _chosen(self._parts.own_legal, self._legal.possible)

    def possible_legal_of(self, role: Term) -> frozenset[Term]:
        """The moves that may be legal for any role, as far as this one knows."""
        possible = self._legal.possible
        return frozenset(move for move, atom in self.sheet.legal[role].items() if atom in possible)

    @property
    def knows_legal(self) -> bool:
        known, possible = self._legal.known, self._legal.possible
        return known is possible or super().knows_legal

    def known_facts(self) -> frozenset[Term]:
        return frozenset(self.sheet.facts[atom] for atom in self.worlds.known)

    def possible_facts(self) -> frozenset[Term]:
        return self.known_facts() | {self.sheet.facts[atom] for atom in self.worlds.open}

    def terminal(self) -> Truth:
        end = self.sheet.terminal
        if self._is_over or end in self._end.known:
            return Truth.TRUE
        return Truth.UNKNOWN if end in self._end.possible else Truth.FALSE

    def known_goals(self) -> frozenset[int]:
        return _chosen(self._parts.goals, self._goals.known)

    def possible_goals(self) -> frozenset[int]:
        return _chosen(self._parts.goals, self._goals.possible)

    # -- what is learned ------------------------------------------------------------------------------

    def update(self, move: Term, percepts: Iterable[Term]) -> None:
        worlds = self._with_moves(move)
        seen = frozenset(map(self._percept, percepts))
        filtered = self._filter(worlds, seen)
        parts = self._parts
        after = self.method.ask(parts.step, filtered, parts.later, self.ladder.skeptical)
        self._enter(after)
        self.step += 1

    def _enter(self, later: Answers) -> None:
        """Go on to the next state, of which it is known what may hold and what does."""
        known, possible = (
            frozenset(map(self.sheet.after.__getitem__, atoms)) for atoms in (later.known, later.possible)
        )
        self._set_state(self._by_invariants(self._state_worlds(known, possible - known)))

    def stop(self) -> None:
        end = self.sheet.terminal
        if end is None or end not in self._end.possible:
            raise ImpossiblePerceptsError("the match cannot be over")
        worlds, _ = self.method.filter(self._parts.end, self.worlds, [end], [end], absences=False)
        self._set_state(worlds, is_over=True)

    def _with_moves(self, move: Term) -> Worlds:
        """The worlds in which the role makes a move, and others make any that may be legal."""
        sheet, possible = self.sheet, self._legal.possible
        own = sheet.does[self.role].get(move)
        if own is None or sheet.legal[self.role].get(move) not in possible:
            raise ImpossiblePerceptsError(f"{move} cannot be a legal move of {self.role}")
        parts = self._parts
        return Worlds(
            self.worlds.known | {own},
            self.worlds.open | _chosen(parts.others, possible),
            parts.step_required,
            parts.move_groups + parts.fact_groups,
        )

    def _percept(self, percept: Term) -> int:
        atom = self.sheet.sees[self.role].get(percept)
        if atom is None:
            raise ImpossiblePerceptsError(f"{self.role} can never see {percept}")
        return atom

    def _filter(self, worlds: Worlds, seen: frozenset[int]) -> Worlds:
        """The worlds after the percepts, as the next state is computed from them."""
        parts = self._parts
        filtered, possible = self.method.filter(parts.sees, worlds, parts.percepts, seen, self.nonpercepts)
        if not self.ladder.joint:
            return filtered
        unseen = possible - seen if self.nonpercepts else frozenset()
        observations = (*(2 * atom for atom in sorted(seen)), *(2 * atom + 1 for atom in sorted(unseen)))
        agreeing = replace(filtered, required=filtered.required + observations)
        agreeing = agreeing.narrow(parts.reasoner.view(parts.sees, agreeing).learned(()))
        return agreeing if self.ladder.conditioned else replace(agreeing, required=worlds.required)

    def _by_invariants(self, worlds: Worlds) -> Worlds:
        """The worlds without facts that invariants decide."""
        if not worlds.required or not worlds.open:
            return worlds
        return worlds.narrow(self._parts.reasoner.view(self._parts.legal, worlds).learned(()))


def _chosen(names: Mapping[int, T], atoms: frozenset[int]) -> frozenset[T]:
    return frozenset(map(names.__getitem__, atoms.intersection(names)))
