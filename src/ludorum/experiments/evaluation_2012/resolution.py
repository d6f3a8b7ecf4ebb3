"""How finely networks of a goal tell first moves apart: one weight for all neurons, or one for each (E2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import exp, log

from ...engine.game import Game, State
from ...evaluate.goals.global_weights import global_network
from ...evaluate.goals.goal_theory import goal_theory
from ...evaluate.goals.local_weights import NoWeightsError, local_network

FLOOR = 2.0**-53
"""What an interval is counted as at least, so that logarithms exist."""
MOST_FIRST_MOVES = 2000


@dataclass(frozen=True)
class Resolution:
    """The outputs of the network of the best goal of the first role, after each first joint move."""

    game: str
    goal: int
    intervals: tuple[float, float]
    """The greatest output minus the least: with one weight for all, and with one for each."""
    distinct: tuple[int, int]
    """How many different outputs there are."""

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "goal": self.goal,
            "intervals": list(self.intervals),
            "distinct": list(self.distinct),
        }


def measure_resolution(game: Game) -> Resolution | None:
    """None where the best goal does not depend on the state, or no local weights tell truth from falsity.

    GroundingError where the rules are too large to be ground.
    """
    assert game.rules is not None
    goals = goal_theory(game.rules)
    role = game.info.players[0]
    best = max(goals.goals[role], default=None)
    formula = None if best is None else goals.goals[role][best]
    if best is None or formula is None or isinstance(formula, bool):
        return None
    states = first_states(game.initial())
    leaves = [goals.crisp(state.facts()) for state in states]
    found: list[list[float]] = []
    for build in (global_network, local_network):
        try:
            network = build(goals.theory, [formula])
        except NoWeightsError:
            return None
        found.append([network.output(formula, leaf) for leaf in leaves])
    return Resolution(
        game.name,
        best,
        (max(found[0]) - min(found[0]), max(found[1]) - min(found[1])),
        (len(set(found[0])), len(set(found[1]))),
    )


def first_states(state: State) -> list[State]:
    """The different states after the first joint moves."""
    joints = product(*(state.legal(role) for role in state.game.roles))
    return list(dict.fromkeys(state.play(joint) for joint in islice(joints, MOST_FIRST_MOVES)))


@dataclass(frozen=True)
class ResolutionSummary:
    """The figures of the published table."""

    games: int
    larger: int
    """Games in which the interval is larger with a weight for each neuron."""
    smaller: int
    more_distinct: int
    fewer_distinct: int
    mean_intervals: tuple[float, float]
    """Geometric means over all games, each interval at least ``FLOOR``."""
    mean_intervals_where_larger: tuple[float, float]

    def as_json(self) -> dict[str, object]:
        return dict(vars(self))


def summary_of(found: Sequence[Resolution]) -> ResolutionSummary:
    larger = [one for one in found if one.intervals[1] > one.intervals[0]]
    return ResolutionSummary(
        len(found),
        len(larger),
        sum(one.intervals[1] < one.intervals[0] for one in found),
        sum(one.distinct[1] > one.distinct[0] for one in found),
        sum(one.distinct[1] < one.distinct[0] for one in found),
        (_mean(found, 0), _mean(found, 1)),
        (_mean(larger, 0), _mean(larger, 1)),
    )


def _mean(found: Sequence[Resolution], which: int) -> float:
    if not found:
        return 0.0
    return exp(sum(log(max(FLOOR, one.intervals[which])) for one in found) / len(found))
