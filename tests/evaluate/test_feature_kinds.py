"""Kinds of features are registered: one function in one file is all that a new kind takes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import reduce
from operator import add
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from ludorum.cli.app import app
from ludorum.engine.game import State
from ludorum.engine.load import load_game
from ludorum.evaluate import FEATURE_KINDS, Feature, Features, FeatureSource, NoFeaturesError, feature_kind
from ludorum.evaluate.acquaintance import Acquaintance, AcquaintanceConfig
from ludorum.rules.terms import Term
from tests.corpus_location import ROOT


@pytest.fixture(autouse=True)
def same_kinds_afterwards() -> Iterator[None]:
    before = dict(FEATURE_KINDS)
    yield
    FEATURE_KINDS.clear()
    FEATURE_KINDS.update(before)


def explained(game: str) -> dict[str, Any]:
    done = CliRunner().invoke(app, ["explain", game, "--games", "0", "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def crowded(_state: State, facts: frozenset[Term]) -> float:
    return len(facts) / (len(facts) + 1)


def test_every_file_of_the_folder_registers_its_kind() -> None:
    folder = ROOT / "src" / "ludorum" / "evaluate" / "feature_kinds"
    assert set(FEATURE_KINDS) == {path.stem for path in folder.glob("[!_]*.py")}


def test_explain_tells_of_a_kind_that_was_registered_here() -> None:
    @feature_kind("crowd")
    def crowd(source: FeatureSource) -> Iterator[Feature]:
        yield Feature("crowd-all", f"facts of {source.game.name}", of_state=crowded)

    (found,) = [each for each in explained("tictactoe")["features"] if each["key"] == "crowd-all"]
    assert found["text"] == "facts of tictactoe"
    assert found["value"] == round(10 / 11, 6)  # nine cells, and whose turn it is


def test_a_kind_that_cannot_be_made_is_missing_with_its_reason() -> None:
    @feature_kind("crowd")
    def crowd(source: FeatureSource) -> Iterator[Feature]:
        raise NoFeaturesError("too crowded")

    assert explained("tictactoe")["missing"] == {"crowd": "too crowded"}


def test_features_that_time_did_not_suffice_for_are_told_of() -> None:
    acquaintance = Acquaintance(load_game("tictactoe"), AcquaintanceConfig(games=1))
    acquaintance.meet(0.0)
    assert acquaintance.troubles == ["no feature of the kind goal: no time was left to ground the rules"]


def test_names_and_keys_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="already"):
        feature_kind("goal")
    with pytest.raises(ValueError, match="hyphen"):
        feature_kind("two-words")
    with pytest.raises(ValueError, match="either of_fact or of_state"):
        Feature("crowd-all", "facts")

    @feature_kind("crowd")
    def crowd(source: FeatureSource) -> Iterator[Feature]:
        yield Feature("people", "facts", of_state=crowded)

    with pytest.raises(ValueError, match="'people' has to begin with the name of its kind: crowd-"):
        Features(load_game("nim"))


class Reordered:
    """A state whose facts come in another order."""

    def __init__(self, state: State, facts: list[Term]) -> None:
        self._state, self._facts = state, facts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def facts(self) -> list[Term]:
        return self._facts


def test_values_are_the_same_to_the_last_bit_in_whatever_order_facts_come() -> None:
    shares = iter((0.1, 0.2, 0.3, 0.7, 1e-17, 1 / 3, 2 / 7, 0.9, 0.6, 0.5))
    added: dict[Term, float] = {}

    @feature_kind("crowd")
    def crowd(_source: FeatureSource) -> Iterator[Feature]:
        yield Feature("crowd-all", "uneven shares", of_fact=lambda fact: added.setdefault(fact, next(shares)))

    game = load_game("tictactoe")
    features, facts = Features(game), sorted(game.initial().facts(), key=str)
    at = features.keys.index("crowd-all")
    orders = [facts[turn:] + facts[:turn] for turn in range(len(facts))]
    assert len({features.values(cast(State, Reordered(game.initial(), order)))[at] for order in orders}) == 1
    # Added up one by one they do differ; `sum` corrects its rounding from Python 3.12 on.
    assert len({reduce(add, (added[fact] for fact in order)) for order in orders}) > 1
