"""Successor relations: binary relations that never change and lead from each thing to at most one other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..rules.keywords import KEYWORDS
from ..rules.ruleset import Ruleset
from ..rules.terms import Signature, Term

SHORTEST = 3
"""The least length of a chain that makes an order; two are only a pair."""


@dataclass(frozen=True)
class Chains:
    """An order: one or several chains of things."""

    relation: Signature
    shape: str
    """The colour of the relation in the shape of the rules."""
    ranks: Mapping[str, float]
    """Where each name stands in its chain, from 0 for the first to 1 for the last."""

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(self.ranks)


def find_chains(static: Ruleset, shapes: Mapping[Signature, str]) -> dict[Signature, Chains]:
    """The successor relations among those given by facts."""
    found: dict[Signature, Chains] = {}
    for relation, rules in static.by_signature.items():
        if relation[1] != 2 or relation[0] in KEYWORDS or any(rule.body for rule in rules):
            continue
        pairs = {(_constant(rule.head.args[0]), _constant(rule.head.args[1])) for rule in rules}
        ranks = ranks_of({(one, other) for one, other in pairs if one and other})
        if ranks and not any(None in pair for pair in pairs):
            found[relation] = Chains(relation, shapes.get(relation, ""), ranks)
    return found


def _constant(argument: object) -> str | None:
    return argument.name if isinstance(argument, Term) and not argument.args else None


def ranks_of(pairs: set[tuple[str, str]]) -> dict[str, float]:
    """The ranks of all things that the pairs put into chains; empty where they do not.

    >>> ranks_of({("1", "2"), ("2", "3")})
    {'1': 0.0, '2': 0.5, '3': 1.0}
    >>> ranks_of({("1", "2"), ("2", "1")}), ranks_of({("1", "2"), ("1", "3")})
    ({}, {})
    """
    after = dict(pairs)
    if len(after) < len(pairs) or len({second for _, second in pairs}) < len(pairs):
        return {}
    ranks: dict[str, float] = {}
    longest = 0
    for first in sorted(set(after) - {second for _, second in pairs}):
        chain = [first]
        while chain[-1] in after:
            chain.append(after[chain[-1]])
        longest = max(longest, len(chain))
        ranks |= {name: at / (len(chain) - 1) for at, name in enumerate(chain)}
    things = {name for pair in pairs for name in pair}
    return ranks if longest >= SHORTEST and set(ranks) == things else {}  # a cycle has no first element
