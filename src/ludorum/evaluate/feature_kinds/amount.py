"""How large a quantity or a counter is."""

from __future__ import annotations

from collections.abc import Iterator

from ..feature import Feature, FeatureSource, feature_kind
from ..structure_sums import rank_of
from ..structures import StructureKind


@feature_kind("amount")
def amount(source: FeatureSource) -> Iterator[Feature]:
    for each in source.structures:
        if each.kind in (StructureKind.QUANTITY, StructureKind.COUNTER) and each.order is not None:
            place = each.places[0]
            yield Feature(
                f"amount-{each.key}",
                f"amount of {each.pattern} at argument {place + 1}",
                of_fact=rank_of(each, place, each.order),
                structure=each,
            )
