"""Counts of features: the shares of the published table, and what is counted once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludorum.engine.load import load_game
from ludorum.evaluate.goals.feature_values import TruthValues
from ludorum.evaluate.goals.lasting_features import Excluded
from ludorum.evaluate.goals.leaf import LeafFeatures, LeafPosition
from ludorum.experiments.evaluation_2012.features import (
    count_features,
    feature_rows,
    features_table,
    measure_features,
)
from ludorum.experiments.evaluation_2012.published import FEATURE_GAMES, FEATURES, FeatureRow
from ludorum.rules.terms import Term

SHARES = [(44.5, 2.44), (19.9, 1.81), (16.8, 0.55), (15.7, 0.23), (59.7, 5.53), (61.8, 13.83), (12.0, 1.02)]


@dataclass(frozen=True)
class Kind:
    """A feature that is nothing but its kind."""

    kind: str

    def value(self, position: LeafPosition, values: TruthValues) -> float:
        raise NotImplementedError


def test_published_shares_follow_from_published_counts() -> None:
    for row, (share, each) in zip(FEATURES, SHARES, strict=True):
        assert 100 * row.games / FEATURE_GAMES == pytest.approx(share, abs=0.06)
        assert row.features / FEATURE_GAMES == pytest.approx(each, abs=0.0151)
    assert sum(row.games for row in FEATURES) == 440
    assert sum(row.features for row in FEATURES) == 4852


@pytest.mark.spec("evaluation-functions", 63)
def test_an_order_is_counted_once_and_persistence_by_what_it_says() -> None:
    order, stays, count = Kind("order"), Kind("persistence"), Kind("solutions")
    found = count_features(
        [LeafFeatures(order, order), LeafFeatures(stays, stays), LeafFeatures(count, order)]
    )
    assert found == {"order": 2, "true persistence": 1, "false persistence": 1, "solutions": 1}


@pytest.mark.spec("evaluation-functions", 63)
def test_the_table_has_shares_of_games_beside_the_published_ones() -> None:
    games = [{"solutions": 3, "mobility": 1}, {"solutions": 1}, {}, {"order": 4}]
    rows = {row.kind: row for row in feature_rows(games)}
    assert list(rows)[: len(FEATURES)] == [row.kind for row in FEATURES]
    assert rows["solutions"] == FeatureRow("solutions", 2, 4)
    assert rows["mobility"] == FeatureRow("mobility", 1, 1)
    lines = features_table(games).splitlines()
    assert lines[2] == "| solutions | 50.0 % | 44.5 % | 1.00 | 2.45 |"
    assert lines[-1] == "| mobility | 25.0 % | 0.0 % | 0.25 | 0.00 |"


@pytest.mark.spec("evaluation-functions", 63)
@pytest.mark.parametrize(
    ("name", "features"),
    [
        (
            "tictactoe",
            {"solutions": 1, "true persistence": 18, "exclusion": 18, "admissible distance": 19},
        ),
        ("breakthrough", {"solutions": 4, "admissible distance": 4}),
        ("rock_paper_scissors", {"order": 3, "fixed distance": 1, "true persistence": 1}),
    ],
)
def test_features_of_games_of_the_library(name: str, features: dict[str, int]) -> None:
    found = measure_features(load_game(name, "lifted"))
    assert found.features == features
    assert found.nodes <= 512
    assert found.leaves >= found.queries >= features.get("order", 0)
    assert found.as_json()["features"] == features
    assert 0 <= found.seconds[0] <= found.seconds[1]


@pytest.mark.spec("evaluation-functions", 63)
def test_a_distance_that_speaks_until_something_is_excluded_is_counted() -> None:
    inner = Excluded(Term("a"), frozenset({Term("b")}), Kind("fixed distance"))
    assert count_features([LeafFeatures(when_false=inner)]) == {"exclusion": 1, "fixed distance": 1}
