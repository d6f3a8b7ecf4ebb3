"""Persistence of the fluents of goals: read off the rules where that is enough, else proved by induction.

Random plays refute most of what is not so. What is left is read off the ground rules of a step, without a
search. The rest is asked of the solver in a child process, all at once and first without invariants; families
of fluents of which at most one holds are proved next, and given in the same question again. They also tell
which fluents exclude each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from ...asp.ground import WITHOUT_CLOCK, GroundProgram
from ...engine.game import Game
from ...evaluate.goals.persistence import Candidate, LastingFluents
from ...evaluate.goals.read_persistence import read_persistence
from ...evaluate.goals.step_rules import StepRules
from ...evaluate.ground_bodies import fluents_of
from ...processes.session import ChildLimitError, run_limited, tell
from ...rules.dependencies import is_stratified
from ...rules.terms import Term
from ...search.budget import TO_THE_END, Budget, Stopwatch
from ..horizon import OutOfTime
from .families import find_families
from .invariants import latches, prove_families
from .plays import play_at_random
from .proof import MOST_COPIED_RULES, Seen, seen_in
from .transitions import Transitions


@dataclass(frozen=True)
class PersistenceLimits:
    """How much is done, counted; the seconds are an outer limit."""

    plays: int = 20
    states: int = 400
    """States of random plays, which refute."""
    questions: int = 100
    """Questions to the solver, for each set of invariants."""
    conflicts: int = 5_000
    """Conflicts of the solver in each question."""
    seconds: float | None = None
    megabytes: float = 2000.0


USUAL_LIMITS = PersistenceLimits()


def prove_persistence(
    game: Game, program: GroundProgram, wanted: Collection[Term], limits: PersistenceLimits = USUAL_LIMITS
) -> LastingFluents:
    """What can be proved about some fluents of a game with these ground rules."""
    found = LastingFluents()
    for found in persistence_by_steps(game, program, wanted, limits):  # noqa: B007  (the last of them)
        pass
    return found


def persistence_by_steps(
    game: Game, program: GroundProgram, wanted: Collection[Term], limits: PersistenceLimits = USUAL_LIMITS
) -> Iterator[LastingFluents]:
    """The same: first what is read off the rules, then all that is known with a proof as well."""
    assert game.rules is not None
    if not is_stratified(game.rules):
        return  # negation in a circle: a step has no one meaning
    fluents = list(fluents_of(program).values())
    watch = Stopwatch(TO_THE_END if limits.seconds is None else Budget(limits.seconds))
    seen = seen_in(play_at_random(game, limits.plays, watch, inf, most_states=limits.states), fluents)
    candidates = _unrefuted(fluents, seen.steps, frozenset(wanted))
    found = LastingFluents(once_false=frozenset(wanted).difference(fluents))  # they can never hold
    if candidates:
        found |= read_persistence(StepRules(program), candidates, watch.is_up)
    yield found
    if watch.is_up():
        return
    left = {(fluent, value) for fluent, value in candidates if not found.keeps(fluent, value)}
    if (left or found.once_true) and 2 * len(program.heads) <= MOST_COPIED_RULES:
        rest = replace(limits, seconds=watch.seconds_left)
        yield _proved(program, seen, found, left, frozenset(wanted), rest)


def _proved(
    program: GroundProgram,
    seen: Seen,
    found: LastingFluents,
    left: AbstractSet[Candidate],
    wanted: AbstractSet[Term],
    limits: PersistenceLimits,
) -> LastingFluents:
    """What induction tells in a child process; where that hits a limit, what was proved before stands."""
    news = [found]
    work = (program, seen, found, left, wanted, limits)
    seconds = WITHOUT_CLOCK if limits.seconds is None else limits.seconds
    with suppress(ChildLimitError):
        news.append(run_limited(_by_induction, work, seconds, limits.megabytes, on_news=news.append))
    return news[-1]


def _unrefuted(fluents: Sequence[Term], steps: NDArray[np.int8], wanted: Collection[Term]) -> list[Candidate]:
    """What no play has refuted."""
    return [
        (fluent, value)
        for fluent, seen in zip(fluents, steps.tolist(), strict=True)
        if fluent in wanted
        for value, change in ((True, 2), (False, 1))
        if not seen & change
    ]


def _by_induction(
    program: GroundProgram,
    seen: Seen,
    found: LastingFluents,
    left: AbstractSet[Candidate],
    wanted: Collection[Term],
    limits: PersistenceLimits,
) -> LastingFluents:
    """What was found before, and what follows by induction over one step."""
    budget = Stopwatch(Budget(nodes=limits.questions))
    transitions = Transitions(program, budget, limits.conflicts)
    number = {fluent: at for at, fluent in enumerate(transitions.fluents)}
    found, left = _ask(transitions, number, found, left)
    tell(found)
    transitions.watch = Stopwatch(Budget(nodes=transitions.solves + limits.questions))
    try:
        families = prove_families(transitions, find_families(transitions.fluents, seen.states))
    except OutOfTime:
        return found
    transitions.watch = Stopwatch(Budget(nodes=transitions.solves + limits.questions))
    found, left = _ask(transitions, number, found, left)
    exclusive = [[transitions.fluents[at] for at in family.members] for family in families]
    return found | LastingFluents(ended_by=_ended_by(exclusive, found.once_true, wanted))


def _ask(
    transitions: Transitions, number: dict[Term, int], found: LastingFluents, left: AbstractSet[Candidate]
) -> tuple[LastingFluents, AbstractSet[Candidate]]:
    """What is proved now, and what is left; all is left where the solver does not answer."""
    if not left:
        return found, left
    refuted = np.full(len(number), 3, np.int8)
    for fluent, value in left:
        refuted[number[fluent]] &= 1 if value else 2
    try:
        kept = latches(transitions, refuted)
    except OutOfTime:
        return found, left
    proved = {(transitions.fluents[at], value) for at, value in kept}
    more = LastingFluents(
        frozenset(fluent for fluent, value in proved if value),
        frozenset(fluent for fluent, value in proved if not value),
    )
    return found | more, left - proved


def _ended_by(
    families: Iterable[Sequence[Term]], once_true: Collection[Term], wanted: Collection[Term]
) -> dict[Term, frozenset[Term]]:
    found: dict[Term, frozenset[Term]] = {}
    for family in families:
        lasting = frozenset(fluent for fluent in family if fluent in once_true)
        for fluent in family:
            others = lasting - {fluent}
            if fluent in wanted and others:
                found[fluent] = found.get(fluent, frozenset()) | others
    return found
