"""Uniform random play worked out exactly, state by state."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from ludorum.engine.game import Game, State
from ludorum.rules.terms import Term


@dataclass(frozen=True)
class ExactPlay:
    """How likely each end is; play always ends."""

    ends: dict[State, Fraction]
    lengths: dict[int, Fraction]

    def goals(self, role: Term) -> dict[int, Fraction]:
        """How likely each goal value of a role is."""
        found: dict[int, Fraction] = {}
        for state, share in self.ends.items():
            value = state.goal(role)
            assert value is not None
            found[value] = found.get(value, Fraction(0)) + share
        return found

    def goal_mean(self, role: Term) -> tuple[float, float]:
        return _mean(self.goals(role))

    def length_mean(self) -> tuple[float, float]:
        return _mean(self.lengths)


def _mean(shares: dict[int, Fraction]) -> tuple[float, float]:
    """Mean and standard deviation."""
    mean = sum((value * share for value, share in shares.items()), Fraction(0))
    square = sum((value * value * share for value, share in shares.items()), Fraction(0))
    return float(mean), float(square - mean * mean) ** 0.5


def exact_play(game: Game) -> ExactPlay:
    """Every role chooses among its legal moves, all as likely, and independently of the others."""
    layer: dict[State, Fraction] = {game.initial(): Fraction(1)}
    ends: Counter[State] = Counter()
    lengths: dict[int, Fraction] = {}
    length = 0
    while layer:
        following: dict[State, Fraction] = {}
        for state, share in layer.items():
            if state.is_terminal:
                ends[state] += share  # type: ignore[assignment]
                lengths[length] = lengths.get(length, Fraction(0)) + share
                continue
            choices = [state.legal(role) for role in game.roles]
            joints = list(product(*choices))
            for joint in joints:
                after = state.play(joint)
                following[after] = following.get(after, Fraction(0)) + share / len(joints)
        layer, length = following, length + 1
    exact = ExactPlay(dict(ends), lengths)  # type: ignore[arg-type]
    assert sum(exact.ends.values()) == 1
    return exact
