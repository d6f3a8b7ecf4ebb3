"""Goals of real games as theories and networks: as true as an engine says, whatever was expanded."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from ludorum.asp.ground import GroundingError
from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.global_weights import global_network
from ludorum.evaluate.goals.goal_theory import DerivedAtom, GoalTheory, goal_theory
from ludorum.evaluate.goals.local_weights import local_network
from ludorum.evaluate.goals.theory import Edge, Kind, TheoryNode, negated
from ludorum.rules.kif import parse_kif
from ludorum.rules.library import library_sheets
from ludorum.rules.terms import Term
from tests.corpus_sheets import NO_GROUND_GOALS, open_sheets_with_ground_goals
from tests.how_much import sample

LONG = {"amazons", "amazons_8", "chess", "english_draughts", "nine_mens_morris"}
"""Sheets of many ground rules, or large networks."""
SHEETS = [sheet.name for sheet in library_sheets() if sheet.language == "gdl"]
STEPS = 40

REACH = """
(role r) (init (at 1)) (edge 1 2) (edge 2 3) (edge 3 1)
(legal r go) (legal r open)
(<= (next (at ?y)) (does r go) (true (at ?x)) (edge ?x ?y))
(<= (next (at ?x)) (does r open) (true (at ?x)))
(<= (reach ?x) (true (at ?x)))
(<= (reach ?y) (reach ?x) (edge ?x ?y) (true (open ?x ?y)))
(<= (next (open ?x ?y)) (does r open) (true (at ?x)) (edge ?x ?y))
(<= (next (open ?x ?y)) (true (open ?x ?y)))
(<= terminal (true (open 3 1)))
(<= (goal r 100) (reach 3))
(<= (goal r 0) (not (reach 3)))
"""


def theory_of(game: Game, most_nodes: int = 512) -> GoalTheory:
    assert game.rules is not None
    return goal_theory(game.rules, most_nodes=most_nodes)


def assert_true_as(game: Game, goals: GoalTheory, seed: int) -> None:
    """Networks of both kinds have the signs of the goals and the end that the engine tells."""
    formulas = [formula for own in goals.goals.values() for formula in own.values()]
    roots: list[Edge] = [formula for formula in [*formulas, goals.terminal] if not isinstance(formula, bool)]
    networks = [global_network(goals.theory, roots), local_network(goals.theory, roots)]
    for state in islice(game.playout(seed), STEPS):
        facts = state.facts()
        leaf_value = goals.crisp(facts)
        outputs = [network.outputs(leaf_value) for network in networks]
        expected = {
            (role, value): Term(str(value)) in state.goal_terms(role)
            for role, own in goals.goals.items()
            for value in own
        }
        told = {(role, value): formula for role, own in goals.goals.items() for value, formula in own.items()}
        for key, formula in [*told.items(), ("terminal", goals.terminal)]:
            truth = state.is_terminal if key == "terminal" else expected[key]  # type: ignore[index]
            assert goals.theory.truth(formula, lambda leaf, of=leaf_value: of(leaf) > 0) is truth  # type: ignore[misc]
            if not isinstance(formula, bool):
                for found in outputs:
                    output = found.get(formula >> 1, leaf_value(goals.theory.leaves.get(formula >> 1)))
                    assert (output > 0) is (truth != bool(formula & 1))


@pytest.mark.spec("evaluation-functions", 8)
@pytest.mark.spec("evaluation-functions", 16)
@pytest.mark.parametrize(
    "name",
    [
        *sample(sorted({*SHEETS} - LONG), 5),
        *(pytest.param(name, marks=[pytest.mark.long, pytest.mark.slow]) for name in sorted(LONG)),
    ],
)
def test_networks_of_the_library_are_as_true_as_an_engine_says(name: str) -> None:
    game = load_game(name)
    goals = theory_of(game)
    for seed in range(3):
        assert_true_as(game, goals, seed)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.spec("evaluation-functions", 8)
@pytest.mark.spec("evaluation-functions", 16)
@pytest.mark.parametrize("name", open_sheets_with_ground_goals())
def test_networks_of_open_sheets_are_as_true_as_an_engine_says(corpus: Path, name: str) -> None:
    game = load_game(str(corpus / "gdl1" / f"{name}.kif"), "lifted", lenient=True)
    assert_true_as(game, theory_of(game), 1)


@pytest.mark.corpus
@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(NO_GROUND_GOALS))
def test_sheets_of_too_many_ground_rules_are_refused_with_the_reason(corpus: Path, name: str) -> None:
    game = load_game(str(corpus / "gdl1" / f"{name}.kif"), "lifted", lenient=True)
    with pytest.raises(GroundingError, match=r"grounding made more than (3000000|100000) rules"):
        theory_of(game)


@pytest.mark.spec("evaluation-functions", 11)
def test_goals_of_all_roles_and_values_share_their_parts() -> None:
    goals = theory_of(load_game("tictactoe"))
    x, o = (goals.goals[Term(role)] for role in ("xplayer", "oplayer"))
    assert not any(isinstance(formula, bool) for formula in (*x.values(), *o.values(), goals.terminal))
    below = [set(goals.theory.below([own[100]])) for own in (x, o)]
    assert set(goals.theory.below([goals.terminal])) >= below[0] | below[1]
    nodes = goals.theory.nodes
    assert len(set(nodes) - {TheoryNode(Kind.LEAF)}) == sum(node.kind is not Kind.LEAF for node in nodes)
    assert len(set(goals.theory.leaves.values())) == len(goals.theory.leaves)


@pytest.mark.spec("evaluation-functions", 9)
@pytest.mark.parametrize("name", sample(sorted({*SHEETS} - LONG), 3))
def test_no_leaf_is_decided_before_the_match(name: str) -> None:
    goals = theory_of(load_game(name))
    facts = set(goals.program.facts.tolist())
    for leaf in goals.theory.leaves.values():
        if isinstance(leaf, DerivedAtom):
            assert leaf.number not in facts
        else:
            assert goals.program.numbers[Term("true", (leaf,))] in goals.program.true_atoms  # type: ignore[arg-type]


@pytest.mark.spec("evaluation-functions", 12)
@pytest.mark.parametrize("most_nodes", [0, 1, 9, 12, 512])
def test_a_small_theory_has_its_leaves_far_from_the_goals(most_nodes: int) -> None:
    game = load_game("tictactoe")
    goals = theory_of(game, most_nodes)
    inner = [node for node in goals.theory.nodes if node.kind is not Kind.LEAF]
    assert len(inner) <= most_nodes
    assert any(isinstance(leaf, DerivedAtom) for leaf in goals.theory.leaves.values()) is (most_nodes < 512)
    for seed in range(2):
        assert_true_as(game, goals, seed)


@pytest.mark.spec("evaluation-functions", 13)
def test_what_depends_on_itself_is_asked_as_a_whole() -> None:
    game = LiftedGame(parse_kif(REACH), "reach")
    goals = theory_of(game)
    reached = [leaf for leaf in goals.theory.leaves.values() if isinstance(leaf, DerivedAtom)]
    assert len(reached) == 1  # (reach 3)
    won, lost = (goals.goals[Term("r")][value] for value in (100, 0))
    assert won == goals.theory.leaf(reached[0]) == negated(lost)
    for seed in range(10):
        assert_true_as(game, goals, seed)
