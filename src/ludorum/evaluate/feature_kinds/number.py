"""How many markers of a kind stand on a board."""

from __future__ import annotations

from collections.abc import Iterator

from ..feature import Feature, FeatureSource, feature_kind
from ..structure_sums import count_of
from ..structures import StructureKind


@feature_kind("number")
def number(source: FeatureSource) -> Iterator[Feature]:
    for each in source.structures:
        if each.kind is StructureKind.MARKER:
            yield Feature(
                f"number-{each.key}", f"number of {each.pattern}", of_fact=count_of(each), structure=each
            )
