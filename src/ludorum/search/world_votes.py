"""Searches of several worlds as one answer: the votes of the worlds, by their weights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from ..engine.game import State
from ..rules.terms import Term
from .budget import Budget
from .decision import Choice, Decision


class SampledWorld(Protocol):
    """A state in which a match may be; samplers of worlds give such."""

    @property
    def state(self) -> State: ...
    @property
    def weight(self) -> float:
        """Its share of the worlds."""
        ...

    @property
    def views(self) -> tuple[int, ...]:
        """By role: a number for what it has seen so far; empty where that is not kept."""
        ...


class WorldSearcher(Protocol):
    """A search that chooses a move for a role which may be in any of some worlds."""

    def search_worlds(self, worlds: Sequence[SampledWorld], role: Term, budget: Budget) -> Decision:
        """The best move, as far as the budget allows."""
        ...


def joint_vote(role: Term, votes: Iterable[tuple[float, Decision]], seconds: float) -> Decision:
    """One decision of the decisions in several worlds: by the weighted mean of the values of a move.

    Nothing in it is proven, since proofs of one world say nothing about the others. A move that a search did
    not even try, as it had found another to be best, counts as nothing in that world.
    """
    weights: dict[Term, float] = {}
    totals: dict[Term, float] = {}
    visits: dict[Term, int] = {}
    nodes = playouts = 0
    for weight, decision in votes:
        nodes, playouts = nodes + decision.nodes, playouts + decision.playouts
        for choice in decision.choices:
            weights[choice.move] = weights.get(choice.move, 0.0) + weight
            value = choice.value if choice.visits or choice.move is decision.move else 0.0
            totals[choice.move] = totals.get(choice.move, 0.0) + weight * value
            visits[choice.move] = visits.get(choice.move, 0) + choice.visits
    choices = sorted(
        (Choice(move, visits[move], totals[move] / weights[move]) for move in weights if weights[move] > 0),
        key=lambda choice: (-choice.value, -choice.visits, choice.move),
    )
    return Decision(role, choices[0].move, tuple(choices), nodes, playouts, seconds)
