"""The highest goal value that an end may have by the invariants of a game: no play brings more.

Search proves that a value is out of reach by going everywhere. This asks the solver instead for an end with
the value, in any state in which the sums that no move changes (``prove/steady_sums.py``) are those of the
beginning. Where there is none, no play ends so. Work is counted, so the answer does not depend on the clock.
"""

from __future__ import annotations

from math import inf

from ..asp.ground import GroundingError, ground_rules
from ..engine.lifted import LiftedGame
from ..rules.dependencies import is_stratified
from ..rules.ruleset import Ruleset
from ..rules.terms import Term
from ..search.budget import TO_THE_END, Stopwatch
from .horizon import OutOfTime
from .prove.plays import play_at_random
from .prove.proof import seen_in
from .prove.steady_sums import prove_steady_sums
from .prove.transitions import Literal, Transitions

PLAYS, STATES = 100, 3_000
"""Random plays that refute false invariants."""
CONFLICTS = 20_000
"""Conflicts of the solver in the question for an end."""
MOST_RULES = 300_000
"""Ground rules of a game that is asked about."""
HIGHEST = 100


def highest_goal(rules: Ruleset, role: Term) -> int:
    """A goal value, 0..100, that no play from the beginning exceeds for a role."""
    if not is_stratified(rules):
        return HIGHEST  # negation in a circle: a step has no one meaning
    try:
        program = ground_rules(rules, in_process=True, most_rules=MOST_RULES)
    except GroundingError:
        return HIGHEST
    watch = Stopwatch(TO_THE_END)
    transitions = Transitions(program, watch)
    seen = seen_in(
        play_at_random(LiftedGame(rules), PLAYS, watch, inf, most_states=STATES), transitions.fluents
    )
    prove_steady_sums(transitions, seen)
    transitions.most_conflicts = CONFLICTS
    return _highest(transitions, rules.roles.index(role))


def _highest(transitions: Transitions, role: int) -> int:
    goals = transitions.goals(role, 0)
    for value in sorted((value for value in goals if isinstance(value, int)), reverse=True):
        # With another goal value beside it, none counts.
        wanted: list[Literal] = [goals[value], *(-other for key, other in goals.items() if key != value)]
        try:
            if value <= HIGHEST and transitions.possible(transitions.terminal(0), *wanted):
                return max(value, 0)
        except OutOfTime:
            return value
    return 0
