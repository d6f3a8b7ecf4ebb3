"""Whether a mended sheet may be offered: it reads, passes `check`, and plays to the end its own rules set.

One validator for every change, whatever made it. It counts games, steps and states, never seconds.
"""

from __future__ import annotations

from ...rules.binding import free_variables
from ...rules.dependencies import Dependencies
from ...rules.keywords import GIVEN, HINTS
from ...rules.ruleset import Ruleset, signed_atoms
from ...rules.terms import Signature
from . import costs
from .play import count_states, play
from .proposal import Edit
from .sheet import Reading, TextUnderRepair
from .symptoms import Symptom, static_symptoms

REFUSED = frozenset({"over-at-start", "unplayable", "stuck", "endless"})
"""Symptoms of play that no offered repair may have."""


def all_symptoms(reading: Reading) -> list[Symptom]:
    """The symptoms of rules as they read, and as they play where they can be played."""
    found = static_symptoms(reading)
    if can_be_played(reading, found):
        found += play(reading.rules).symptoms
    return found


def can_be_played(reading: Reading, symptoms: list[Symptom]) -> bool:
    """Whether the rules can be played: they have no errors but such as play shows too."""
    wrong = [symptom for symptom in symptoms if symptom.weight >= costs.ERROR]
    shown_by_play = {"missing-legal", "role-without-legal", "role-without-goal"}
    return all(symptom.code in shown_by_play for symptom in wrong) and bool(reading.rules.roles)


def refusals(
    before: TextUnderRepair, edits: tuple[Edit, ...], after: Reading, symptoms: list[Symptom]
) -> list[str]:
    """Why a mended sheet is not offered, given its symptoms; nothing where it may be."""
    found = [symptom.words for symptom in symptoms if symptom.code in REFUSED]
    found += [
        symptom.words for symptom in symptoms if symptom.weight >= costs.ERROR and symptom.code not in REFUSED
    ]
    if found:
        return found
    least = least_states(before, edits)
    if count_states(after.rules, least) < least:
        return [f"fewer than {least} positions can be reached, although the rest of the rules allows as many"]
    return []


def least_states(before: TextUnderRepair, edits: tuple[Edit, ...]) -> int:
    """How many positions a mended sheet must reach: as many as the unchanged rules reach by themselves.

    That holds only where the changed rules can only add positions, not where `terminal` or a negation depends
    on them. There two positions suffice: the game is not over at the start.
    """
    if before.bracket_faults or before.reading.unread:
        return 2
    touched = [
        form
        for form in before.forms
        if any(
            form.node.span.start <= edit.span.start and edit.span.end <= form.node.span.end for edit in edits
        )
    ]
    rules = before.rules
    forbidding = _forbidding(rules)
    if any(form.rule is not None and form.rule.signature in forbidding for form in touched):
        return 2
    left = [form.rule for form in before.forms if form.rule is not None and form not in touched]
    if any(rule.head.name in GIVEN or free_variables(rule) for rule in left):
        return 2  # conditions of a rule that was read in pieces: they are no rules by themselves
    return max(count_states(rules.with_rules(left), 40), 2)


def _forbidding(rules: Ruleset) -> frozenset[Signature]:
    """Relations of which more facts may mean fewer positions: `terminal` or a negation depends on them."""
    dependencies = Dependencies(rules)
    negated = [
        atom.term.signature
        for rule in rules.rules
        if rule.head.name not in HINTS
        for atom, positive in signed_atoms(rule.body)
        if not positive
    ]
    found = set(dependencies.reachable([("terminal", 0), *negated]))
    if ("true", 1) in found:
        found |= {("init", 1), ("next", 1)}
        found |= set(dependencies.reachable([("init", 1), ("next", 1)]))
    if ("does", 2) in found:
        found |= {("legal", 2)} | set(dependencies.reachable([("legal", 2)]))
    return frozenset(found)
