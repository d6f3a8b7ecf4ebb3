"""A short trial by random play: which of two evaluations tells better moves from worse ones.

What random plays come to on average is no truth, but it knows nothing of what an evaluation is made of. Where
one of two orders the moves of many states as random plays do, and the other does not, that is no chance.
Work is counted, so that the same rules always come to the same answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import sqrt
from statistics import fmean, stdev

import numpy as np
from numpy.typing import NDArray

from ..._core import SplitMix64
from ...engine.compiled import CompiledGame
from ...engine.game import State, random_states
from ...rules.terms import Term

Valued = Callable[[State, Term], float]

STATES = 64
MOVES = 5
"""Moves of each state that are compared."""
PLAYOUTS = 256
"""Random plays after each of them."""
LEAST = 8.0
"""Points between two moves: less may be chance in so many random plays."""
SAMPLE = 64
"""Random plays that tell how long they are."""
MOST_WORK = 20_000_000_000
"""Gates times steps of random plays: a few tenths of a second. Games that need more have no trial."""
CLEAR = 2.0
"""Standard errors that make a difference clear."""


def has_trial(game: CompiledGame) -> bool:
    """Whether random plays of a game are cheap enough, and say something: they seldom solve puzzles."""
    if len(game.info.players) < 2:
        return False
    steps = game.single.playouts(SAMPLE, seed=0)["steps"] / SAMPLE
    return steps * game.network.gates * STATES * MOVES * PLAYOUTS <= MOST_WORK


def is_clearly_better(game: CompiledGame, one: Valued, other: Valued) -> bool:
    """Whether an evaluation orders moves as random plays do, clearly more often than another."""
    choices = list(_choices(game))
    means = _means(game, [state for _, states in choices for state in states])
    gains = []
    for role, states in choices:
        own = [next(means)[game.seat(role)] for _ in states]
        gains.append(_agreement(one, role, states, own) - _agreement(other, role, states, own))
    if len(gains) < 2:
        return False
    error = stdev(gains) / sqrt(len(gains))
    return fmean(gains) > CLEAR * error


def _means(game: CompiledGame, states: Sequence[State]) -> Iterator[NDArray[np.float64]]:
    """What random plays from each state come to on average, for each seat."""
    if not states:
        return iter(())
    simulator = game.shared_simulator
    return iter(simulator.playouts_from(simulator.pack(states), PLAYOUTS, seed=1) / PLAYOUTS)


def _choices(game: CompiledGame) -> Iterator[tuple[Term, list[State]]]:
    """Roles that choose alone, and states after some of their moves."""
    for seed in range(STATES):
        chooser = SplitMix64(seed)
        play = [state for state in random_states(game.initial(), chooser) if not state.is_terminal]
        state = play[chooser.below(len(play))]
        choosing = [role for role in game.roles if len(state.legal(role)) > 1]
        if len(choosing) == 1 and choosing[0] in game.info.players:
            (role,) = choosing
            yield role, [after for after in _after(state, role, chooser) if not after.is_terminal]


def _after(state: State, role: Term, chooser: SplitMix64) -> Iterator[State]:
    """The states after some moves of a role, which no other role can change."""
    moves = list(state.legal(role))
    for _ in range(min(MOVES, len(moves))):
        move = moves.pop(chooser.below(len(moves)))
        yield state.play([move if each == role else state.legal(each)[0] for each in state.game.roles])


def _agreement(valued: Valued, role: Term, states: Sequence[State], means: Sequence[float]) -> float:
    """The pairs of states in the order of the means, less those in the other order: -1 to 1."""
    values = [valued(state, role) for state in states]
    pairs = [pair for pair in combinations(range(len(states)), 2) if abs(_gap(means, pair)) >= LEAST]
    right = sum(_gap(means, pair) * _gap(values, pair) > 0 for pair in pairs)
    wrong = sum(_gap(means, pair) * _gap(values, pair) < 0 for pair in pairs)
    return (right - wrong) / len(pairs) if pairs else 0.0


def _gap(values: Sequence[float], pair: tuple[int, int]) -> float:
    return values[pair[0]] - values[pair[1]]
