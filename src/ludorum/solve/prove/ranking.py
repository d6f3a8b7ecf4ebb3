"""Ranking functions: weights on fluents whose sum every move makes larger, so that play must end.

Weights are learned from moves that were seen (a perceptron: what does not grow is added), then induction is
asked for a move, from any state that satisfies the invariants, that does not make the sum grow. Such a move
is learned from as well, until there is none. Pieces that only go forwards, boards that fill, heaps that
shrink are all of this kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .families import Family
from .proof import Proof
from .transitions import Literal

MOST_ROUNDS = 200
"""Counterexamples of induction that are learned from."""
MOST_EPOCHS = 3000
"""Passes over the moves in one round of learning."""
MOST_WEIGHT = 10_000

Weights = NDArray[np.int64]


@dataclass(frozen=True)
class Ranking:
    """Weights by the numbers of fluents; every move adds at least 1 to the sum of those that hold."""

    weights: Weights
    bound: int
    """Moves after which the sum could not grow any more."""


def find_ranking(proof: Proof) -> Ranking | None:
    """A proved ranking; None where none is found in time."""
    proof.prepare()
    count = len(proof.transitions.fluents)
    steps = [_difference(before, after, count) for before, after in proof.seen.followers]
    weights: Weights | None = np.zeros(count, np.int64)
    for _ in range(MOST_ROUNDS):
        weights = learn(steps, weights)
        if weights is None:
            return None
        weights = _simplified(steps, weights)
        against = _step_against(proof, weights)
        if against is None:
            return _tightest(proof, weights)
        steps.append(_difference(*against, count))
    return None


def _tightest(proof: Proof, weights: Weights) -> Ranking:
    """The ranking with the smallest bound among some that follow from proved weights."""
    plain = np.sign(weights)
    if (plain != weights).any() and _step_against(proof, plain) is None:
        weights = plain
    most = _most(proof, weights)
    growth = 1
    while growth < most and _step_against(proof, weights, growth + 1) is None:
        growth += 1
    return Ranking(weights, most // growth)


def learn(steps: Sequence[Weights], weights: Weights | None) -> Weights | None:
    """Weights under which every step grows; None where they are not found soon."""
    if weights is None or not steps:
        return weights
    rows = np.unique(np.stack(steps), axis=0)
    if not rows.any(axis=1).all():
        return None  # a move that changes nothing
    weights = weights.copy()
    for _ in range(MOST_EPOCHS):
        wrong = np.flatnonzero(rows @ weights <= 0)
        if not len(wrong):
            return weights
        for at in wrong:
            if int(rows[at] @ weights) <= 0:
                weights += rows[at]
        if abs(weights).max() > MOST_WEIGHT:
            return None
    return None


def _simplified(steps: Sequence[Weights], weights: Weights) -> Weights:
    """The weights with those that the seen moves do not need set to 0, smallest first: easier to prove."""
    if not steps:
        return weights  # no move was seen: perhaps there is none
    rows = np.stack(steps)
    sums = rows @ weights
    kept = weights.copy()
    for at in np.argsort(abs(weights)):
        without = sums - rows[:, at] * kept[at]
        if kept[at] and (without > 0).all():
            sums, kept[at] = without, 0
    return kept


def _step_against(
    proof: Proof, weights: Weights, growth: int = 1
) -> tuple[frozenset[int], frozenset[int]] | None:
    """A step by which the sum grows less than that: the facts before and after; None where there is none."""
    transitions = proof.transitions
    move = transitions.moves_from(0)
    grows = []
    for at in np.flatnonzero(weights).tolist():
        weight = int(weights[at])
        # Only what changes counts: gained with its weight, lost with the opposite one.
        gained = transitions.once(("gained", at), 0, lambda at=at: _changed(proof, at, gained=True))  # type: ignore[misc]
        lost = transitions.once(("lost", at), 0, lambda at=at: _changed(proof, at, gained=False))  # type: ignore[misc]
        grows += [(gained, weight), (lost, -weight)]
    found: list[tuple[frozenset[int], frozenset[int]]] = []

    def read(holds: Callable[[Literal], bool]) -> None:
        before, after = (
            frozenset(at for at in range(len(transitions.fluents)) if holds(transitions.true(at, step)))
            for step in (0, 1)
        )
        found.append((before, after))

    transitions.ask([move, -transitions.sum_at_least(growth, grows)], read)
    return found[0] if found else None


def _changed(proof: Proof, at: int, *, gained: bool) -> Literal:
    before, after = proof.transitions.true(at, 0), proof.transitions.true(at, 1)
    return proof.transitions.all_of((-before, after) if gained else (before, -after))


def _difference(before: frozenset[int], after: frozenset[int], count: int) -> Weights:
    row = np.zeros(count, np.int64)
    row[list(after)] += 1
    row[list(before)] -= 1
    return row


def _most(proof: Proof, weights: Weights) -> int:
    """How much the sum can grow from the initial state on: of an exclusive family only one fluent counts."""
    fluents = proof.transitions.fluents
    start = sum(int(weights[at]) for at, fluent in enumerate(fluents) if fluent in proof.program.initial)
    most, covered = 0, set[int]()
    for family in sorted(proof.families, key=_widest):
        if covered.isdisjoint(family.members):
            covered.update(family.members)
            best = max(int(weights[at]) for at in family.members)
            most += best if family.exactly else max(0, best)
    most += sum(max(0, int(weights[at])) for at in range(len(fluents)) if at not in covered)
    return max(0, most - start)


def _widest(family: Family) -> int:
    return -len(family.members)
