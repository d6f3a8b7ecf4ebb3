"""Rules that one role has and another lacks: the same rule with the roles and what is theirs exchanged."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...rules.keywords import HINTS
from ...rules.ruleset import Rule, Ruleset, with_other_terms
from ...rules.terms import Pattern, Term, Variable
from . import costs
from .focus import Focus
from .proposal import Proposal, added
from .sheet import TextUnderRepair

Exchange = dict[Term, Term]
NEVER = HINTS | {"role", "terminal"}
"""Heads of rules that are never added: hints repair nothing, and a repair must not end the game sooner."""


def propose_mirrors(sheet: TextUnderRepair, focus: Focus) -> Iterator[Proposal]:
    """The missing mirror images of rules that name a role."""
    if sheet.reading.unread:
        return
    known = {_plain(rule) for rule in sheet.rules.rules}
    for one, other in combinations(sheet.rules.roles, 2):
        for exchange in _exchanges(sheet.rules, one, other):
            for rule in sheet.rules.rules:
                image = _plain(_image(rule, exchange))
                if rule.head.name in NEVER or image in known:
                    continue
                reason = f"the rule for {rule.head} has no counterpart when {one} and {other} are exchanged"
                # Where the head stays the same, or belongs to the initial state, roles may differ on purpose.
                unlikely = image.head is rule.head or rule.head.name == "init"
                cost = costs.RULE + costs.GUESS * unlikely
                yield Proposal(reason, (added(sheet.source, str(image)),), cost)


def _exchanges(rules: Ruleset, one: Term, other: Term) -> Iterator[Exchange]:
    """The two roles alone, and with the constants that facts put beside them."""
    plain: Exchange = {one: other, other: one}
    yield plain
    whole = dict(plain)
    facts = [rule.head for rule in rules.rules if not rule.body and rule.head.is_ground]
    for left in facts:
        for right in facts:
            if left.signature != right.signature or len(left.args) < 2 or left.name in ("init", "role"):
                continue
            if (left.args[0], right.args[0]) == (one, other) and _once(facts, left) and _once(facts, right):
                for a, b in zip(left.args[1:], right.args[1:], strict=True):
                    if isinstance(a, Term) and isinstance(b, Term) and a not in whole and b not in whole:
                        whole[a], whole[b] = b, a
    if whole != plain:
        yield whole


def _once(facts: list[Term], fact: Term) -> bool:
    return sum(each.signature == fact.signature and each.args[0] is fact.args[0] for each in facts) == 1


def _image(rule: Rule, exchange: Exchange) -> Rule:
    def change(pattern: Pattern) -> Pattern:
        if isinstance(pattern, Variable):
            return pattern
        if not pattern.args:
            return exchange.get(pattern, pattern)
        return Term(pattern.name, tuple(map(change, pattern.args)))

    return with_other_terms(rule, change)


def _plain(rule: Rule) -> Rule:
    """The rule without its text, so that equal rules are equal."""
    return Rule(rule.head, rule.body)
