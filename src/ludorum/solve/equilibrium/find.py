"""An approximate equilibrium of a small game, with the exact bound on what a deviation can gain.

The bound is measured by best responses in the whole tree, so it holds whatever the game is like. Only in
games of two players with a constant sum is regret minimisation sure to bring it down to 0.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ...engine.game import Game, State
from ...rules.terms import Term, format_term
from ...search.budget import Budget, Stopwatch
from .game_tree import MOST_NODES, InformationSet
from .make_tree import make_tree
from .method import RegretMethod
from .minimise import RegretMinimiser

USUAL_ITERATIONS = 100_000
USUAL_SAMPLES = 100_000_000
"""Iterations unless the caller says otherwise: far more samples, since each is a small part of the tree."""


@dataclass(frozen=True)
class Equilibrium:
    """Strategies of all players, the values they give, and how much any player could gain by deviating."""

    game: str
    values: Mapping[Term, float]
    gains: Mapping[Term, float]
    """By player: what its best response to the others gains over its own strategy."""
    within: float
    """What was asked for."""
    sets: tuple[tuple[InformationSet, tuple[float, ...]], ...]
    """Each information set with the probabilities of its moves."""
    method: RegretMethod
    is_start_given: bool
    """Whether play begins in a state that the caller gave: all roles are taken to know it then."""
    iterations: int
    nodes: int
    seconds: float

    @property
    def found(self) -> bool:
        """Whether no player gains more than was asked for."""
        return max(self.gains.values(), default=0.0) <= self.within

    @property
    def nash_conv(self) -> float:
        """The gains of all players together."""
        return sum(self.gains.values())

    def as_json(self) -> dict[str, object]:
        return {
            "game": self.game,
            "found": self.found,
            "values": {format_term(role): value for role, value in self.values.items()},
            "gains": {format_term(role): gain for role, gain in self.gains.items()},
            "nash_conv": self.nash_conv,
            "within": self.within,
            "strategies": [
                {
                    "role": format_term(one.role),
                    "history": [
                        {"move": format_term(move), "percepts": sorted(map(format_term, percepts))}
                        for move, percepts in one.history
                    ],
                    "moves": {
                        format_term(move): chance for move, chance in zip(one.moves, chances, strict=True)
                    },
                }
                for one, chances in self.sets
            ],
            "method": self.method.full_name,
            "roles_know_start": self.is_start_given,
            "iterations": self.iterations,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }


def find_equilibrium(
    game: Game,
    state: State | None,
    within: float,
    iterations: int | None = None,
    budget: Budget | None = None,
    most_nodes: int = MOST_NODES,
    report: Callable[[str], None] | None = None,
    *,
    method: RegretMethod = RegretMethod.CFR_PLUS,
    seed: int = 0,
) -> Equilibrium:
    """Strategies until no player gains more than ``within`` points by deviating, or the limits are reached;
    the errors of ``make_tree``. ``report`` is told in words how far it is. All roles are taken to know a
    state that is given."""
    begun = time.monotonic()
    watch = None if budget is None else Stopwatch(budget)
    tell = report or (lambda _: None)
    tree = make_tree(game, state, most_nodes, lambda nodes: tell(f"{nodes:,} nodes"))
    cfr = RegretMinimiser(tree, method, seed=seed)
    gains = [math.inf]

    def is_up() -> bool:
        so_far = "" if math.isinf(max(gains)) else f", {max(gains):.4f} points to gain"
        tell(f"{cfr.iterations:,} iterations{so_far}")
        return watch is not None and watch.is_up()

    if iterations is None:
        iterations = USUAL_SAMPLES if method.is_sampled else USUAL_ITERATIONS
    for count in _counts(iterations):
        cfr.run(count - cfr.iterations, is_up)
        average = cfr.average()
        values, gains = cfr.worth(average)
        if max(gains, default=0.0) <= within or is_up():
            break
    return Equilibrium(
        game.name,
        dict(zip(tree.players, values, strict=True)),
        dict(zip(tree.players, gains, strict=True)),
        within,
        tuple((one, tuple(map(float, average[one.first : one.first + len(one.moves)]))) for one in tree.sets),
        method,
        state is not None,
        cfr.iterations,
        tree.size,
        time.monotonic() - begun,
    )


def _counts(iterations: int) -> Iterator[int]:
    """Numbers of iterations after which the gains are measured: each half as many again."""
    count = 16
    while count < iterations:
        yield count
        count += count // 2
    yield iterations
