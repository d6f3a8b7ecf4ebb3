"""Search over information sets in kernels: memory, clocks, and arguments that are refused."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from ludorum._core import InformationTree
from ludorum.engine.compiled import CompiledGame, CompiledState
from ludorum.search.budget import Budget
from ludorum.search.compiled_ismcts import CompiledIsmcts
from ludorum.search.ismcts import IsmctsConfig
from tests.library_games import compiled_game
from tests.search.test_compiled_ismcts import followed, sheet
from tests.search.test_world_searches import LOOK


@pytest.mark.parametrize("batch", [1, 0])
def test_a_full_tree_goes_on_without_growing(batch: int) -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.info.players[0]
    worlds = followed(game, role, 3)
    roots = 1 + len({world.views[game.roles.index(game.info.players[1])] for world in worlds})
    config = IsmctsConfig(seed=1, observers="all")
    least = CompiledIsmcts(game, config, batch=batch, memory_bytes=0)
    found = least.search_worlds(worlds, role, Budget(playouts=500))
    assert found.playouts == sum(choice.visits for choice in found.choices) == 500
    assert least.kernel.nodes == roots
    some = CompiledIsmcts(game, config, batch=batch, memory_bytes=200_000)
    some.search_worlds(worlds, role, Budget(playouts=5000))
    moves = 32 * max(map(len, game.circuit.role_moves))  # bytes that roots may have in any case
    assert roots < some.kernel.nodes
    assert some.kernel.bytes <= 200_000 + roots * moves


@pytest.mark.parametrize("batch", [1, 0])
def test_nodes_clock_and_event_end_a_search_after_one_descent_at_least(batch: int) -> None:
    game = compiled_game("krieg_tictactoe")
    role = game.info.players[0]
    worlds = followed(game, role, 3)
    search = CompiledIsmcts(game, IsmctsConfig(seed=1), batch=batch)
    assert search.search_worlds(worlds, role, Budget(nodes=50)).nodes == 50
    assert search.search_worlds(worlds, role, Budget(playouts=0)).playouts == 1
    assert search.search_worlds(worlds, role, Budget(seconds=0.0)).playouts == 1
    event = threading.Event()
    timer = threading.Timer(0.05, event.set)
    timer.start()
    found = search.search_worlds(worlds, role, Budget(stop=event))
    timer.join()
    assert found.playouts == sum(choice.visits for choice in found.choices) >= 1


def tree(game: CompiledGame, **given: object) -> InformationTree:
    usual = {"chance": [0], "sees_roles": np.array([seat for seat, _, _ in game.circuit.sees], np.int32)}
    return InformationTree(game.single.evaluators, **usual | given)  # type: ignore[arg-type]


def begin(kernel: InformationTree, state: CompiledState, **given: object) -> None:
    usual = {
        "states": np.frombuffer(state.bits, np.uint8)[None, :],
        "weights": np.ones(1),
        "views": np.zeros((1, 0), np.uint64),
    }
    kernel.begin(**{"role": 1} | usual | given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"chance": [2]}, "chance must be from 0 to 1, not 2"),
        ({"sees_roles": np.zeros(0, np.int32)}, "sees_roles must have one role for each percept"),
        ({"sees_roles": np.full(2, 2, np.int32)}, "there is no such role: it must be from 0 to 1, not 2"),
        ({"exploration": -1.0}, "exploration must be a number from 0"),
        ({"exploration": float("nan")}, "exploration must be a number from 0"),
        ({"random_others": 1.5}, "random_others must be a number from 0 to 1, not 1.5"),
        ({"max_steps": 0}, "max_steps must be from 1 to"),
        ({"games_a_leaf": 0}, "games_a_leaf must be from 1 to 65536, not 0"),
        ({"batch": 5000}, "batch must be from 0 to 4096, not 5000"),
        ({"memory_bytes": -1}, "memory_bytes must be from 0 to"),
    ],
)
def test_settings_are_checked(given: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tree(sheet(LOOK), **given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"role": 0}, "role must not be the one of chance"),
        ({"role": 2}, "it must be from 0 to 1, not 2"),
        ({"states": np.zeros((1, 9), np.uint8)}, "states must be rows of 1 bytes"),
        ({"states": np.zeros((0, 1), np.uint8)}, "states must have one row at least"),
        ({"weights": np.ones(2)}, "weights must have one number for each state"),
        ({"weights": np.zeros(1)}, "weights must not all be 0"),
        ({"weights": np.array([-1.0])}, "weights must be a number from 0"),
        ({"weights": np.array([np.inf])}, "weights must be a number from 0"),
        ({"views": np.zeros((1, 1), np.uint64)}, "a column for each role or none"),
        ({"seed": -1}, "seed must be from 0 to"),
    ],
)
def test_worlds_are_checked(given: dict[str, object], said: str) -> None:
    game = sheet(LOOK)
    kernel = tree(game)
    with pytest.raises(ValueError, match=said):
        begin(kernel, game.initial(), **given)
    with pytest.raises(ValueError, match="begin must be called first"):
        kernel.grow(descents=1)


def test_trust_and_limits_are_checked() -> None:
    game = sheet(LOOK)
    kernel = tree(game)
    begin(kernel, game.initial())
    own = game.circuit.role_moves[1].start

    def trust(moves: list[int], values: list[float], visits: int) -> None:
        kernel.trust(np.array(moves, np.int32), np.array(values), visits)

    with pytest.raises(ValueError, match="one number for each move"):
        trust([own], [], 1)
    with pytest.raises(ValueError, match="moves must be different ones"):
        trust([own, own], [1, 2], 1)
    with pytest.raises(ValueError, match="moves must be those of the role"):
        trust([0], [1], 1)
    with pytest.raises(ValueError, match="visits must be from 1 to"):
        trust([own], [1], 0)
    with pytest.raises(ValueError, match="values must be a number from 0"):
        trust([own], [float("nan")], 1)
    with pytest.raises(ValueError, match="seconds must be a number"):
        kernel.grow(seconds=float("nan"))
    with pytest.raises(ValueError, match="descents must be from 0"):
        kernel.grow(descents=-1)


def test_policies_of_python_are_refused() -> None:
    game = sheet(LOOK)
    with pytest.raises(ValueError, match="neither policies nor priors"):
        CompiledIsmcts(game, IsmctsConfig(prior=lambda state, role, moves: [1.0] * len(moves)))
