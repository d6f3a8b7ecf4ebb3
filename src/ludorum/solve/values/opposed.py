"""Whether two players are opposed, proved: only then does the value of one follow from that of the other.

The ends a search has seen prove nothing about the others. So all states are visited where they are few; else
the property ``constant-sum`` is proved by induction, which covers all reachable states.
"""

from __future__ import annotations

from ...engine.compiled import CompiledState
from ...engine.game import Status
from ...search.budget import Budget, Stopwatch
from ...search.exact import ends_of
from ...search.state_graph import UnsolvedError, explore_states
from ..prove.prove import prove
from ..prove.subject import ProofLimits
from ..prove.verdict import VerdictStatus
from .prover import ValueProver

FEW_STATES = 20_000
"""States that are visited one by one before a proof is tried."""
PLAYS = 20
"""Random plays that a sum must survive before a proof is tried."""
SECONDS = 30.0
"""The most seconds for the proof. Without a proof an answer takes longer, but it is not wrong."""


def proved_sum(prover: ValueProver, state: CompiledState, watch: Stopwatch) -> int | None:
    """The proved sum of all roles' goals at every end reachable from a state; None where it is not proved."""
    game, seen = prover.game, prover.sum
    if seen is None:
        return None
    from_start = state == game.initial()
    known = game.info.constant_sum
    if from_start and known.status is Status.PROVED:
        return known.value if known.value == seen else None
    left = watch.seconds_left
    seconds = SECONDS if left is None else min(SECONDS, left / 2)
    budget = Budget(seconds=seconds, stop=watch.budget.stop)
    try:
        sums = set(ends_of(explore_states(game, state, Stopwatch(budget), FEW_STATES)).sum(axis=1).tolist())
        return seen if sums == {seen} else None
    except UnsolvedError:
        if not from_start:  # induction covers only states reachable from the initial one
            return None
    limits = ProofLimits(explore=False, plays=PLAYS)
    (verdict,) = prove(game.rules, ["constant-sum"], budget, name=game.name, limits=limits)
    # Proofs take goals as written, the search as numbers from 0 to 100: both must mean the same.
    return seen if verdict.status is VerdictStatus.PROVED and verdict.value == seen else None
