"""Features of one leaf that were found in several ways, joined: one while it holds, one while it does not."""

from __future__ import annotations

from .leaf import LeafFeature, LeafFeatures

ALONE = frozenset({"order"})
"""Kinds that tell degrees of both truth values by themselves."""
NOT_BOTH = frozenset({"persistence"})
"""Kinds that do not go together with themselves: what stays true as well as false never changes."""


def joined(first: LeafFeatures, second: LeafFeatures) -> LeafFeatures:
    """Those of ``first``, with those of ``second`` where it has none.

    A distance that is infinite says what false persistence says, so distances come first.
    """
    for one, other in ((first, second), (second, first)):
        if kinds_of(one) & ALONE or not kinds_of(other):
            return one
    when_true = first.when_true or second.when_true
    when_false = first.when_false or second.when_false
    if when_true is not None and when_false is not None and when_true.kind == when_false.kind in NOT_BOTH:
        when_false = None
    return LeafFeatures(when_true, when_false)


def kinds_of(features: LeafFeatures) -> set[str]:
    found: list[LeafFeature | None] = [features.when_true, features.when_false]
    return {feature.kind for feature in found if feature is not None}
