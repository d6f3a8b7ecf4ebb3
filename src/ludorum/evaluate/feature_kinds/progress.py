"""How far the markers of a kind have gone along each ordered axis of their board."""

from __future__ import annotations

from collections.abc import Iterator

from ..feature import Feature, FeatureSource, feature_kind
from ..structure_sums import rank_of
from ..structures import StructureKind


@feature_kind("progress")
def progress(source: FeatureSource) -> Iterator[Feature]:
    for each in source.structures:
        if each.kind is StructureKind.MARKER:
            for place, order in each.axes:
                yield Feature(
                    f"progress-{place}-{each.key}",
                    f"progress of {each.pattern} along argument {place + 1}",
                    of_fact=rank_of(each, place, order),
                    structure=each,
                )
