"""States in which nothing can be chosen: over, or somebody has no move. The engines refuse them; kernels live on."""

from __future__ import annotations

import pytest

from ludorum._core import MctsSettings, MctsTree
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term
from tests.engine.kernel_games import compile_here

RULES = """
(role white) (role black)
(init (at 1))
(<= (legal white left) (true (at 1)))
(<= (legal white right) (true (at 1)))
(<= (legal black wait) (true (at 2)))
(<= (next (at 2)) (true (at 1)))
(<= terminal (true (at 3)))
(goal white 100) (goal black 0)
"""
GAME = compile_here(parse_kif(RULES))
STUCK = {"black cannot move": "1", "white cannot move": "2", "nobody can move": "4", "over": "3"}


@pytest.mark.parametrize("where", STUCK)
@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize(("batch", "threads"), [(1, 1), (1, 2), (8, 1), (8, 2)])
def test_a_tree_does_not_grow_there(where: str, solver: bool, batch: int, threads: int) -> None:
    settings = MctsSettings()
    settings.solver, settings.batch = solver, batch
    highest = [100, 100]
    tree = MctsTree(GAME.single.evaluators, -1, highest, -1, True, 1, 1 << 20, settings)
    number = STUCK[where]
    facts = [] if number == "4" else [Term("at", (Term(number),))]
    if number == "3" and not GAME.network.fluents:
        pytest.skip("no such state")
    state = GAME.state(facts).bits
    for _ in range(3):
        assert tree.search(state, 0, playouts=200, threads=threads) == (0, 0, 0)
    assert tree.nodes == 1
