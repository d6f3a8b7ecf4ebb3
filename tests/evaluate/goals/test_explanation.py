"""What an evaluation says of a state: all numbers follow by hand, or by asking the network again."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Hashable
from math import tanh

import pytest
from hypothesis import given

from ludorum.engine.game import Game
from ludorum.engine.lifted import LiftedGame
from ludorum.engine.load import load_game
from ludorum.evaluate.goals.evaluation import GoalEvaluation, GoalValueConfig
from ludorum.evaluate.goals.explanation import ExplainedPart, ExplainedValue, explain_value, leaf_weights
from ludorum.evaluate.goals.goal_theory import goal_theory
from ludorum.evaluate.goals.lazy_features import lasting_features
from ludorum.evaluate.goals.local_weights import local_network
from ludorum.evaluate.goals.network_picture import FEW_PARTS, LONGEST, MOST_NODES, draw_network
from ludorum.evaluate.goals.networks import Network
from ludorum.evaluate.goals.persistence import LastingFluents
from ludorum.evaluate.goals.state_value import state_value
from ludorum.evaluate.goals.theory import Edge, Kind, Theory
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.rules.kif import parse_kif, parse_term
from tests.evaluate.goals.random_theories import theories
from tests.library_games import compiled_game

LAMPS = """(role r)
(init (on a)) (light a) (light b) (light c)
(<= (legal r (switch ?x)) (light ?x))
(<= (next (on ?x)) (does r (switch ?x)))
(<= (next (on ?x)) (true (on ?x)))
(<= both
    (true (on a))
    (true (on b)))
(<= terminal both)
(<= (goal r 100) both)
(<= (goal r 0)
    (true (on c)))
