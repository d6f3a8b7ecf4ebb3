"""Weights from games that were played, and heuristics that are found again for games met before."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ludorum._core import SplitMix64
from ludorum.engine import load_game
from ludorum.engine.errors import GameError
from ludorum.engine.lifted import LiftedGame
from ludorum.evaluate import (
    Direction,
    Features,
    Heuristic,
    HeuristicStore,
    HeuristicStoreError,
    LearnConfig,
    examples_from,
    learn,
    play_games,
    single_feature,
)
from ludorum.evaluate.learning import Examples, best_move
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.how_much import sample
from tests.library_games import compiled_game

from ..small_games import CIRCLE
from .renaming import Renaming

X, O = Term("xplayer"), Term("oplayer")  # noqa: E741


@pytest.fixture(scope="module")
def features() -> Features:
    return Features(compiled_game("tictactoe"))


@pytest.fixture(scope="module")
def examples(features: Features) -> Examples:
    return examples_from(features, play_games(features, LearnConfig(games=300)))


@pytest.fixture(scope="module")
def heuristic(features: Features, examples: Examples) -> Heuristic:
    return learn(features, examples)


@pytest.mark.spec("asp-player", 50)
def test_values_are_between_0_and_1(features: Features) -> None:
    assert len(set(features.keys)) == len(features.keys)
    for seed in range(5):
        for state in features.game.playout(seed):
            values = features.values(state)
            assert ((values >= 0) & (values < 1 + 1e-9)).all()


@pytest.mark.spec("asp-player", 50)
def test_matches_teach_which_way_a_feature_is_good(features: Features, heuristic: Heuristic) -> None:
    near = {feature.role: feature for feature in features.all if feature.key.startswith("goal")}
    assert heuristic.direction(near[X], X) is Direction.MAXIMISE
    assert heuristic.direction(near[O], X) is Direction.MINIMISE
    assert heuristic.direction(near[O], O) is Direction.MAXIMISE
    assert all(found.explained > 0 for found in heuristic.fits.values())


def share(heuristic: Heuristic, seat: int, matches: int) -> float:
    """Points against a player who moves at random, looking one move ahead."""
    game, points = heuristic.features.game, 0.0
    for number in range(matches):
        chance, state = SplitMix64(number), game.initial()
        while not state.is_terminal:
            joint = [moves[chance.below(len(moves))] for moves in map(state.legal, game.roles)]
            joint[seat] = best_move(heuristic, state, game.roles[seat], joint)
            state = state.play(joint)
        points += (state.goals()[seat] or 0) / 100
    return points / matches


@pytest.mark.spec("asp-player", 50)
def test_what_was_learned_wins(features: Features, heuristic: Heuristic) -> None:
    assert share(heuristic, 0, 60) > 0.85  # a random first player has 0.65, a random second one 0.35
    assert share(heuristic, 1, 60) > 0.6
    near = next(feature for feature in features.all if feature.key.startswith("goal") and feature.role is X)
    assert share(single_feature(features, near, Direction.MAXIMISE), 0, 60) > 0.8
    assert share(single_feature(features, near, Direction.MINIMISE), 0, 60) < 0.6


@pytest.mark.spec("asp-player", 50)
def test_self_play_and_more_matches_adjust_the_weights(
    features: Features, examples: Examples, heuristic: Heuristic
) -> None:
    more = examples_from(features, play_games(features, LearnConfig(games=50, greed=0.5, seed=1), heuristic))
    both = examples + more
    assert len(both) == len(examples) + len(more)
    assert len(np.unique(both.games)) == 350
    again = learn(features, both)
    assert again.id != heuristic.id
    assert again.combinations[X] != heuristic.combinations[X]


def test_facts_weigh_what_their_features_do(features: Features) -> None:
    others = [feature.key for feature in features.all if feature.of_fact is None]
    some = examples_from(features, play_games(features, LearnConfig(games=40)))
    only = learn(features, some, without=others)
    for seed in range(3):
        for state in features.game.playout(seed):
            weighed = only.fact_weights(X, state.facts())
            assert weighed is not None
            weights, bias = weighed
            value = only.combinations[X].value(features.values(state))
            assert sum(weights.values()) + bias == pytest.approx(value)


def test_left_out_features_have_no_weight(features: Features, examples: Examples) -> None:
    without = learn(features, examples, without=[features.keys[0]])
    assert without.weight(features.all[0], X) == 0
    assert without.direction(features.all[0], X) is None


def test_games_without_an_end_teach_nothing() -> None:
    walking = Features(LiftedGame(parse_kif(CIRCLE), "circle"))
    plays = play_games(walking, LearnConfig(games=3, most_steps=20))
    assert plays == []
    with pytest.raises(GameError, match="no game came to its end"):
        learn(walking, examples_from(walking, plays))


@pytest.mark.long
@pytest.mark.spec("asp-player", 51)
@pytest.mark.parametrize("name", sample(["tictactoe", "nim"], 2))
def test_a_known_game_is_known_under_other_names(name: str, tmp_path: Path) -> None:
    """Sums and tables alike: the values are the same in states that correspond."""
    game = load_game(name)
    assert game.rules is not None
    features = Features(game)
    made = learn(features, examples_from(features, play_games(features, LearnConfig(games=60))))
    store = HeuristicStore(tmp_path)
    assert store.find(features) is None
    kept = store.save(made, 60)
    found = store.find(Features(load_game(name)))
    assert found is not None
    assert (found[0].id, found[1].id, found[1].examples) == (made.id, kept, 60)
    renaming = Renaming(game.rules, 5)
    other = LiftedGame(renaming.rules, "other")
    again = store.find(Features(other))
    assert again is not None
    assert again[0].id == made.id
    for state in game.playout(3):
        twin = other.state(map(renaming.fact, state.facts()))
        for role in game.roles:
            assert again[0](twin, renaming.fact(role)) == pytest.approx(made(state, role))
    assert store.find(Features(load_game("buttons"))) is None


@pytest.mark.spec("asp-player", 51)
def test_the_best_rated_heuristic_is_taken(
    features: Features, examples: Examples, heuristic: Heuristic, tmp_path: Path
) -> None:
    store = HeuristicStore(tmp_path)
    other = learn(features, examples, without=features.keys[:3])
    for each in (heuristic, other):
        store.save(each, len(examples))
    for goal in (100, 100, 50, 0):
        store.rate(other, "xplayer", goal, "m1")
    found = store.find(features)
    assert found is not None
    assert (found[1].id, found[1].rating.matches, found[1].rating.points) == (other.id, 4, 2.5)
    for _ in range(4):
        store.rate(heuristic, "oplayer", 100, "m2")
    found = store.find(features)
    assert found is not None
    assert found[1].id == heuristic.id
    noted = store.matches(features.rules)
    assert [line["match"] for line in noted] == ["m1"] * 4 + ["m2"] * 4
    assert features.keys[0] not in noted[0]["features"]  # type: ignore[operator]
    assert noted[-1]["features"] == sorted(
        key for key, feature in zip(features.keys, features.all, strict=True) if heuristic.weight(feature, X)
    )


def test_a_line_cut_short_costs_nothing_and_foreign_files_are_named(
    features: Features, heuristic: Heuristic, tmp_path: Path
) -> None:
    store = HeuristicStore(tmp_path)
    store.save(heuristic, 1)
    store.rate(heuristic, "xplayer", 100)
    (place,) = tmp_path.iterdir()
    with (place / "matches.jsonl").open("a") as file:
        file.write('{"heuristic": "')
    assert store.all(features.rules)[0].rating.matches == 1
    (place / "strange.json").write_text(json.dumps({"version": 9}))
    with pytest.raises(HeuristicStoreError, match=r"strange\.json.*remove the file"):
        store.find(features)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(HeuristicStoreError, match="cannot be written"):
        HeuristicStore(blocked).save(heuristic, 1)
