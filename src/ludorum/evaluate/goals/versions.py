"""Evaluation functions by name: the versions whose play the thesis compares, and Fluxplayer's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from ...engine.game import Game, State
from ...rules.terms import Term
from .detection import DETECTED
from .evaluation import GoalEvaluation, Goals, GoalValueConfig, Weights
from .expansion import expand_goals
from .fluxplayer import FluxplayerValue
from .goal_theory import GoalTheory, goal_theory
from .kept_values import KeptValues


class GoalValue(Protocol):
    """An evaluation function made from goals."""

    @property
    def goals(self) -> Goals:
        """The goals it is made from."""
        ...

    def __call__(self, state: State, role: Term) -> float:
        """The value of a state for a role, 0..100."""
        ...

    def goal_values(self, role: Term) -> tuple[int, ...]:
        """Those that a match may end with for a role."""
        ...

    def after(self, state: State) -> GoalValue:
        """The same evaluation for a state and all that can come after it."""
        ...

    @property
    def evaluated(self) -> int:
        """The different states that were evaluated, for any role."""
        ...


@dataclass(frozen=True)
class Version:
    """What an evaluation function is made of."""

    name: str
    about: str
    make: Callable[[Game], GoalValue]
    """All but what is found out late."""
    lasting: bool = False
    """Whether what lasts is found out late, and settles what is above it."""
    admissible: bool = False
    """Whether fluents without a distance get an admissible one late."""
    refined: bool = False
    """Whether goal values before the end, moves, and pieces are looked at beside the goals."""
    tried: bool = False
    """Whether admissible distances go where a short trial shows that moves are told apart better without."""

    @property
    def finds_more(self) -> bool:
        """Whether there is something to find out late."""
        return self.lasting or self.admissible or self.refined


def _networks(weights: Weights = Weights.LOCAL, *, settles: bool = False) -> Callable[[Game], GoalValue]:
    return lambda game: GoalEvaluation(_goals(game), config=GoalValueConfig(weights=weights, settles=settles))


def _detecting(name: str, *, settles: bool = False) -> Callable[[Game], GoalValue]:
    def make(game: Game) -> GoalValue:
        assert game.rules is not None
        goals = expand_goals(game.rules, DETECTED[name])
        return GoalEvaluation(goals, goals.features, GoalValueConfig(settles=settles))

    return make


def _fluxplayer(game: Game) -> GoalValue:
    return FluxplayerEvaluation(_goals(game))


class FluxplayerEvaluation:
    """Fluxplayer's value of a state for any role."""

    def __init__(self, goals: GoalTheory) -> None:
        self._theory = goals
        self._values = {
            role: FluxplayerValue(goals.theory, own, goals.terminal) for role, own in goals.goals.items()
        }
        self._known = KeptValues()

    def __call__(self, state: State, role: Term) -> float:
        if state.is_terminal:
            return float(state.goal(role) or 0)
        facts = frozenset(state.facts())
        known = self._known.find(facts, role)
        if known is None:
            known = self._values[role].value(self._theory.position(facts).holds)
            self._known.keep(facts, role, known)
        return known

    @property
    def goals(self) -> Goals:
        return self._theory

    def after(self, state: State) -> GoalValue:
        return self

    @property
    def evaluated(self) -> int:
        return self._known.made

    def goal_values(self, role: Term) -> tuple[int, ...]:
        return tuple(self._theory.goals.get(role, ()))


def _goals(game: Game) -> GoalTheory:
    assert game.rules is not None
    return goal_theory(game.rules)


VERSIONS: Mapping[str, Version] = {
    version.name: version
    for version in (
        Version("v1.0", "Networks with one weight for all neurons.", _networks(Weights.GLOBAL)),
        Version("v1.1", "Networks with a weight for each neuron.", _networks()),
        Version("v1.1s", "v1.1 with counts of solutions, whole and in part.", _detecting("v1.1s")),
        Version("v1.1p", "v1.1 with what is proved to last.", _networks(settles=True), lasting=True),
        Version("v1.1d", "v1.1 with orders, and distances along relations.", _detecting("v1.1d")),
        Version("v1.1n", "v1.1 with distances of single facts alone.", _detecting("v1.1n")),
        Version("v1.1a", "v1.1 with admissible distances.", _networks(settles=True), admissible=True),
        Version(
            "final",
            "All of them; admissible distances where there is no other, and they do no harm.",
            _detecting("final", settles=True),
            lasting=True,
            admissible=True,
            refined=True,
            tried=True,
        ),
        Version("fluxplayer", "Fuzzy truth of the goals, by a t-norm.", _fluxplayer),
    )
}
