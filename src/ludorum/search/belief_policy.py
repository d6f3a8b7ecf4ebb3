"""What a search over beliefs really gets: its policy followed through all worlds and all answers, exactly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..engine.simulator import Packed
from .belief_search import BeliefSearch
from .beliefs import BeliefSteps, Floats, sums_of
from .budget import Budget


@dataclass(frozen=True)
class PolicyOutcome:
    """The means over all worlds, by their weights."""

    goal: float
    steps: float
    """Own moves to the end of the match."""
    decisions: int
    """Different beliefs in which a move was searched for."""
    proven: int
    """Those of them in which the move was proven to be the best."""
    given_away: int
    """Those in which the move surely ended the match with the goal 0, although another might not."""


def follow_policy(search: BeliefSearch, rows: Packed, weights: Floats, budget: Budget) -> PolicyOutcome:
    """Play on from a belief to the end, in all worlds at once, with a search in every belief that is met."""
    steps = BeliefSteps(search.game, search.role)
    beliefs, chances = steps.start(rows, weights), np.ones(1)
    goal, length, decisions, proven, given_away = 0.0, 0.0, 0, 0, 0
    while len(beliefs):
        prospect = steps.look(beliefs)
        assert prospect is not None  # no clock
        taken = np.full(len(prospect.belief), -1)
        for number in range(len(beliefs)):
            one = beliefs.some(np.array([number]))
            decision = search.search(one.rows, one.weights, budget)
            move = search.game.circuit.move_number(steps.seat, decision.move)
            options = np.flatnonzero(prospect.belief == number)
            at = options[prospect.move[options] == move][0]
            taken[at] = number
            loses = prospect.ended[options] + prospect.going[options] == 0
            given_away += bool(prospect.ended[at] + prospect.going[at] == 0 and not loses.all())
            decisions, proven = decisions + 1, proven + decision.proven
        used = taken >= 0
        goal += float((chances[taken[used]] * prospect.ended[used]).sum())
        length += float(chances.sum())
        followed = used[prospect.part_option]
        chance = chances[taken[prospect.part_option[followed]]] * prospect.part_chance[followed]
        numbers, place = np.unique(prospect.part_after[followed], return_inverse=True)
        beliefs, chances = prospect.after.some(numbers), sums_of(place.ravel(), chance, len(numbers))
    return PolicyOutcome(goal, length, decisions, proven, given_away)
