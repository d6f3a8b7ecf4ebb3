"""How many features of which kind are found in the goals of games (E4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from ...asp.ground import GroundingError
from ...engine.game import Game
from ...evaluate.goals.evaluation import GoalEvaluation
from ...evaluate.goals.lasting_features import Excluded
from ...evaluate.goals.leaf import LeafFeature, LeafFeatures, LeafQuery
from ...evaluate.goals.theory import Kind
from ...evaluate.goals.versions import VERSIONS
from ...players.goal_stages import find_more
from ...search.budget import Budget, Stopwatch
from .published import FEATURE_GAMES, FEATURES, FeatureRow

MOST_SECONDS = 100.0
"""For what is found out late, as it was then."""
OF_BOTH = frozenset({"persistence"})
"""Kinds that say another thing of leaves that hold than of those that do not."""


@dataclass(frozen=True)
class FeatureFigures:
    """What the goals of a game were expanded to."""

    game: str
    nodes: int
    leaves: int
    queries: int
    """Leaves that are asked of the rules."""
    features: Mapping[str, int]
    """By kind."""
    seconds: tuple[float, float]
    """Until the evaluation could be used, and until nothing was left to find out."""

    def as_json(self) -> dict[str, object]:
        return {**vars(self), "features": dict(self.features), "seconds": list(self.seconds)}


def measure_features(game: Game) -> FeatureFigures:
    """Of the goals of all roles and the end of play, with all that the final version finds out."""
    watch = Stopwatch(Budget(MOST_SECONDS))
    final = VERSIONS["final"]
    found = final.make(game)
    assert isinstance(found, GoalEvaluation)
    usable = watch.seconds
    with suppress(GroundingError):  # what needs no ground rules is there
        find_more(game, found, final, Stopwatch(Budget(MOST_SECONDS)))
    theory = found.goals.theory
    return FeatureFigures(
        game.name,
        sum(node.kind is not Kind.LEAF for node in theory.nodes),
        len(theory.leaves),
        sum(isinstance(leaf, LeafQuery) for leaf in theory.leaves.values()),
        count_features(found.features.values()),
        (round(usable, 2), round(watch.seconds, 2)),
    )


def count_features(features: Iterable[LeafFeatures]) -> Counter[str]:
    """Features by kind. One that speaks while its leaf holds and while it does not is one."""
    found: Counter[str] = Counter()
    for own in features:
        kinds = set()
        for feature, truth in ((own.when_true, "true"), (own.when_false, "false")):
            for each in _with_inner(feature):
                kinds.add(f"{truth} {each.kind}" if each.kind in OF_BOTH else each.kind)
        found.update(kinds)
    return found


def _with_inner(feature: LeafFeature | None) -> Iterator[LeafFeature]:
    """A feature, and the one that speaks in its place as long as nothing is excluded."""
    if feature is not None:
        yield feature
        if isinstance(feature, Excluded):
            yield from _with_inner(feature.otherwise)


def feature_rows(found: Sequence[Mapping[str, int]]) -> tuple[FeatureRow, ...]:
    """The rows of the published table, and those of other kinds, for the features of some games."""
    kinds = dict.fromkeys([*(row.kind for row in FEATURES), *(kind for own in found for kind in own)])
    return tuple(
        FeatureRow(kind, sum(own.get(kind, 0) > 0 for own in found), sum(own.get(kind, 0) for own in found))
        for kind in kinds
    )


def features_table(found: Sequence[Mapping[str, int]]) -> str:
    """The share of games that have a kind and how many of it a game has, beside the published figures."""
    published = {row.kind: row for row in FEATURES}
    lines = [
        "| kind | games | published | features a game | published |",
        "|---|---|---|---|---|",
    ]
    for row in feature_rows(found):
        known = published.get(row.kind, FeatureRow(row.kind, 0, 0))
        lines.append(
            f"| {row.kind} | {_share(row, len(found))} | {_share(known, FEATURE_GAMES)} "
            f"| {_each(row, len(found))} | {_each(known, FEATURE_GAMES)} |"
        )
    return "\n".join(lines)


def _share(row: FeatureRow, games: int) -> str:
    return f"{100 * row.games / games:.1f} %"


def _each(row: FeatureRow, games: int) -> str:
    return f"{row.features / games:.2f}"
