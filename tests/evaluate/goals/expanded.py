"""Sheets of tests as expanded goals, and what their leaves count for in a state."""

from __future__ import annotations

from collections.abc import Hashable

from ludorum.evaluate.goals.detection import Detect
from ludorum.evaluate.goals.expansion import Expansion, expand_goals
from ludorum.evaluate.goals.feature_values import TruthValues
from ludorum.evaluate.goals.leaf import LeafFeature, LeafQuery
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.ruleset import format_formula
from ludorum.rules.terms import Term

VALUES = TruthValues(never=-1.0, false=-0.5, near=0.5, true=0.6, ever=1.0)
"""Five different values, so that none stands for another."""


def expanded(text: str, detect: Detect = Detect.ALL, **limits: int) -> Expansion:
    return expand_goals(parse_kif(text), detect, **limits)


def facts(*texts: str) -> frozenset[Term]:
    return frozenset(map(parse_term, texts))


def told(leaf: Hashable) -> str:
    """A leaf as text."""
    return " ".join(map(format_formula, leaf.body)) if isinstance(leaf, LeafQuery) else str(leaf)


def leaves(expansion: Expansion) -> set[str]:
    return {told(leaf) for leaf in expansion.theory.leaves.values()}


def features(expansion: Expansion) -> dict[str, tuple[str | None, str | None]]:
    """Of each leaf with features the kinds of these: while it holds, and while it does not."""
    return {
        told(leaf): (kind(own.when_true), kind(own.when_false)) for leaf, own in expansion.features.items()
    }


def kind(feature: LeafFeature | None) -> str | None:
    return None if feature is None else feature.kind


def value(expansion: Expansion, leaf: str, state: frozenset[Term]) -> float:
    """What the leaf with this text counts for in a state."""
    for each, own in expansion.features.items():
        if told(each) == leaf:
            return own.value(expansion.position(state), each, VALUES)
    raise KeyError(leaf)
