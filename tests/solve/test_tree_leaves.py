"""Trees with heuristic leaves against plain maximin on an engine."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludorum.engine import load_game
from ludorum.engine.game import State
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif, parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget, Stopwatch
from ludorum.solve.strategy_search import StrategySearch
from ludorum.solve.thinker import LogicThinker, ThinkerConfig
from ludorum.solve.tree_leaves import LeafWeights, leaf_values
from tests.how_much import some

from ..small_games import DOOR
from .boards import board
from .test_strategy_search import RACE

ENOUGH = Budget(seconds=600)
WON, LOST = 1000, -1000


def worth(state: State, role: Term, value: int, leaves: LeafWeights) -> int:
    """The most points that a state at the horizon is worth, in whole ones."""
    if state.is_terminal:
        return WON if (state.goal(role) or 0) >= value else LOST
    parts = sum(leaves.parts(fact) for fact in state.facts())
    return max((points for points in range(101) if parts >= leaves.threshold(points)), default=0)


def maximin(state: State, role: Term, value: int, leaves: LeafWeights, depth: int) -> dict[Term, int]:
    """For each move what it keeps against all answers, by trying them all."""
    others = [other for other in state.game.roles if other is not role]

    def after(move: Term) -> int:
        found = []
        for answer in product(*(state.legal(other) for other in others)):
            moves = dict(zip(others, answer, strict=True)) | {role: move}
            then = state.play([moves[each] for each in state.game.roles])
            if then.is_terminal or depth == 1:
                found.append(worth(then, role, value, leaves))
            else:
                found.append(max(maximin(then, role, value, leaves, depth - 1).values()))
        return min(found)

    return {move: after(move) for move in state.legal(role)}


def compared(state: State, role: Term, value: int, leaves: LeafWeights, depth: int) -> None:
    assert state.game.rules is not None
    search = StrategySearch(state.game.rules, state.facts(), role, value)
    watch = Stopwatch(ENOUGH)
    for _ in range(depth):
        search.deepen(watch)
    expected = maximin(state, role, value, leaves, search.depth)
    found = leaf_values(search, leaves, watch)
    assert set(found) == set(search.unsettled)
    for move, keeps in expected.items():
        if move in search.verdicts:
            assert keeps == (WON if search.verdicts[move].holds else LOST)
        else:
            assert found[move] == max(0, keeps)


CELLS = [f"(cell {row} {column} {mark})" for row in "123" for column in "123" for mark in "xob"]


@pytest.mark.long
@pytest.mark.spec("asp-player", 37)
@pytest.mark.spec("asp-player", 50)
@settings(max_examples=some(40))
@given(st.data())
def test_leaves_of_tictactoe_trees(data: st.DataObject) -> None:
    """Random weights, random positions, both values: each move keeps what trying everything says."""

    weights = {
        parse_term(cell): data.draw(st.integers(-90, 90)) / 10
        for cell in data.draw(st.permutations(CELLS))[:9]
    }
    leaves = LeafWeights(weights, data.draw(st.integers(20, 80)))
    marks = data.draw(st.sampled_from(["ox. .x. .o.", "x.. .o. ...", "xo. ... ..x", "... .x. ..."]))
    who = "x" if marks.count("x") == marks.count("o") else "o"
    state = board(marks, who)
    value = data.draw(st.sampled_from([50, 100]))
    compared(state, Term(f"{who}player"), value, leaves, data.draw(st.integers(1, 2)))


@pytest.mark.spec("asp-player", 37)
@pytest.mark.parametrize("text", [RACE, DOOR])
def test_leaves_with_several_others_and_at_once(text: str) -> None:
    game = LiftedGame(parse_kif(text), "small")
    facts = sorted(
        {fact for seed in range(5) for state in game.playout(seed) for fact in state.facts()}, key=str
    )
    leaves = LeafWeights({fact: 3.5 * at for at, fact in enumerate(facts)}, 10.0)
    for role in game.roles:
        compared(game.initial(), role, 100, leaves, 1)


@pytest.mark.spec("asp-player", 50)
def test_own_marks_on_the_diagonal_are_looked_for() -> None:
    """Who wants the middle takes it, though nothing is decided two moves ahead."""
    game = load_game("tictactoe")
    assert game.rules is not None
    middle = next(fact for fact in game.parse_state("((cell 2 2 x))").facts())
    search = StrategySearch(game.rules, game.initial().facts(), game.roles[0], 50)
    watch = Stopwatch(ENOUGH)
    search.deepen(watch)
    search.deepen(watch)
    found = leaf_values(search, LeafWeights({middle: 20.0}, 40.0), watch)
    assert {str(move): points for move, points in found.items() if points > 40} == {"(mark 2 2)": 60}
    assert len(found) == 9
    with pytest.raises(ValueError, match="one heuristic"):
        leaf_values(search, LeafWeights({middle: 1.0}, 40.0), watch)


def test_no_time_leaves_moves_out() -> None:
    game = load_game("tictactoe")
    assert game.rules is not None
    search = StrategySearch(game.rules, game.initial().facts(), game.roles[0], 50)
    search.deepen(Stopwatch(ENOUGH))
    assert leaf_values(search, LeafWeights(), Stopwatch(Budget(seconds=0))) == {}


@pytest.mark.long
@pytest.mark.spec("asp-player", 37)
@pytest.mark.spec("asp-player", 50)
def test_the_thinker_values_what_it_cannot_settle() -> None:
    """The first move of tic-tac-toe: no tree closes in the time, and a corner is what the heuristic wants."""
    game = load_game("tictactoe")
    assert game.rules is not None
    (corner,) = game.parse_state("((cell 3 1 x))").facts()
    thinker, told = LogicThinker(), list[object]()
    leaves = LeafWeights({corner: 30.0}, 20.0)
    thinker.begin(told.append, game.rules, game.roles[0], ThinkerConfig(leaves=leaves, tree_share=0.04))
    advice = thinker.think(told.append, game.initial().facts(), 60.0)
    estimates = {str(each.move): each.estimate for each in advice.assessments}
    assert estimates["(mark 3 1)"] == 50
    assert not any(each.is_exact for each in advice.assessments)
    # Others may get the corner later, unless the second player takes it first: then it is theirs.
    assert set(estimates.values()) == {20.0, 50.0}
    assert str(max(advice.assessments, key=lambda each: each.estimate).move) == "(mark 3 1)"
