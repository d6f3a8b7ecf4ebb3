"""Searches and solvers take roles by name as well as by term, and say which names there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludorum.engine import Game, load_game
from ludorum.engine.errors import GameError
from ludorum.players.feature_searcher import FeatureSearcher
from ludorum.search import Budget
from ludorum.search.alphabeta import AlphaBeta
from ludorum.search.exact import solve
from ludorum.search.exact_searcher import ExactSearcher
from ludorum.search.maxn import MaxN
from ludorum.search.mcts import Mcts
from ludorum.search.mixed import Mixed, SearchPart
from ludorum.search.single_player import SinglePlayer
from ludorum.solve.logic_searcher import LogicSearcher
from ludorum.solve.values.solve_game import solve_game

SEARCHERS: list[tuple[Callable[[Game], Any], str]] = [
    (AlphaBeta, "tictactoe"),
    (MaxN, "tictactoe"),
    (Mcts, "tictactoe"),
    (ExactSearcher, "tictactoe"),
    (FeatureSearcher, "tictactoe"),
    (lambda game: Mixed([SearchPart(Mcts(game), 1.0)]), "tictactoe"),
    (SinglePlayer, "blocks"),
    (LogicSearcher, "blocks"),
]


@pytest.mark.long
@pytest.mark.parametrize(("make", "name"), SEARCHERS)
def test_a_name_is_as_good_as_the_role(make: Callable[[Game], Any], name: str) -> None:
    game = load_game(name)
    state, role = game.initial(), game.roles[0]
    few = Budget(nodes=6_000, playouts=50)  # tictactoe has 5478 states
    by_name = make(game).search(state, str(role), few)
    assert by_name.role is role
    assert by_name.move in state.legal(role)
    with pytest.raises(GameError, match=f"has no role '{role}s'; its roles are .*did you mean {role}"):
        make(game).search(state, f"{role}s", few)


@pytest.mark.long
def test_solved_games_answer_for_names() -> None:
    game = load_game("tictactoe")
    solved = solve(game)
    assert solved is not None
    assert solved.value(game.initial(), "oplayer") == 50
    assert solved.decide(game.initial(), "xplayer").role is game.roles[0]
    assert solve_game(game, role="oplayer").values[game.roles[1]] == 50
    with pytest.raises(GameError, match="did you mean oplayer"):
        solve_game(game, role="oplyer")
