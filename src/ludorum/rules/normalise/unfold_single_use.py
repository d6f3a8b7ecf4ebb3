"""Put a relation's only rule into the only place that uses it.

    (<= (legal ?r (mark ?x)) (can ?r ?x))  (<= (can ?r ?x) (true (control ?r)) (free ?x))
    becomes  (<= (legal ?r (mark ?x)) (true (control ?r)) (free ?x))

Only rules whose variables all stand in their head are unfolded: others hide variables from their user, and
that is what parts are for (``decompose_bodies``).
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from ..keywords import KEYWORDS
from ..ruleset import Atom, Formula, Rule, Ruleset, signed_atoms
from ..terms import Signature, variables_of
from ..unify import resolve, unify
from .expand_connectives import expand_connectives
from .substitute_rules import change_rule, rename_apart, rule_variables


def unfold_single_use(ruleset: Ruleset) -> Ruleset:
    """The same answers without relations that one rule defines and one positive literal uses."""
    ruleset = expand_connectives(ruleset)
    single = _single_use(ruleset)
    kept = (_unfold(rule, single) for rule in ruleset.rules if rule.signature not in single)
    return ruleset.with_rules(rule for rule in kept if rule is not None)


def _single_use(ruleset: Ruleset) -> dict[Signature, Rule]:
    uses: Counter[Signature] = Counter()
    users: dict[Signature, Signature] = {}
    for rule in ruleset.rules:
        for atom, positive in signed_atoms(rule.body):
            uses[atom.term.signature] += 1 if positive else 2  # a negated use cannot take in a body
            users[atom.term.signature] = rule.signature
    found = {
        signature: rules[0]
        for signature, rules in ruleset.by_signature.items()
        if len(rules) == 1 and uses[signature] == 1 and signature[0] not in KEYWORDS and shows_all(rules[0])
    }
    return {
        signature: rule for signature, rule in found.items() if not _is_in_circle(signature, found, users)
    }


def shows_all(rule: Rule) -> bool:
    """Whether there is a body, and the head has all its variables."""
    return bool(rule.body) and len(rule_variables(rule)) == len(set(variables_of(rule.head)))


def _is_in_circle(
    signature: Signature, single: dict[Signature, Rule], users: dict[Signature, Signature]
) -> bool:
    """Whether a relation's only user is, through other single uses, itself: then it cannot be unfolded."""
    seen = set()
    at = signature
    while at in single and at not in seen:
        seen.add(at)
        at = users[at]
    return at in seen


def _unfold(rule: Rule, single: dict[Signature, Rule]) -> Rule | None:
    """The rule with every single-use literal replaced by its body; None if it can never fire."""
    while True:
        place = next((at for at, literal in enumerate(rule.body) if _use(literal) in single), None)
        if place is None:
            return rule
        atom = rule.body[place]
        assert isinstance(atom, Atom)
        made = unfold_literal(rule, place, single[atom.term.signature])
        if made is None:
            return None
        rule = made


def unfold_literal(rule: Rule, place: int, definition: Rule) -> Rule | None:
    """The rule with one of its atoms replaced by the body of a rule for it; None if that does not fit."""
    atom = rule.body[place]
    assert isinstance(atom, Atom)
    definition = rename_apart(definition, rule_variables(rule))
    values = unify(definition.head, atom.term)
    if values is None:
        return None
    body = (*rule.body[:place], *definition.body, *rule.body[place + 1 :])
    return change_rule(Rule(rule.head, body, rule.node), partial(resolve, values=values))


def _use(literal: Formula) -> Signature | None:
    return literal.term.signature if isinstance(literal, Atom) else None
