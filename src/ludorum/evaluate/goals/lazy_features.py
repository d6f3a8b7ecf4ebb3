"""Features of fluents in the order of what they cost: each is ready for use as soon as it is there.

Distances of symbols come first, then what is known to last, and at last admissible distances of those fluents
that have none. Whoever asks may stop after any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...rules.terms import Term, match
from .conjunctions import fluent_of
from .fluent_graph import FluentGraph, Ways
from .lasting_features import Excluded, FluentDistance, LevelDistance, StaysFalse, StaysTrue
from .leaf import PLAIN, LeafFeature, LeafFeatures, LeafQuery
from .persistence import LastingFluents
from .reach_levels import ReachLevels
from .step_rules import StepRules

FindDistance = Callable[[Term], LeafFeature | None]
"""A distance of a fluent, for states in which it does not hold; None where it has none."""


def lazy_features(
    fluents: Iterable[Term],
    distance: FindDistance,
    lasting: Iterable[LastingFluents],
    admissible: FindDistance,
) -> Iterator[tuple[Term, LeafFeatures]]:
    """Fluents with all features that they have so far, as often as there is a new one.

    ``lasting`` may come in several parts, each with all that is known: first what is read off the rules, then
    what takes a proof.
    """
    fluents = list(dict.fromkeys(fluents))
    distances: dict[Term, LeafFeature] = {}
    for fluent in fluents:
        found = distance(fluent)
        if found is not None:
            distances[fluent] = found
            yield fluent, LeafFeatures(when_false=found)
    known = LastingFluents()
    told = {fluent: lasting_features(fluent, distances.get(fluent), known) for fluent in fluents}
    for known in lasting:
        for fluent in fluents:
            features = lasting_features(fluent, distances.get(fluent), known)
            if features != told[fluent]:
                told[fluent] = features
                yield fluent, features
    for fluent in fluents:
        if fluent not in distances and fluent not in known.once_false:
            found = admissible(fluent)
            if found is not None:
                yield fluent, lasting_features(fluent, found, known)


def query_distances(
    features: Mapping[LeafQuery, LeafFeatures], admissible: FindDistance
) -> Iterator[tuple[LeafQuery, LeafFeatures]]:
    """Queries for a single fluent, whatever some of its arguments are, that have a distance and had none."""
    for query, own in features.items():
        fluent = fluent_of(query.body[0]) if len(query.body) == 1 else None  # type: ignore[arg-type]
        if fluent is not None and own.when_false is None:
            found = admissible(fluent)
            if found is not None:
                yield query, LeafFeatures(own.when_true, found)


def lasting_features(fluent: Term, distance: LeafFeature | None, known: LastingFluents) -> LeafFeatures:
    """The features of a fluent with a distance, if it has one, and with what is known to last."""
    when_true = StaysTrue(fluent) if fluent in known.once_true else None
    others = known.ended_by.get(fluent)
    if fluent in known.once_false:
        return LeafFeatures(when_true, StaysFalse(fluent))
    if others:
        return LeafFeatures(when_true, Excluded(fluent, others, distance))
    return LeafFeatures(when_true, distance) if when_true or distance else PLAIN


def graph_distances(rules: StepRules) -> FindDistance:
    """Distances by fluent graphs, in tables; none of fluents that can come about in any state.

    That of a fluent with variables is the distance to the nearest of its instances.
    """
    graph = FluentGraph(Ways(rules))

    def find(fluent: Term) -> LeafFeature | None:
        targets = (
            [fluent]
            if fluent.is_ground
            else [each for each in rules.fluents.values() if match(fluent, each, {}) is not None]
        )
        table = graph.table_to(fluent, targets)
        return None if not targets or table.steps.get(None) == 1 else FluentDistance(table)

    return find


def level_distances(rules: StepRules, fluents: Iterable[Term]) -> FindDistance:
    """Distances by levels, which are computed together for all of these fluents in a state."""
    levels = ReachLevels(rules, fluents)
    longest = max(levels.of(rules.program.initial).values(), default=1) or 1
    return lambda fluent: LevelDistance(fluent, levels, longest)
