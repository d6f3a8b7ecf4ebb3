"""Tic-tac-toe is never lost, from either seat, against perfect and against random play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, TypeAlias

import pytest

from ludorum.engine.compiled import CompiledState
from ludorum.engine.game import Game, State
from ludorum.rules.terms import Term
from ludorum.search import AlphaBeta, Budget, Mcts, MctsConfig, Searcher
from tests.library_games import compiled_game
from tests.search.exact_values import ExactValues


@cache
def game() -> Game:
    return compiled_game("tictactoe")


Case: TypeAlias = tuple[Callable[[int], Searcher], Budget]


def tree(**settings: Any) -> Callable[[int], Searcher]:
    return lambda seed: Mcts(game(), MctsConfig(seed=seed, **settings))


CASES: dict[str, Case] = {
    "lanes": (tree(), Budget(playouts=32_000)),  # a few dozen batches, some hundredths of a second
    "one by one": (tree(batch=1), Budget(playouts=1_000)),
    "plain": (tree(plain=True), Budget(playouts=1_000)),
    "alphabeta": (lambda seed: AlphaBeta(game()), Budget(nodes=100_000)),
}


@cache
def exact() -> ExactValues:
    return ExactValues(game().initial(), [100, 100], total=100, most=10_000)


def perfect_move(state: State, role: Term, chance: Random) -> Term:
    """Any move that keeps the value, so that all perfect games come up."""
    seat = game().roles.index(role)
    values = {joint[seat]: exact().values[state.play(joint)][seat] or 0 for joint in state.joint_moves()}
    return chance.choice([move for move, value in values.items() if value == max(values.values())])


def random_move(state: State, role: Term, chance: Random) -> Term:
    return chance.choice(state.legal(role))


def worst_goal(make: Callable[[int], Searcher], budget: Budget, games: int) -> int:
    """The lowest goal value the search gets in so many games, half of them from each seat and opponent."""
    worst = 100
    for number in range(games):
        chance = Random(number)
        seat, opponent = number % 2, (perfect_move, random_move)[number // 2 % 2]
        searcher = make(number)
        state = game().initial()
        while not state.is_terminal:
            own, other = game().roles[seat], game().roles[1 - seat]
            moves = {own: state.legal(own)[0], other: opponent(state, other, chance)}
            if len(state.legal(own)) > 1:
                moves[own] = searcher.search(state, own, budget).move
            state = state.play([moves[role] for role in game().roles])
        assert isinstance(state, CompiledState)
        worst = min(worst, state.goals()[seat] or 0)
    return worst


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "games"), [("lanes", 60), ("one by one", 60), ("plain", 4), ("alphabeta", 100)]
)
def test_tictactoe_is_not_lost(name: str, games: int) -> None:
    assert worst_goal(*CASES[name], games) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_tictactoe_is_not_lost_in_a_thousand_games(name: str) -> None:
    assert worst_goal(*CASES[name], games=1000) >= 50
