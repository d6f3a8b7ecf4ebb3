"""With and without: matches tell which features are worth their time."""

from __future__ import annotations

import pytest

from ludorum.arena.feature_report import (
    Comparison,
    ReportConfig,
    compare_features,
    ineffective_keys,
    noted_effect,
)
from ludorum.engine.compiled import CompiledGame
from ludorum.evaluate import Features, LearnConfig, examples_from, play_games
from ludorum.rules.kif import parse_kif
from tests.library_games import compiled_game

# Each takes a stone of one of two kinds; gold counts, dust does not. After four moves the richer one wins.
GOLD = """
(role a) (role b) (init (turn a)) (init (pile gold 4)) (init (pile dust 4)) (init (has a gold 0))
(init (has b gold 0)) (init (has a dust 0)) (init (has b dust 0)) (init (moves 0))
(up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (up 5 6)
(other a b) (other b a) (kind gold) (kind dust)
(<= (legal ?p (take ?k)) (true (turn ?p)) (kind ?k))
(<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
(<= (next (turn ?q)) (true (turn ?p)) (other ?p ?q))
(<= (next (has ?p ?k ?m)) (does ?p (take ?k)) (true (has ?p ?k ?n)) (up ?n ?m))
(<= (next (has ?p ?k ?n)) (true (has ?p ?k ?n)) (not (does ?p (take ?k))))
(<= (next (moves ?m)) (true (moves ?n)) (up ?n ?m))
(<= (next (pile ?k ?n)) (true (pile ?k ?n)))
(<= terminal (true (moves 6)))
(more 1 0) (more 2 0) (more 3 0) (more 2 1) (more 3 1) (more 3 2)
(<= (richer ?p) (other ?p ?q) (true (has ?p gold ?n)) (true (has ?q gold ?m)) (more ?n ?m))
(<= (goal ?p 100) (richer ?p))
(<= (goal ?p 0) (other ?p ?q) (richer ?q))
(<= (goal ?p 50) (role ?p) (not (richer a)) (not (richer b)))
"""


@pytest.mark.spec("asp-player", 52)
def test_features_that_matter_are_told_from_those_that_do_not() -> None:
    features = Features(CompiledGame(parse_kif(GOLD), "gold"))
    examples = examples_from(features, play_games(features, LearnConfig(games=300)))
    counted: list[int] = []
    config = ReportConfig(matches=30, nodes=4, opening=1)
    found = {each.left_out: each for each in compare_features(features, examples, config, counted.append)}
    assert set(found) == {"all", *(key.split("-")[0] for key in features.keys)}
    assert counted == list(range(1, 30 * len(found) + 1))
    assert found["all"].verdict == "helps"
    assert found["all"].interval[0] > 0.5
    assert not found["mobility"].is_kept  # everybody has two moves or one, all the time
    assert set(ineffective_keys(features, found.values())) >= {
        key for key in features.keys if key.startswith("mobility")
    }


@pytest.mark.spec("asp-player", 52)
def test_the_same_seed_reports_the_same() -> None:
    features = Features(compiled_game("blocks"))
    examples = examples_from(features, play_games(features, LearnConfig(games=60)))
    config = ReportConfig(matches=6, nodes=5, opening=0, each=True)
    once, again = (list(compare_features(features, examples, config)) for _ in range(2))
    assert once == again
    assert [each.left_out for each in once] == ["all", *features.keys]
    assert once[0].share >= 0.5  # alone: with features no worse than without


@pytest.mark.spec("asp-player", 52)
def test_intervals_are_wilsons() -> None:
    found = Comparison("goal", ("nearness",), 100, 80.0)
    assert [round(bound, 3) for bound in found.interval] == [0.711, 0.867]
    assert (found.verdict, found.is_kept) == ("helps", True)
    assert Comparison("goal", (), 100, 20.0).verdict == "hurts"
    assert Comparison("goal", (), 10, 6.0).verdict == "open"
    assert Comparison("goal", (), 0, 0.0).as_json()["interval"] == [0.0, 1.0]


@pytest.mark.spec("asp-player", 52)
def test_noted_matches_are_told_by_the_features_used_in_them() -> None:
    lines: list[dict[str, object]] = [
        {"goal": 100, "features": ["a", "b"]},
        {"goal": 50, "features": ["a"]},
        {"goal": 0, "features": ["b"]},
        {"goal": None, "features": ["b"]},
        {"strange": True},
    ]
    effect = noted_effect(lines, ["a", "b"])
    assert (effect["a"].having, effect["a"].lacking) == ([1.0, 0.5], [0.0])
    assert (effect["b"].having, effect["b"].lacking) == ([1.0, 0.0], [0.5])
    assert effect["a"].as_json()["without"] == {"matches": 1, "share": 0.0, "interval": [0.0, 0.7935]}
