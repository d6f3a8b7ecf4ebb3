"""Goals that are expanded without grounding: as true as an engine says, with features as leaves."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.detection import DETECTED, Detect
from ludorum.evaluate.goals.expansion import Expansion, expand_goals
from ludorum.evaluate.goals.leaf import LeafQuery
from ludorum.evaluate.goals.local_weights import local_network
from ludorum.evaluate.goals.networks import LeafValue
from ludorum.evaluate.goals.positions import AskedPosition, Avoided
from ludorum.evaluate.goals.theory import Edge, Kind
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.corpus_sheets import open_sheets
from tests.evaluate.goals.expanded import VALUES, expanded, features, leaves, told
from tests.evaluate.goals.test_goal_theory import REACH
from tests.how_much import sample

LARGE = {
    "amazons",
    "amazons_8",
    "banker_and_thief",
    "chess",
    "gomoku",
    "hidden_connect",
    "krieg_tictactoe",
    "othello",
}
SHEETS = sorted(
    sheet.name for sheet in library_sheets() if sheet.language in ("gdl", "gdl2") and sheet.name not in LARGE
)
WITH_CHANCE = ["pig", "auction", "backgammon", "bazaar", "wolf_and_rabbit", "black_jack", "forecast"]
"""Sheets of WDL."""
STEPS = 25
KINDS = (Detect.NOTHING, Detect.COUNTS, Detect.DISTANCES, Detect.ALL)


def expand(game: Game, detect: Detect = Detect.ALL, most_nodes: int = 512) -> Expansion:
    assert game.rules is not None
    return expand_goals(game.rules, detect, most_nodes)


def crisp(position: AskedPosition) -> LeafValue:
    return lambda leaf: 1.0 if position.holds(leaf) else -1.0


def assert_true_as(game: Game, found: Expansion, seed: int, with_network: bool = True) -> None:
    """Formulas and their networks say what the engine says; features are numbers from -1 to 1."""
    formulas = [*(formula for own in found.goals.values() for formula in own.values()), found.terminal]
    roots: list[Edge] = [formula for formula in formulas if not isinstance(formula, bool)]
    network = local_network(found.theory, roots) if with_network else None
    for state in islice(game.playout(seed), STEPS):
        position = found.position(state.facts())
        outputs = network.outputs(crisp(position)) if network else {}
        for role in game.roles:
            known = {int(value.name) for value in state.goal_terms(role)}
            assert known <= set(found.goals[role])
            for value, formula in found.goals[role].items():
                assert found.theory.truth(formula, position.holds) is (value in known)
                if not isinstance(formula, bool) and formula >> 1 in outputs:
                    assert (outputs[formula >> 1] > 0) is ((value in known) != bool(formula & 1))
        assert found.theory.truth(found.terminal, position.holds) is state.is_terminal
        for leaf, own in found.features.items():
            assert -1 <= own.value(position, leaf, VALUES) <= 1


@pytest.mark.spec("evaluation-functions", 8)
@pytest.mark.spec("evaluation-functions", 16)
@pytest.mark.parametrize("name", [*sample(SHEETS, 7), *sample(WITH_CHANCE, 4)])
def test_goals_of_the_library_are_as_true_as_an_engine_says(name: str) -> None:
    game = load_game(name, "lifted")
    for seed, detect in enumerate(KINDS):
        assert_true_as(game, expand(game, detect), seed, with_network=detect is Detect.ALL)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 8)
@pytest.mark.parametrize("name", sorted(LARGE))
def test_goals_of_large_games_are_as_true_as_an_engine_says(name: str) -> None:
    game = load_game(name, "lifted")
    for seed, detect in enumerate((Detect.NOTHING, Detect.ALL)):
        assert_true_as(game, expand(game, detect), seed, with_network=False)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 8)
@pytest.mark.spec("evaluation-functions", 16)
@pytest.mark.parametrize("name", open_sheets())
def test_goals_of_open_sheets_are_as_true_as_an_engine_says(corpus: Path, name: str) -> None:
    game = load_game(str(corpus / "gdl1" / f"{name}.kif"), "lifted", lenient=True)
    assert_true_as(game, expand(game), 1, with_network=False)


@pytest.mark.parametrize("version", DETECTED)
def test_every_version_says_the_same(version: str) -> None:
    game = load_game("nim", "lifted")
    assert_true_as(game, expand(game, DETECTED[version]), 5)


@pytest.mark.spec("evaluation-functions", 12)
@pytest.mark.parametrize("most_nodes", [0, 1, 9, 12, 512])
def test_a_small_theory_has_its_leaves_far_from_the_goals(most_nodes: int) -> None:
    game = load_game("tictactoe", "lifted")
    found = expand(game, Detect.NOTHING, most_nodes)
    assert sum(node.kind is not Kind.LEAF for node in found.theory.nodes) <= most_nodes
    asked = [leaf for leaf in found.theory.leaves.values() if isinstance(leaf, LeafQuery)]
    assert bool(asked) is (most_nodes < 512)
    for seed in range(2):
        assert_true_as(game, found, seed)


@pytest.mark.spec("evaluation-functions", 13)
def test_what_depends_on_itself_is_never_unfolded() -> None:
    for detect in KINDS:
        assert leaves(expanded(REACH, detect)) == {"(reach 3)", "(open 3 1)"}


def test_relations_that_depend_on_their_own_negation_are_asked_of_the_reference() -> None:
    text = """
    (role r) (init (p 1)) (init (q 2)) (legal r go)
    (<= (next (p ?x)) (true (p ?x))) (<= (next (q 3)) (does r go))
    (<= (win ?x) (true (p ?x)) (not (lose ?x))) (<= (lose ?x) (true (q ?x)) (not (win ?x)))
    (<= terminal (true (q 3))) (<= (goal r 100) (win 1)) (<= (goal r 0) (not (win 1)))
    """
    found = expanded(text)
    assert leaves(found) == {"(win 1)", "(q 3)"}
    assert_true_as(found.positions.game, found, 0)


def test_facts_that_rules_say_hold_are_asked_of_the_rules() -> None:
    text = """
    (role r) (init (p 1)) (legal r go) (legal r stay) (thing 1) (thing 2)
    (<= (next (p ?x)) (true (p ?x))) (<= (next (p 2)) (does r go))
    (<= (true (both ?x)) (true (p ?x)) (thing ?x)) (<= terminal (true (both 2)))
    (<= (goal r 100) (true (both ?x)) (distinct ?x 1)) (<= (goal r 0) (not (true (both 2))))
    """
    for detect in KINDS:
        found = expanded(text, detect)
        assert "(true (both 2))" in leaves(found)
        for seed in range(3):
            assert_true_as(found.positions.game, found, seed)


@pytest.mark.spec("evaluation-functions", 38)
def test_fluents_with_variables_are_counted_and_never_instantiated() -> None:
    game = load_game("tictactoe", "lifted")
    assert features(expand(game, Detect.COUNTS)) == {"(true (cell ?v1 ?v2 b))": ("solutions", None)}
    assert len(leaves(expand(game, Detect.COUNTS))) == 1 + 18
    assert len(leaves(expand(game, Detect.NOTHING))) == 27


@pytest.mark.spec("evaluation-functions", 38)
def test_other_conjunctions_are_counted_only_where_there_are_too_many_instances() -> None:
    row = "(true (cell ?v1 ?v2 x)) (true (cell ?v1 ?v3 x)) (distinct ?v2 ?v3)"
    text = """
    (role x) (n 1) (n 2) (n 3) (<= (init (cell ?c ?r x)) (n ?c) (n ?r)) (<= (legal x go) (role x))
    (<= terminal (true (cell ?c ?r x)) (true (cell ?c ?s x)) (distinct ?r ?s))
    (<= (goal x 100) (true (cell ?c ?r x)))
    """
    small, large = (expanded(text, most_instances=most) for most in (8, 9))
    assert features(small)[row] == ("solutions", "partial solutions")
    assert row not in leaves(large)
    assert {leaf for leaf in leaves(large) if "?" not in leaf} == {
        f"(cell {c} {r} x)" for c in "123" for r in "123"
    }
    assert features(large) == {"(true (cell ?v1 ?v2 x))": ("solutions", None)}


def test_goals_share_their_parts_and_their_leaves() -> None:
    found = expand(load_game("tictactoe", "lifted"))
    x, o = (found.goals[Term(role)] for role in ("xplayer", "oplayer"))
    edges = [formula for own in (x, o) for formula in own.values() if not isinstance(formula, bool)]
    assert len(edges) == 6
    assert x[50] == o[50]
    names = list(found.theory.leaves.values())
    assert len(set(names)) == len(names)


def test_goal_values_that_are_computed_are_found() -> None:
    found = expand(load_game("chinese_checkers", "lifted"))
    assert {tuple(own) for own in found.goals.values()} == {(0, 20, 40, 100)}


def test_features_say_where_their_rule_is() -> None:
    game = load_game("peg_solitaire", "lifted")
    assert game.rules is not None
    lines = game.rules.source.text.splitlines()
    for leaf, own in expand(game).features.items():
        for feature in filter(None, (own.when_true, own.when_false)):
            inner = leaf.leaf if isinstance(leaf, Avoided) else leaf
            word = told(inner).replace("(true ", "").lstrip("(").split()[0]
            assert word.rstrip(")") in lines[feature.line - 1]  # type: ignore[attr-defined]
            assert feature.text  # type: ignore[attr-defined]
