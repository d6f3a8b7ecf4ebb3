"""The compiled tree, one descent after the other, is the plain tree: same moves, same visits, same nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ludorum.engine.game import Game
from ludorum.evaluate.goals.compiled_evaluation import CompiledEvaluation
from ludorum.evaluate.goals.evaluation import GoalEvaluation
from ludorum.evaluate.goals.versions import VERSIONS
from ludorum.search import Budget, Mcts, MctsConfig
from tests.how_much import sample
from tests.library_games import compiled_game

GAMES = (
    "tictactoe",
    "connect_four",
    "nim",
    "chinese_checkers",  # three roles and more
    "rock_paper_scissors",  # everybody moves at once
    "tron",
    "goofspiel",
    "monty_hall",  # nature draws
    "blackjack",
    "eight_puzzle",  # one role
    "dots_and_boxes",  # a turn may go on
)


def assert_same_search(game: Game, config: MctsConfig, playouts: int, turns: int = 3) -> None:
    """Both trees search the same states of one match, keeping what they have learnt."""
    fast = Mcts(game, config)
    plain = Mcts(game, replace(config, plain=True))
    assert fast.is_compiled
    assert not plain.is_compiled
    state, role = game.initial(), game.info.players[0]
    for _ in range(turns):
        if state.is_terminal:
            break
        one, other = (searcher.search(state, role, Budget(playouts=playouts)) for searcher in (fast, plain))
        assert one.choices == other.choices
        assert (one.move, one.line) == (other.move, other.line)
        assert (one.nodes, one.playouts, one.depth) == (other.nodes, other.playouts, other.depth)
        assert fast.nodes == plain.nodes
        joint = one.line[0] if one.line else tuple(state.legal(who)[0] for who in game.roles)
        state = state.play(joint)


@pytest.mark.parametrize("name", sample(GAMES, 2))
def test_both_trees_choose_the_same(name: str) -> None:
    assert_same_search(compiled_game(name), MctsConfig(seed=7, batch=1), 200)


@pytest.mark.parametrize(
    "config",
    [
        MctsConfig(seed=1, batch=1, playouts_per_leaf=3),
        MctsConfig(seed=1, batch=1, solver=False),
        MctsConfig(seed=1, batch=1, decisive=False),
        MctsConfig(seed=1, batch=1, exploration=0.1, max_depth=3),
        MctsConfig(seed=1, batch=1, max_steps=4),
        MctsConfig(seed=1, batch=1, constant_sum="proved"),
        MctsConfig(seed=1, rave="rave"),
        MctsConfig(seed=1, rave="grave", rave_visits=10),
        MctsConfig(seed=1, batch=1, policy="mast"),
        MctsConfig(seed=1, policy="nst", playouts_per_leaf=2),
        MctsConfig(seed=1, batch=1, simultaneous="regret"),
        MctsConfig(seed=1, rave="rave", policy="nst", simultaneous="regret"),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "tron", "goofspiel", "blackjack"])
def test_both_trees_choose_the_same_with_other_settings(name: str, config: MctsConfig) -> None:
    assert_same_search(compiled_game(name), config, 90, turns=2)


@pytest.mark.parametrize(
    "config",
    [
        MctsConfig(seed=3),
        MctsConfig(seed=3, cutoff=2, playouts_per_leaf=2),
        MctsConfig(seed=3, cutoff=3, policy="mast"),
        MctsConfig(seed=3, cutoff=9, max_steps=3, rave="grave"),
    ],
    ids=lambda config: f"cutoff {config.cutoff}",
)
def test_both_trees_value_leaves_by_an_evaluation_in_the_same_way(config: MctsConfig) -> None:
    game = compiled_game("tictactoe")
    plain = VERSIONS["v1.1"].make(game)
    assert isinstance(plain, GoalEvaluation)
    compiled = CompiledEvaluation(plain, game)
    fast, slow = Mcts(game, config, compiled), Mcts(game, config, plain)
    assert fast.is_compiled
    assert not slow.is_compiled
    state = game.initial()
    for _ in range(2):
        found = [searcher.search(state, "xplayer", Budget(playouts=150)) for searcher in (fast, slow)]
        assert found[0].choices == found[1].choices
        assert found[0].nodes == found[1].nodes
        state = state.play(found[0].line[0])


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_both_trees_choose_the_same_for_longer(name: str, seed: int) -> None:
    assert_same_search(compiled_game(name), MctsConfig(seed=seed, batch=1), 3000, turns=6)
