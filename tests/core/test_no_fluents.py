"""Games without fluents, which `check` only warns of: no kernel divides by the size of their states."""

from __future__ import annotations

import numpy as np
import pytest

from ludorum._core import AlphaBetaKernel, InformationTree, Lanes, ProofKernel, RowIndex, nested_rollouts
from ludorum.engine.compiled import CompiledGame
from ludorum.rules.kif import parse_kif
from ludorum.search import Budget, Mcts, MctsConfig
from ludorum.search.budget import Stopwatch
from ludorum.search.state_graph import explore_states
from tests.engine.kernel_games import compile_here

ENDLESS = """
(role white) (role black)
(legal white left) (legal white right)
(legal black wait)
(goal white 100) (goal black 0)
(<= terminal (p b))
(p a)
"""
OVER = ENDLESS.replace("(p a)", "(p b)")
ALONE = "(role white) (legal white left) (legal white right) (goal white 100) (<= terminal (p b)) (p a)"


@pytest.fixture(scope="module", params=[ENDLESS, OVER, ALONE], ids=["endless", "over", "alone"])
def game(request: pytest.FixtureRequest) -> CompiledGame:
    return compile_here(parse_kif(request.param))


def test_states_have_no_bytes(game: CompiledGame) -> None:
    assert game.network.fluents == 0
    assert game.initial().bits == b""


@pytest.mark.parametrize("config", [MctsConfig(), MctsConfig(batch=1), MctsConfig(threads=2)])
@pytest.mark.parametrize("sheet", [ENDLESS, ALONE], ids=["endless", "alone"])
def test_trees(sheet: str, config: MctsConfig) -> None:
    game = compile_here(parse_kif(sheet))
    found = Mcts(game, config).search(game.initial(), game.roles[0], Budget(playouts=500))
    assert found.playouts >= 500 or found.proven


def test_lanes(game: CompiledGame) -> None:
    lanes = Lanes(game.network)
    rows = np.zeros((3, 0), np.uint8)
    legal, terminal, goals = lanes.expand(rows)
    assert len(legal) == len(terminal) == len(goals) == 3
    assert lanes.step(rows, np.full((3, game.network.roles), -1, np.int32)).shape == (3, 0)
    assert lanes.playouts(100, max_steps=5)["playouts"] == 100
    assert lanes.playouts_from(rows, 7, max_steps=5)["playouts"] == 21
    states, status = lanes.walk(2)
    assert states.shape == (2, lanes.lanes, 0)
    assert status.shape == (2, lanes.lanes)


def test_proofs_and_strategies(game: CompiledGame) -> None:
    kernel = ProofKernel(game.single.evaluators, 1 << 16)
    over = game.initial().is_terminal
    assert kernel.prove(b"", 0, 1) is over
    assert kernel.strategy(b"", 0, 1, over) is not None


def test_alpha_beta(game: CompiledGame) -> None:
    found = AlphaBetaKernel(game.single.evaluators, 1 << 16).search(b"", 0, max_depth=4)
    assert [choice[0] for choice in found["choices"]] == [0, 1]


@pytest.mark.parametrize("batch", [0, 1])
def test_information_sets(game: CompiledGame, batch: int) -> None:
    kernel = InformationTree(
        game.single.evaluators, chance=[], sees_roles=np.zeros(0, np.int32), max_steps=5, batch=batch
    )
    empty = np.zeros((3, 0), np.uint8)
    kernel.begin(0, states=empty, weights=np.ones(3), views=np.zeros((3, 0), np.uint64))
    assert kernel.grow(descents=50)[1] == 50
    visits = [edge[1] for edge in kernel.look() or ()]
    assert sum(visits) == (0 if game.initial().is_terminal else 50)


def test_nested_rollouts() -> None:
    game = compile_here(parse_kif(ALONE))
    assert nested_rollouts(game.single.evaluators, b"", playouts=3, longest=4)[1] <= 3


def test_rows_without_bytes_are_one_row() -> None:
    index = RowIndex(0)
    assert list(index.add(np.zeros((3, 0), np.uint8))) == [0, 0, 0]
    assert len(index) == 1
    assert index.rows().shape == (1, 0)


def test_graphs_of_states(game: CompiledGame) -> None:
    graph = explore_states(game, game.initial(), Stopwatch(Budget(seconds=60)), 1000)
    assert graph is not None
    assert graph.states == 1
    assert list(graph.children) == ([] if game.initial().is_terminal else [0, 0])
