"""How many moves a role has."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.game import State
from ...rules.terms import Term
from ..feature import Feature, FeatureSource, OfState, feature_kind


@feature_kind("mobility")
def mobility(source: FeatureSource) -> Iterator[Feature]:
    at_first = max(1, *(len(source.initial.legal(role)) for role in source.game.roles))
    for role in source.game.info.players:
        yield Feature(
            source.role_key("mobility", role), f"moves of {role}", of_state=_share(role, at_first), role=role
        )


def _share(role: Term, at_first: int) -> OfState:
    """The mobility of a role: 0.5 for as many moves as any role has initially, more for more moves."""

    def share(state: State, _facts: frozenset[Term]) -> float:
        moves = len(state.legal(role))
        return moves / (moves + at_first)

    return share
