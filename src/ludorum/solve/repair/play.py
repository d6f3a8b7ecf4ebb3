"""What goes wrong when rules are played at random: stuck roles, games over at the start or without end.

All bounds count steps and states, and all seeds are fixed: the same rules are always judged alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from ..._core import SplitMix64
from ...asp.solver import SolverError
from ...engine.errors import GameError
from ...engine.game import State, random_states
from ...engine.lifted import LiftedGame
from ...rules.ruleset import Ruleset, is_nature
from ...rules.source import RulesError
from . import costs
from .symptoms import Symptom

GAMES = 4
"""Random games played with a sheet."""
LONGEST = 400
"""Steps after which a random game is given up."""
ENOUGH = 15_000
"""Moves to choose from after which no further game begins: games with thousands of moves a step are slow."""
MOST_STATES = 150
"""States counted when two sheets are compared."""


@dataclass
class RandomPlay:
    """What random play showed."""

    symptoms: list[Symptom] = field(default_factory=list)
    ended: int = 0
    """Games that reached their end."""
    work: int = 0
    """Legal moves of all positions that were met."""


def play(rules: Ruleset, games: int = GAMES) -> RandomPlay:
    """Some random games."""
    found = RandomPlay()
    try:
        game = LiftedGame(rules, "mended")
        start = game.initial()
        if start.is_terminal:
            found.symptoms.append(
                Symptom("over-at-start", "the game is over before the first move", 3 * costs.ERROR)
            )
            return found
        lasts = list(_lasts(start, games, found))
    except (GameError, SolverError, RulesError, RecursionError, MemoryError) as error:
        words = (
            f"the game cannot be played: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
        )
        found.symptoms.append(Symptom("unplayable", words, 3 * costs.ERROR))
        return found
    told: dict[tuple[str, str], Symptom] = {}
    for last in lasts:
        for symptom in _look(last):
            told.setdefault(symptom.key, symptom)
        found.ended += last.is_terminal
    if not found.ended and not any(symptom.code == "stuck" for symptom in told.values()):
        words = f"random games do not come to their end within {LONGEST} steps"
        told["endless", words] = Symptom("endless", words, costs.ENDLESS)
    found.symptoms.extend(told.values())
    return found


def _lasts(start: State, games: int, found: RandomPlay) -> Iterator[State]:
    """Where random games stop."""
    for seed in range(games):
        if found.work > ENOUGH:
            return
        for last in islice(random_states(start, SplitMix64(seed)), LONGEST):
            found.work += sum(len(last.legal(role)) for role in last.game.roles)
        yield last


def _look(last: State) -> list[Symptom]:
    """What is wrong where a random game stopped."""
    roles = last.game.roles
    if last.is_terminal:
        values = {role: len(last.goal_terms(role)) for role in roles if not is_nature(role)}
        return [
            Symptom(
                "no-value" if not count else "many-values",
                f"at the end {role} has {'no goal value' if not count else 'several goal values'}",
                costs.WARNING,
            )
            for role, count in values.items()
            if count != 1
        ]
    return [
        Symptom("stuck", f"{role} has no move although the game is not over", costs.ERROR)
        for role in roles
        if not last.legal(role)
    ]


def count_states(rules: Ruleset, most: int = MOST_STATES) -> int:
    """How many positions can be reached, counted breadth first up to a bound; 0 for what cannot be played."""
    try:
        start = LiftedGame(rules, "mended").initial()
        seen = {start.facts()}
        layer: Sequence[State] = [start]
        while layer and len(seen) < most:
            after: list[State] = []
            for state in layer:
                for new in _after(state):
                    if len(seen) >= most:
                        return most
                    if new.facts() not in seen:
                        seen.add(new.facts())
                        after.append(new)
            layer = after
    except (GameError, SolverError, RulesError, RecursionError, MemoryError):
        return 0
    return len(seen)


def _after(state: State) -> Sequence[State]:
    """The positions after the joint moves of a position, the first few hundred of them."""
    if state.is_terminal or not all(state.legal(role) for role in state.game.roles):
        return ()
    return [state.play(joint) for joint in islice(state.joint_moves(), 2 * MOST_STATES)]
