"""Whether it is a role's turn."""

from __future__ import annotations

from collections.abc import Iterator

from ..feature import Feature, FeatureSource, feature_kind
from ..structure_sums import count_of
from ..structures import StructureKind


@feature_kind("turn")
def turn(source: FeatureSource) -> Iterator[Feature]:
    for each in source.structures:
        if each.kind is StructureKind.TURN:
            yield Feature(f"turn-{each.key}", f"turn {each.pattern}", of_fact=count_of(each), structure=each)
