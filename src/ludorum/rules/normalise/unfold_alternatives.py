"""Unfold a relation with few rules where that lets the join of a rule be decomposed.

    (<= (safe ?cx ?cy ?x ?y) (attacks ?u ?v ?x ?y) (differ ?cx ?cy ?u ?v))
    (<= (differ ?x1 ?y1 ?x2 ?y2) (distinct ?x1 ?x2) ...)   (<= (differ ...) (distinct ?y1 ?y2) ...)

``differ`` ties four variables together, so there are as many instances as there are ?cx, ?cy, ?u, ?v, ?x, ?y.
Its rules tie two each: with the first ?v can be eliminated before ?cx and ?cy come in, with the second ?u.
Done only where that saves most of a join that would be too large.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial

from ..dependencies import Dependencies
from ..keywords import KEYWORDS
from ..lenient.rewrite import FreshNames
from ..ruleset import Atom, Rule, Ruleset, signed_atoms
from ..terms import Signature
from .decompose_bodies import HOPELESS, decomposed_size
from .estimate_sizes import Sizes
from .expand_connectives import expand_connectives
from .unfold_single_use import shows_all, unfold_literal

GAIN = 0.1
"""The fraction of instances that unfolding must leave."""

FEW = 4
"""The most rules of a relation that is unfolded."""


def unfold_alternatives(ruleset: Ruleset, hopeless: float = HOPELESS, gain: float = GAIN) -> Ruleset:
    """The same rules, those with too many instances unfolded where that lets them be decomposed."""
    ruleset = expand_connectives(ruleset)
    few = _few_rules(ruleset)
    if not few:
        return ruleset
    cost = partial(decomposed_size, Sizes(ruleset), FreshNames(ruleset))
    made: list[Rule] = []
    todo = list(reversed(ruleset.rules))
    while todo:
        rule = todo.pop()
        ways = list(_ways(rule, few))
        before = cost([rule]) if ways else 0.0
        best = min(ways, key=cost) if ways and before >= hopeless else None
        if best is not None and cost(best) <= gain * before:
            todo += reversed(best)
        else:
            made.append(rule)
    return ruleset.with_rules(made)


def _few_rules(ruleset: Ruleset) -> dict[Signature, tuple[Rule, ...]]:
    """The relations that may be unfolded: two or more rules, none recursive, no hidden variables."""
    of = Dependencies(ruleset).component_of
    return {
        signature: tuple(rules)
        for signature, rules in ruleset.by_signature.items()
        if 2 <= len(rules) <= FEW and signature[0] not in KEYWORDS
        if all(shows_all(rule) and not _mentions(rule, of[signature]) for rule in rules)
    }


def _mentions(rule: Rule, signatures: Collection[Signature]) -> bool:
    return any(atom.term.signature in signatures for atom, _ in signed_atoms(rule.body))


def _ways(rule: Rule, few: dict[Signature, tuple[Rule, ...]]) -> Iterator[list[Rule]]:
    """The rule with one of its literals unfolded, for each literal that can be."""
    for place, literal in enumerate(rule.body):
        if isinstance(literal, Atom) and literal.term.signature in few:
            made = (unfold_literal(rule, place, definition) for definition in few[literal.term.signature])
            yield [one for one in made if one is not None]
