"""Pairs of fluents that exclude each other, or of which one implies the other.

Where families of exclusive fluents are too weak for a proof, these often suffice: a marked cell is not empty,
a block that carries another is not clear. Candidates are pairs that share an argument and that no seen state
contradicts; induction decides.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...rules.terms import Term
from .families import Family
from .invariants import inductive_part
from .transitions import Bad, Literal, Transitions

MOST_FLUENTS = 400
MOST_PAIRS = 4000

Pair = tuple[int, int, bool]
"""Two fluents; True: the first never holds without the second, False: never with it."""


def find_pairs(fluents: Sequence[Term], seen: NDArray[np.bool_], families: Sequence[Family]) -> list[Pair]:
    """Pairs worth asking about, those that share most arguments first."""
    if len(fluents) > MOST_FLUENTS:
        return []
    counts = seen.sum(axis=0)
    together = seen.T.astype(np.float32) @ seen.astype(np.float32)
    known = {(one, other) for family in families for one in family.members for other in family.members}
    args = [frozenset(map(str, fluent.args)) for fluent in fluents]
    found: list[tuple[int, Pair]] = []
    for one in np.flatnonzero(counts).tolist():
        for other in np.flatnonzero(counts).tolist():
            shared = len(args[one] & args[other])
            if one == other or (one, other) in known or (not shared and args[one] and args[other]):
                continue
            if one < other and not together[one, other]:
                found.append((shared, (one, other, False)))
            elif together[one, other] == counts[one] and counts[other] < len(seen):
                found.append((shared, (one, other, True)))
    found.sort(key=lambda each: -each[0])
    return [pair for _, pair in found[:MOST_PAIRS]]


def bad_pair(pair: Pair) -> Bad:
    """Makes the literal that holds where a state breaks the pair."""
    one, other, brings = pair

    def bad(transitions: Transitions, step: int) -> Literal:
        first, second = transitions.true(one, step), transitions.true(other, step)
        return transitions.once(
            pair, step, lambda: transitions.all_of((first, -second if brings else second))
        )

    return bad


def prove_pairs(transitions: Transitions, seen: NDArray[np.bool_], families: Sequence[Family]) -> list[Pair]:
    """The pairs that are invariants, added to the transitions as such."""
    proved = inductive_part(transitions, find_pairs(transitions.fluents, seen, families), bad_pair)
    for pair in proved:
        transitions.assume_invariant(bad_pair(pair))
    return proved
