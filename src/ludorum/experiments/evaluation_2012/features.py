"""How many features of which kind are found in the goals of games (E4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...engine.game import Game
from ...evaluate.goals.expansion import expand_goals
from ...evaluate.goals.leaf import LeafFeatures, LeafQuery
from ...evaluate.goals.theory import Kind
from .published import FEATURE_GAMES, FEATURES, FeatureRow

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

    def as_json(self) -> dict[str, object]:
        return {**vars(self), "features": dict(self.features)}


def measure_features(game: Game) -> FeatureFigures:
    """Of the goals of all roles and the end of play. Persistence is found elsewhere."""
    assert game.rules is not None
    found = expand_goals(game.rules)
    leaves = found.theory.leaves.values()
    return FeatureFigures(
        game.name,
        sum(node.kind is not Kind.LEAF for node in found.theory.nodes),
        len(leaves),
        sum(isinstance(leaf, LeafQuery) for leaf in leaves),
        count_features(found.features.values()),
    )


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
