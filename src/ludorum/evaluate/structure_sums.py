"""Sums over the facts of a structure: how many there are, and how far they have gone along an order."""

from __future__ import annotations

from collections.abc import Callable

from ..rules.terms import Term
from .chains import Chains
from .feature import OfFact
from .structures import Structure


def count_of(structure: Structure) -> OfFact:
    """The share of the structure's places that each of its facts takes."""
    matches, size = _matches(structure), structure.size
    return lambda fact: 1.0 / size if matches(fact) else 0.0


def rank_of(structure: Structure, place: int, order: Chains) -> OfFact:
    """The rank of an argument in an order, from 0 to 1, divided by the number of facts there can be."""
    matches, ranks, size = _matches(structure), order.ranks, structure.size

    def rank(fact: Term) -> float:
        if not matches(fact):
            return 0.0
        argument = fact.args[place]
        return float(ranks.get(argument.name, 0.0)) / size if isinstance(argument, Term) else 0.0

    return rank


def _matches(structure: Structure) -> Callable[[Term], bool]:
    name, contents, value = structure.name, structure.contents, structure.value
    fixed = structure.fixed

    def matches(fact: Term) -> bool:
        if fact.signature != name:
            return False
        if value is not None and contents is not None and fact.args[contents] is not value:
            return False
        return all(fact.args[place] is each for place, each in fixed)

    return matches
