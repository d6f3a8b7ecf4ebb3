"""Monte Carlo tree search as players meet it."""

from __future__ import annotations

import pytest

from ludorum.engine.errors import GameError
from ludorum.engine.game import Game
from ludorum.engine.load import load_game
from ludorum.search import Budget, Mcts, MctsConfig
from tests.search.opposed import opposed


@pytest.fixture(scope="module")
def tictactoe() -> Game:
    return opposed(load_game("tictactoe", "compiled"))


def test_tictactoe_is_proven_a_draw(tictactoe: Game) -> None:
    decision = Mcts(tictactoe).search(tictactoe.initial(), tictactoe.roles[0], Budget(playouts=500_000))
    assert decision.proven
    assert decision.value == 50
    assert len(decision.choices) == 9


def test_same_seed_same_tree(tictactoe: Game) -> None:
    def visits(seed: int) -> list[tuple[str, int]]:
        searcher = Mcts(tictactoe, MctsConfig(seed=seed))
        found = searcher.search(tictactoe.initial(), tictactoe.roles[0], Budget(playouts=300))
        return [(str(choice.move), choice.visits) for choice in found.choices]

    assert visits(1) == visits(1)
    assert visits(1) != visits(2)


def test_a_game_that_is_over_is_refused(tictactoe: Game) -> None:
    *_, last = tictactoe.playout(seed=1)
    with pytest.raises(GameError, match="is over"):
        Mcts(tictactoe).search(last, tictactoe.roles[0], Budget(playouts=1))
