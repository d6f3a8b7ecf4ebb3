"""Trees in arrays have the nodes and information sets that the rules give."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine import load_game
from ludorum.engine.game import RANDOM, Game, State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.solve.equilibrium.evaluate import Passes
from ludorum.solve.equilibrium.game_tree import (
    CHANCE,
    TERMINAL,
    GameTree,
    TreeTooLargeError,
    UnknownMovesError,
)
from ludorum.solve.equilibrium.make_tree import make_tree
from tests.library_games import compiled_game

PENNIES = """
(role even) (role odd) (init begin)
(<= (legal ?r heads) (role ?r)) (<= (legal ?r tails) (role ?r))
(<= (next over) (true begin))
(<= (next same) (does even ?m) (does odd ?m))
(<= terminal (true over))
(<= (goal even 100) (true same)) (<= (goal even 0) (not (true same)))
(<= (goal odd 0) (true same)) (<= (goal odd 100) (not (true same)))
"""
TWICE = PENNIES.replace("(<= terminal (true over))", "(<= (next last) (true over)) (<= terminal (true last))")
SECRET = """
(role a) (role random) (init begin)
(<= (legal random up) (true begin)) (<= (legal random down) (true begin))
(<= (legal a wait) (true begin)) (<= (legal random wait) (not (true begin)))
(<= (next (was ?m)) (does random ?m) (true begin))
(<= (legal a left) (true (was ?m))) (<= (legal a right) (true (was up))) (<= (legal a stay) (true (was ?m)))
(<= (next over) (true (was ?m))) (<= terminal (true over)) (goal a 50) (sees a nothing)
"""


@pytest.mark.parametrize(
    ("name", "nodes", "sets", "moves"), [("kuhn_poker", 58, 12, 24), ("leduc_poker", 9457, 936, 2184)]
)
def test_poker_has_as_many_histories_as_published(name: str, nodes: int, sets: int, moves: int) -> None:
    tree = make_tree(compiled_game(name))
    assert (tree.size, len(tree.sets), tree.slots) == (nodes, sets, moves)


def test_information_sets_are_own_moves_and_percepts() -> None:
    tree = make_tree(load_game("kuhn_poker"))
    told = [f"{one} -> {', '.join(map(str, one.moves))}" for one in tree.sets]
    assert told[0] == "alice: noop (dealt jack); noop -> bet, check"
    assert "bob: noop; noop (dealt king); noop (says alice bet) -> call, fold" in told
    assert len({str(one) for one in tree.sets}) == 12


def test_children_come_after_their_parents_and_sets_are_on_one_level() -> None:
    tree = make_tree(compiled_game("leduc_poker"))
    passes = Passes(tree)
    assert (tree.child > passes.parent).all()
    assert sorted(tree.child) == list(range(1, tree.size))
    level = np.searchsorted(tree.levels, np.arange(tree.size), side="right")
    for number in range(len(tree.sets)):
        assert len(set(level[tree.information_set == number])) == 1
    assert set(tree.player[tree.information_set < 0]) == {CHANCE, TERMINAL}


def test_who_moves_at_the_same_time_knows_nothing_of_the_other() -> None:
    tree = make_tree(LiftedGame(parse_kif(PENNIES), "pennies"))
    assert (tree.size, [str(one) for one in tree.sets]) == (7, ["even: start", "odd: start"])


def test_in_games_without_secrets_all_moves_are_known() -> None:
    """Four ways of a first round, and in the second both players know which it was."""
    tree = make_tree(LiftedGame(parse_kif(TWICE), "twice"))
    assert (tree.size, len(tree.sets)) == (1 + 2 + 4 + 8 + 16, 2 + 8)
    assert str(tree.sets[2]) == "even: heads (did even heads) (did odd heads)"


def test_a_role_that_cannot_know_its_moves_is_told_with_both_cases() -> None:
    with pytest.raises(UnknownMovesError) as caught:
        make_tree(LiftedGame(parse_kif(SECRET), "secret"))
    assert str(caught.value) == (
        "a cannot know its legal moves in secret: after a: wait nothing they are left, stay or "
        "left, right, stay"
    )


@pytest.mark.long
def test_large_trees_are_refused() -> None:
    with pytest.raises(TreeTooLargeError, match="the tree of leduc_poker has more than 1000 nodes"):
        make_tree(load_game("leduc_poker"), most_nodes=1000)


def expected(state: State, chance: Mapping[tuple[Term, object], Mapping[Term, float]]) -> list[float]:
    """Goal values by plain recursion over all joint moves; ``chance`` by role and what it has seen."""

    def value(state: State, seen: dict[Term, tuple[object, ...]]) -> list[float]:
        game = state.game
        if state.is_terminal:
            return [float(state.goal(role) or 0) for role in game.info.players]
        total = [0.0] * len(game.info.players)
        for joint in state.joint_moves():
            likely = 1.0
            for role, move in zip(game.roles, joint, strict=True):
                moves = state.legal(role)
                if role is RANDOM:
                    likely /= len(moves)
                elif len(moves) > 1:
                    likely *= chance[role, seen[role]][move]
            after = state.play(joint)
            then = {
                role: (*seen[role], (move, frozenset(after.percepts(role))))
                for role, move in zip(game.roles, joint, strict=True)
            }
            total = [sum_ + likely * part for sum_, part in zip(total, value(after, then), strict=True)]
        return total

    return value(state, dict.fromkeys(state.game.roles, ()))


def as_mapping(tree: GameTree, profile: np.ndarray) -> dict[tuple[Term, object], dict[Term, float]]:
    return {
        (one.role, one.history): dict(zip(one.moves, profile[one.first :], strict=False)) for one in tree.sets
    }


SMALL: dict[str, Game] = {
    "kuhn_poker": load_game("kuhn_poker"),
    "monty_hall": load_game("monty_hall"),
    "pennies": LiftedGame(parse_kif(PENNIES), "pennies"),
}


@pytest.mark.parametrize("name", SMALL)
@settings(deadline=None, max_examples=10)
@given(data=st.data())
def test_values_are_those_of_a_plain_recursion(name: str, data: st.DataObject) -> None:
    game = SMALL[name]
    tree = make_tree(game)
    passes = Passes(tree)
    weights = data.draw(st.lists(st.integers(0, 5), min_size=tree.slots, max_size=tree.slots))
    profile = passes.normalised(np.array(weights, float))
    assert passes.values(profile)[0] == pytest.approx(
        expected(game.initial(), as_mapping(tree, profile)), abs=1e-9
    )


def test_moves_are_terms_of_the_rules() -> None:
    tree = make_tree(load_game("kuhn_poker"))
    assert {move for one in tree.sets for move in one.moves} == {
        parse_term(text) for text in ("bet", "check", "call", "fold")
    }
