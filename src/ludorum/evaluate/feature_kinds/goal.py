"""How near a role is to its best goal."""

from __future__ import annotations

from collections.abc import Iterator

from ...asp.ground import GroundingError
from ...engine.game import State
from ...rules.terms import Term
from ..feature import Feature, FeatureSource, NoFeaturesError, OfState, feature_kind
from ..fuzzy_goals import FuzzyFormulas, TooLargeError, goal_formulas


@feature_kind("goal")
def goal(source: FeatureSource) -> Iterator[Feature]:
    if source.seconds is not None and source.seconds <= 0:
        raise NoFeaturesError("no time was left to ground the rules")
    try:
        formulas, best = goal_formulas(source.rules, source.seconds)
    except (GroundingError, TooLargeError) as error:
        raise NoFeaturesError(str(error)) from error
    truths = _Truths(formulas)
    for role, atom in best.items():
        yield Feature(
            source.role_key("goal", role), f"nearness of {atom}", of_state=truths.of(atom), role=role
        )


class _Truths:
    """The truths of all goals in the state evaluated last, kept for its other roles."""

    def __init__(self, formulas: FuzzyFormulas) -> None:
        self._formulas = formulas
        self._last: tuple[frozenset[Term], dict[Term, float]] = (frozenset(), formulas.truths(frozenset()))

    def of(self, atom: Term) -> OfState:
        def nearness(_state: State, facts: frozenset[Term]) -> float:
            known = self._last  # one assignment below: threads that share the features see a whole pair
            if known[0] is not facts:
                known = self._last = (facts, self._formulas.truths(facts))
            return known[1][atom]

        return nearness
