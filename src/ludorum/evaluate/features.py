"""Features: numbers from 0 to 1 that say something of a state, made from the structures of its rules.

Most are sums over facts: how many markers of a kind there are, how far they have gone along an axis, how
large a quantity is, whose turn it is. Searches in compiled code can use those without asking Python
(``Heuristic.fact_weights``). Two are not: how near a role is to its goal, and how many moves it has.
Whether a feature is to be maximised or minimised is for matches to show (asp-player, section 15.2).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..engine.game import Game, State
from ..rules.identity import symbol_shapes
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from .fuzzy_goals import FuzzyFormulas, goal_formulas
from .structures import Kind, Structure, find_structures

Vector = npt.NDArray[np.float64]
OfFact = Callable[[Term], float]


class Direction(Enum):
    """Which way a feature is good for a role."""

    MAXIMISE = "maximise"
    MINIMISE = "minimise"


@dataclass(frozen=True)
class Feature:
    """Something that can be said of a state in a number. ``key`` does not depend on names."""

    key: str
    text: str
    of_fact: OfFact | None = field(default=None, compare=False, repr=False)
    """What a fact adds to it; None where it is no sum over facts."""
    role: Term | None = None
    """Whose goal, whose moves."""
    line: int = 0


class Features:
    """The features of a game, and their values in its states."""

    def __init__(self, game: Game, seconds: float | None = None) -> None:
        """``seconds``: for the ground rules that goals are read from; without them, features are fewer.

        None: as long as that takes, within bounds that count work; the features are the same everywhere.
        """
        assert game.rules is not None
        self.game = game
        self.rules: Ruleset = game.rules
        self.shapes = symbol_shapes(self.rules)
        initial = game.initial()
        self.structures = find_structures(self.rules, initial.facts())
        self._most_moves = max(1, *(len(initial.legal(role)) for role in game.roles))
        found = goal_formulas(self.rules, seconds) if seconds is None or seconds > 0 else None
        self._goals: FuzzyFormulas | None = None
        self._best: dict[Term, Term] = {}
        if found is not None:
            self._goals, self._best = found
        made = [*_of_structures(self.structures), *self._of_goals(), *self._of_moves()]
        self.all: tuple[Feature, ...] = tuple(made)
        self._of_fact: dict[Term, Vector] = {}

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(feature.key for feature in self.all)

    def values(self, state: State) -> Vector:
        """The value of each feature in a state."""
        facts = state.facts()
        total = np.zeros(len(self.all))
        for fact in facts:
            total += self._added_by(fact)
        truths = {} if self._goals is None else self._goals.truths(facts)
        for at, feature in enumerate(self.all):
            if feature.of_fact is None:
                assert feature.role is not None
                if feature.key.startswith("goal"):
                    total[at] = truths[self._best[feature.role]]
                else:
                    total[at] = self._mobility(state, feature.role)
        return total

    def fact_values(self, fact: Term) -> Vector:
        """What a fact adds to each feature that is a sum over facts."""
        return self._added_by(fact)

    @property
    def facts_met(self) -> Sequence[Term]:
        """The facts of all states whose values were asked for."""
        return tuple(self._of_fact)

    def role_shape(self, role: Term) -> str:
        """What stands for a role in the shape of the rules."""
        return self.shapes.get(role.signature, str(role))

    def _added_by(self, fact: Term) -> Vector:
        known = self._of_fact.get(fact)
        if known is None:
            known = np.array([0.0 if each.of_fact is None else each.of_fact(fact) for each in self.all])
            self._of_fact[fact] = known
        return known

    def _mobility(self, state: State, role: Term) -> float:
        moves = len(state.legal(role))
        return moves / (moves + self._most_moves)

    def _of_goals(self) -> Iterable[Feature]:
        for role, atom in self._best.items():
            shape = self.role_shape(role)
            yield Feature(f"goal-{shape[:16]}", f"nearness of {atom}", role=role)

    def _of_moves(self) -> Iterable[Feature]:
        for role in self.game.info.players:
            shape = self.role_shape(role)
            yield Feature(f"mobility-{shape[:16]}", f"moves of {role}", role=role)


def _of_structures(structures: Sequence[Structure]) -> Iterable[Feature]:
    for each in structures:
        if each.kind is Kind.MARKER:
            yield Feature(f"number-{each.key}", f"number of {each.pattern}", _counting(each), line=each.line)
            for place, order in each.axes:
                yield Feature(
                    f"progress-{place}-{each.key}",
                    f"progress of {each.pattern} along argument {place + 1}",
                    _ranking(each, place, order.ranks, each.size),
                    line=each.line,
                )
        elif each.kind in (Kind.QUANTITY, Kind.COUNTER) and each.order is not None:
            yield Feature(
                f"amount-{each.key}",
                f"amount of {each.pattern} at argument {each.places[0] + 1}",
                _ranking(each, each.places[0], each.order.ranks, each.size),
                line=each.line,
            )
        elif each.kind is Kind.TURN:
            yield Feature(f"turn-{each.key}", f"turn {each.pattern}", _counting(each), line=each.line)


def _matches(structure: Structure) -> Callable[[Term], bool]:
    name, contents, value = structure.name, structure.contents, structure.value
    fixed = structure.fixed

    def matches(fact: Term) -> bool:
        if fact.signature != name:
            return False
        if value is not None and contents is not None and fact.args[contents] is not value:
            return False
        return all(fact.args[place] is each for place, each in fixed)

    return matches


def _counting(structure: Structure) -> OfFact:
    matches, size = _matches(structure), structure.size
    return lambda fact: 1.0 / size if matches(fact) else 0.0


def _ranking(structure: Structure, place: int, ranks: object, size: int) -> OfFact:
    matches = _matches(structure)
    assert isinstance(ranks, dict)

    def rank(fact: Term) -> float:
        if not matches(fact):
            return 0.0
        argument = fact.args[place]
        return float(ranks.get(argument.name, 0.0)) / size if isinstance(argument, Term) else 0.0

    return rank
