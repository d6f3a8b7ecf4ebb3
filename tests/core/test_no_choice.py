"""States without a choice: over, or somebody has no move. Engines refuse them, and kernels live on."""

from __future__ import annotations

import pytest

from ludorum._core import MctsSettings, MctsTree
from ludorum.rules.kif import parse_kif, parse_term
from tests.engine.kernel_games import compile_here

RULES = """
(role white) (role black)
(init (at 1))
(<= (legal white left) (true (at 1)))
(<= (legal white right) (true (at 1)))
(<= (legal black wait) (true (at 2)))
(<= (next (at 2)) (does white left))
(<= (next (at 3)) (does white right))
(<= terminal (true (at 3)))
(goal white 100) (goal black 0)
"""
GAME = compile_here(parse_kif(RULES))
STUCK = {
    "black cannot move": ["(at 1)"],
    "white cannot move": ["(at 2)"],
    "nobody can move": [],
    "over": ["(at 3)"],
}


@pytest.mark.parametrize("where", STUCK)
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize(("batch", "threads"), [(1, 1), (1, 2), (8, 1), (8, 2)])
def test_a_tree_does_not_grow_there(where: str, solver: bool, batch: int, threads: int) -> None:
    settings = MctsSettings()
    settings.solver, settings.batch = solver, batch
    tree = MctsTree(
        GAME.single.evaluators,
        chance=[],
        highest=[100, 100],
        constant_sum=-1,
        observe=True,
        seed=1,
        memory_bytes=1 << 20,
        settings=settings,
    )
    state = GAME.state(map(parse_term, STUCK[where])).bits
    for _ in range(3):
        assert tree.search(state, 0, playouts=200, threads=threads) == (0, 0, 0)
    assert tree.nodes == 1
