"""How many features of which kind leaves of goals have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from .leaf import LeafFeatures

OF_BOTH = frozenset({"persistence"})
"""Kinds that say another thing of leaves that hold than of those that do not."""


def count_features(features: Iterable[LeafFeatures]) -> Counter[str]:
    """Features by kind. One that speaks while its leaf holds and while it does not is one."""
    found: Counter[str] = Counter()
    for own in features:
        kinds = set()
        for feature, truth in ((own.when_true, "true"), (own.when_false, "false")):
            if feature is not None:
                kinds.add(f"{truth} {feature.kind}" if feature.kind in OF_BOTH else feature.kind)
        found.update(kinds)
    return found