(<= (goal r 50) (not both) (not (true (on c))))
"""
SVG = "{http://www.w3.org/2000/svg}"


def lamps(settles: bool = False) -> tuple[Game, GoalEvaluation]:
    game = LiftedGame(parse_kif(LAMPS), "lamps")
    return game, GoalEvaluation(goal_theory(game.rules), config=GoalValueConfig(settles=settles))


def explained(game: Game, evaluation: GoalEvaluation, facts: str = "") -> ExplainedValue:
    assert game.rules is not None
    return explain_value(evaluation, game.rules, game.parse_state(facts) if facts else game.initial())


def by_words(found: ExplainedValue) -> dict[str, ExplainedPart]:
    return {part.words: part for part in found.parts}


def test_every_part_has_its_words_its_line_and_what_it_is_worth() -> None:
    """The conjunction has weight 1 and bias -1; the goal of 0 is the fact itself."""
    found = explained(*lamps())
    r = parse_term("r")
    parts = by_words(found)
    assert {words: part.line for words, part in parts.items()} == {"(on a)": 7, "(on b)": 8, "(on c)": 12}
    assert {words: part.value for words, part in parts.items()} == {"(on a)": 1, "(on b)": -1, "(on c)": -1}
    assert [part.words for part in found.parts] == ["(on c)", "(on b)", "(on a)"], (
        "what matters most is first"
    )
    both = {total: tanh((total - 1) / 2) for total in (2, 0, -2)}
    assert parts["(on c)"].worth == {r: pytest.approx(-50)}
    assert parts["(on b)"].worth == {r: pytest.approx(25 * (both[2] - both[0]))}
    assert parts["(on a)"].worth == {r: pytest.approx(25 * (both[0] - both[-2]))}
    assert parts["(on a)"].weight == {r: {100: 1.0}}
    assert parts["(on c)"].weight == {r: {0: 1.0}}
    assert found.outputs == {r: {0: -1.0, 100: pytest.approx(both[0])}}
    assert found.values == {r: pytest.approx(50 + 25 * (both[0] + 1))}


def test_a_part_that_cannot_matter_any_more_is_worth_nothing() -> None:
    """The second lamp stays off for ever: then the first makes no difference."""
    game, evaluation = lamps(settles=True)
    known = LastingFluents(once_false=frozenset({parse_term("(on b)")}))
    evaluation.learn({leaf: lasting_features(leaf, None, known) for leaf in known.once_false})
    found = explained(game, evaluation)
    r = parse_term("r")
    worth = {part.leaf: part.worth[r] for part in found.parts}
    assert {str(leaf): points for leaf, points in worth.items()} == {
        "(on a)": 0.0,
        "(on b)": 0.0,
        "(on c)": pytest.approx(4.95 - 50),
    }
    assert found.parts[-1].words in ("(on a)", "(on b) stays false once it is")
    assert found.outputs[r][100] == -1


def again(evaluation: GoalEvaluation, found: ExplainedValue, changed: Hashable, value: float) -> list[float]:
    """The value of each role, all neurons computed anew, with a leaf that counts for something else."""
    counted = {part.leaf: part.value for part in found.parts} | {changed: value}
    values = []
    for own in evaluation.goals.goals.values():
        outputs = {
            goal: evaluation.network.output(formula, counted.__getitem__)
            for goal, formula in own.items()
            if goal != 50
        }
        values.append(state_value(outputs))
    return values


@pytest.mark.parametrize("version", ["v1.1", "v1.1s"])
def test_worth_is_what_the_network_says_when_it_is_asked_again(version: str) -> None:
    game = load_game("tictactoe")
    evaluation = VERSIONS[version].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    found = explained(
        game, evaluation, "((cell 1 1 x) (cell 2 2 o) (cell 1 2 x) (cell 1 3 b) (control oplayer))"
    )
    assert len(found.parts) == {"v1.1": 27, "v1.1s": 19}[version]
    for part in found.parts:
        most, least = (again(evaluation, found, part.leaf, value) for value in (1.0, -1.0))
        worth = [part.worth.get(role, 0.0) for role in game.roles]
        assert worth == pytest.approx([one - other for one, other in zip(most, least, strict=True)], abs=1e-9)


@pytest.mark.parametrize("name", ["tictactoe", "breakthrough", "nim"])
def test_outputs_of_nodes_are_those_that_make_the_value(name: str) -> None:
    game = compiled_game(name)
    evaluation = VERSIONS["final"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    assert game.rules is not None
    for state in list(game.playout(5))[::4]:
        found = explain_value(evaluation, game.rules, state)
        for role, outputs in found.outputs.items():
            for goal, output in outputs.items():
                formula = evaluation.goals.goals[role][goal]
                node = found.nodes[formula >> 1]
                assert (-node if formula & 1 else node) == output
            assert found.values[role] == evaluation(state, role)
        lines = len(game.rules.source.text.splitlines())
        assert all(0 < part.line <= lines for part in found.parts)


def ways_up(network: Network, edge: Edge) -> list[tuple[Hashable, float]]:
    """Every way from a leaf to a root, with the product of its weights and signs."""
    sign = -1.0 if edge & 1 else 1.0
    node = network.theory.nodes[edge >> 1]
    if node.kind is Kind.LEAF:
        return [(network.theory.leaves[edge >> 1], sign)]
    weight = sign * network.neurons[edge >> 1].weight
    return [(leaf, weight * rest) for part in node.parts for leaf, rest in ways_up(network, part)]


@given(theories())
def test_weights_of_leaves_are_those_of_all_ways_up(made: tuple[Theory, int]) -> None:
    theory, root = made
    network = local_network(theory, [root])
    sums: dict[Hashable, float] = {}
    for leaf, weight in ways_up(network, root):
        sums[leaf] = sums.get(leaf, 0.0) + weight
    assert leaf_weights(network, root) == pytest.approx(sums)
    assert leaf_weights(network, True) == {}


# -- the picture ------------------------------------------------------------------------------------------


def drawn(found: ExplainedValue) -> ElementTree.Element:
    return ElementTree.fromstring(draw_network(found, "a <game> & more"))


def texts(root: ElementTree.Element) -> list[str]:
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def test_a_small_network_is_drawn_with_all_its_parts_and_goals() -> None:
    found = explained(*lamps())
    root = drawn(found)
    shown = texts(root)
    assert shown[0] == "a <game> & more"
    assert {"(on a)", "(on b)", "(on c)", "all", "any"} >= {*shown} & {
        "(on a)",
        "(on b)",
        "(on c)",
        "all",
        "any",
    }
    assert sum(text in ("(on a)", "(on b)", "(on c)") for text in shown) == 3
    assert "r gets 100: -0.462" in shown
    assert "r gets 0: -1.000" in shown
    assert "the end of play: -0.462" in shown
    nodes = [one for one in root.iter(f"{SVG}circle") if one.get("class") in ("true", "false")]
    assert len(nodes) == 3 + len(found.evaluation.network.neurons)
    assert sum(one.get("class") == "true" for one in nodes) == 1 + sum(
        found.nodes[number] > 0 for number in found.evaluation.network.neurons
    )


@pytest.mark.long
def test_of_wide_neurons_what_decides_most_is_drawn() -> None:
    game = compiled_game("connect_four")
    evaluation = VERSIONS["v1.1"].make(game)
    assert isinstance(evaluation, GoalEvaluation)
    root = drawn(explained(game, evaluation))
    nodes = [one for one in root.iter(f"{SVG}circle") if one.get("class") in ("true", "false")]
    assert FEW_PARTS < len(nodes) <= MOST_NODES < len(evaluation.network.neurons)
    assert any(text.startswith("and ") and text.endswith(" more") for text in texts(root))
    assert max(map(len, texts(root)[3:])) <= LONGEST
