"""Features of fluents in the order of what they cost: each is ready for use as soon as it is there.

Distances of symbols come first, then what is known to last, and at last admissible distances of those fluents
that have none. Whoever asks may stop after any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...rules.terms import Term
from .fluent_graph import FluentGraph, Ways
from .lasting_features import Excluded, FluentDistance, LevelDistance, StaysFalse, StaysTrue
from .leaf import PLAIN, LeafFeature, LeafFeatures
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
    """Distances by fluent graphs, in tables; none of fluents that can come about in any state."""
    graph = FluentGraph(Ways(rules))

    def find(fluent: Term) -> LeafFeature | None:
        table = graph.table(fluent)
        return None if table.steps.get(None) == 1 else FluentDistance(table)

    return find


def level_distances(rules: StepRules, fluents: Iterable[Term]) -> FindDistance:
    """Distances by levels, which are computed together for all of these fluents in a state."""
    levels = ReachLevels(rules, fluents)
    longest = max(levels.of(rules.program.initial).values(), default=1) or 1
    return lambda fluent: LevelDistance(fluent, levels, longest)
