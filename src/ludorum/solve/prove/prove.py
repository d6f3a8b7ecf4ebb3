"""Proves properties, by the cheapest method that decides each: rules, play, all states, then induction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ...asp.ground import GroundProgram
from ...processes.session import ChildLimitError, run_limited
from ...rules.ruleset import Ruleset
from ...search.budget import Budget, Stopwatch
from .constant_sum import ConstantSum
from .exclusion import Exclusion
from .factorable import Factorable
from .live_rules import LiveRules
from .maximum_length import MaximumLength
from .monotone_goals import MonotoneGoals
from .persistence import Persistence
from .playable import Playable
from .proof import OutOfTime, Proof, Seen, seen_in
from .property import Property
from .subject import ProofLimits, Subject
from .symmetric_roles import SymmetricRoles
from .terminates import Terminates
from .turn_taking import TurnTaking
from .unique_goal import UniqueGoal
from .verdict import Verdict, VerdictStatus
from .winnable import StronglyWinnable, Winnable

PROPERTIES: dict[str, type[Property]] = {
    each.name: each
    for each in (
        Playable,
        Terminates,
        MaximumLength,
        Winnable,
        StronglyWinnable,
        TurnTaking,
        UniqueGoal,
        ConstantSum,
        Exclusion,
        Persistence,
        MonotoneGoals,
        LiveRules,
        SymmetricRoles,
        Factorable,
    )
}
"""Every property by name, in the order in which they are shown."""

Report = Callable[[Verdict], None]

INDUCTION_SECONDS = 60.0
"""For induction where the caller has no clock, since it has no count: without a proof a verdict says why."""
GRACE = 0.3
"""Seconds beyond the time in which the child process may report what it has found."""


def property_names(asked: Iterable[str]) -> list[str]:
    """The property names, with ``all`` expanded; ValueError for one that does not exist."""
    names: list[str] = []
    for name in asked:
        if name == "all":
            names += PROPERTIES
        elif name in PROPERTIES:
            names.append(name)
        else:
            raise ValueError(f"no property {name!r}; there are {', '.join(PROPERTIES)}, and all")
    return list(dict.fromkeys(names))


def prove(
    rules: Ruleset,
    names: Iterable[str],
    budget: Budget,
    *,
    name: str = "game",
    limits: ProofLimits | None = None,
    seed: int = 0,
    report: Report | None = None,
) -> list[Verdict]:
    """A verdict for each property asked for, in that order; ``report`` is called with each as it is known."""
    subject = Subject(rules, name, Stopwatch(budget), limits or ProofLimits(), seed)
    return PropertyProver(subject, report).run(property_names(names))


class PropertyProver:
    """The verdicts on one subject, as they come in."""

    def __init__(self, subject: Subject, report: Report | None = None) -> None:
        self.subject = subject
        self.report = report
        self.found: dict[str, Verdict] = {}

    def run(self, names: Sequence[str]) -> list[Verdict]:
        open_ones = {name: PROPERTIES[name]() for name in names}
        subject = self.subject
        self._decide(open_ones, lambda one: one.by_rules(subject))
        if open_ones:
            self._decide(open_ones, lambda one: one.by_play(subject.plays))
        if open_ones and (reach := subject.reachable) is not None:
            self._decide(open_ones, lambda one: one.by_reachable(reach))
        if open_ones and not subject.watch.is_up() and (program := subject.program) is not None:
            self._induct(open_ones, program)
        self._decide(open_ones, lambda one: self._add_trouble(one.observed(subject.plays)))
        for name in list(open_ones):
            why = "; ".join(dict.fromkeys(subject.trouble)) or "no proof was found"
            self._note(Verdict(name, VerdictStatus.UNKNOWN, why))
        return [self.found[name] for name in names]

    def _decide(self, open_ones: dict[str, Property], way: Callable[[Property], Verdict | None]) -> None:
        for name, one in list(open_ones.items()):
            begin = self.subject.watch.seconds
            verdict = way(one)
            if verdict is not None:
                del open_ones[name]
                self._note(replace(verdict, seconds=self.subject.watch.seconds - begin))

    def _induct(self, open_ones: dict[str, Property], program: GroundProgram) -> None:
        """Decides the open properties in a child process, which may run out of memory without harm."""
        subject = self.subject
        seen = seen_in(subject.plays, subject.fluents)
        left = subject.watch.seconds_left
        seconds = INDUCTION_SECONDS if left is None else max(0.05, left)
        try:
            verdicts = run_limited(
                _induct_all,
                (program, seen, list(open_ones.values()), 0.9 * seconds),
                seconds + GRACE,
                subject.limits.megabytes,
                stop=subject.watch.budget.stop,
            )
        except ChildLimitError as error:
            subject.trouble.append(f"induction {error}")
            return
        if any(verdict is None for verdict in verdicts):
            subject.trouble.append("no proof was found within the limits")
        for one, verdict in zip(list(open_ones.values()), verdicts, strict=True):
            if verdict is not None:
                del open_ones[one.name]
                self._note(verdict)

    def _add_trouble(self, verdict: Verdict | None) -> Verdict | None:
        """Why something was only observed."""
        trouble = "; ".join(dict.fromkeys(self.subject.trouble))
        return verdict and replace(verdict, reason=f"{verdict.reason} ({trouble or 'no proof was found'})")

    def _note(self, verdict: Verdict) -> None:
        self.found[verdict.property] = verdict
        if self.report is not None:
            self.report(verdict)


def _induct_all(
    program: GroundProgram, seen: Seen, properties: list[Property], seconds: float
) -> list[Verdict | None]:
    """In the child process: tries each property, then those still open once more with more invariants."""
    whole = Stopwatch(Budget(seconds=seconds))
    proof = Proof(program, seen, whole)
    found: list[Verdict | None] = [None] * len(properties)
    for proof.with_pairs, share_of_time in ((False, 0.6), (True, 1.0)):
        open_ones = [at for at, verdict in enumerate(found) if verdict is None]
        for number, at in enumerate(open_ones):
            begin = whole.seconds
            left = max(0.0, seconds * share_of_time - begin)
            # Somewhat more than a fair share: most take less, and the first pays for the invariants.
            share = min(left, 1.5 * left / (len(open_ones) - number))
            proof.watch = proof.transitions.watch = Stopwatch(Budget(seconds=share))
            try:
                verdict = properties[at].by_induction(proof)
            except OutOfTime:
                verdict = None
            found[at] = verdict and replace(verdict, seconds=whole.seconds - begin)
    return found
