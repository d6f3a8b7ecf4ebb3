"""Propose, choose, try: until the rules can be played or nothing is left to be tried.

The solver chooses the cheapest set of changes that mends all known faults. The changed sheet is read, checked
and played; if that shows faults which the old sheet did not have, the choice is struck out and the next best
is tried. Faults that come to light only when others are mended (a sheet that cannot be read cannot be played)
are mended in the next round.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field

from ...asp.solver import SolverError
from ...engine.game import GameError
from ...rules.check import check_ruleset
from ...rules.reader import read_rules
from ...rules.ruleset import Ruleset
from ...rules.source import RulesError, Severity, Source
from .binding import survey_binding
from .choose import choose
from .names import survey_names
from .play import survey_play
from .proposal import Fault, Proposal, Survey, apply_edits

ROUNDS = 5
TRIES = 12
"""Choices of a round that are tried."""
EARLIER = frozenset({"name", "binding"})
"""Faults that are seen without playing."""
MENDED_BY_PLAY = frozenset({"missing-terminal", "missing-legal", "role-without-legal"})
"""Errors of the checks that play shows as well."""


@dataclass(frozen=True)
class Mended:
    """A sheet before and after."""

    before: Source
    after: Source
    made: list[Proposal] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Faults that nothing we know mends, for people."""

    @property
    def diff(self) -> str:
        """The changes as programmers write them."""
        lines = difflib.unified_diff(
            self.before.text.splitlines(keepends=True),
            self.after.text.splitlines(keepends=True),
            self.before.name,
            f"{self.before.name} (mended)",
        )
        return "".join(lines)


def mend(source: Source) -> Mended:
    """The sheet with the fewest changes that make it playable."""
    now, survey = source, look_for_faults(source)
    made: list[Proposal] = []
    for _ in range(ROUNDS):
        found = _best(now, survey) if survey.faults else None
        if found is None:
            break
        made += sorted(found.choice, key=lambda each: min(edit.span.start for edit in each.edits))
        now, survey = found.after, found.survey
    return Mended(source, now, made, _left(now, survey))


@dataclass(frozen=True)
class _Tried:
    """A choice, the sheet after it, and what is wrong with that."""

    choice: frozenset[Proposal]
    after: Source
    survey: Survey


def look_for_faults(source: Source) -> Survey:
    """What is wrong with a sheet and what could be done; play is tried only where it can be."""
    rules, unread = read_rules(source)
    survey = Survey()
    if unread:
        return survey
    survey_names(source, rules, survey)
    survey_binding(source, rules, survey)
    if not any(fault.kind == "binding" for fault in survey.faults) and _is_playable(rules):
        try:
            survey_play(source, rules, survey)
        except (GameError, SolverError, RulesError):
            return survey  # what hinders play is said in `left`
    return survey


def _best(source: Source, survey: Survey) -> _Tried | None:
    """The cheapest choice that adds no fault."""
    tried: list[frozenset[Proposal]] = []
    for _ in range(TRIES):
        choice = choose(survey, tried)
        if choice is None:
            return None
        after = apply_edits(source, (edit for proposal in choice for edit in proposal.edits))
        found = _Tried(choice, after, look_for_faults(after))
        if _is_better(survey, found.survey, choice) and not read_rules(after)[1]:
            return found
        tried.append(choice)
    return None


def _is_better(before: Survey, after: Survey, choice: frozenset[Proposal]) -> bool:
    """Whether what was to be mended is, and no fault of another kind that was looked for has come instead."""
    still = set(map(_identity, after.faults))
    gone = {_identity(fault) for each in choice for fault in each.mends}
    kinds = {fault.kind for fault in before.faults}
    worse = {kind for kind, _ in still} & EARLIER - kinds
    return not still & gone and not worse


def _identity(fault: Fault) -> tuple[str, str]:
    """What makes a fault the same one after lines have moved."""
    return fault.kind, fault.text.partition(": ")[2] or fault.where


def _is_playable(rules: Ruleset) -> bool:
    errors = {fault.code for fault in check_ruleset(rules) if fault.severity is Severity.ERROR}
    return errors <= MENDED_BY_PLAY and bool(rules.roles)


def _left(source: Source, survey: Survey) -> list[str]:
    rules, unread = read_rules(source)
    if unread:
        return [str(fault) for fault in unread]
    errors = [str(fault) for fault in check_ruleset(rules) if fault.severity is Severity.ERROR]
    return [*errors, *(fault.text for fault in survey.faults)]


__all__ = ["Fault", "Mended", "mend"]
