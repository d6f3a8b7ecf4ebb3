"""Equilibria of games: what is told on the way, and when the search ends."""

from __future__ import annotations

import pytest

from ludorum.engine import load_game
from ludorum.search.budget import Budget
from ludorum.solve.equilibrium.find import find_equilibrium
from ludorum.solve.equilibrium.game_tree import TreeTooLargeError
from ludorum.solve.equilibrium.method import RegretMethod
from tests.library_games import compiled_game


def test_progress_is_told_in_nodes_and_then_in_iterations() -> None:
    told: list[str] = []
    found = find_equilibrium(load_game("kuhn_poker"), None, 0.0, 100, report=told.append)
    assert told[0] == "4 nodes"
    assert "58 nodes" in told
    assert told[-1].startswith("100 iterations, 0.0")
    assert told[-1].endswith(" points to gain")
    assert (found.iterations, found.nodes, found.found) == (100, 58, False)


def test_the_search_ends_when_little_is_left_to_gain() -> None:
    found = find_equilibrium(load_game("kuhn_poker"), None, 0.5)
    assert found.found
    assert found.iterations < 100
    assert found.nash_conv <= 1.0
    assert not found.is_start_given
    assert sum(found.values.values()) == pytest.approx(100)


def test_time_that_is_up_ends_the_search_with_a_sound_answer() -> None:
    game = compiled_game("leduc_poker")
    found = find_equilibrium(game, None, 0.0, budget=Budget(seconds=0.0), method=RegretMethod.EXTERNAL)
    assert 1 <= found.iterations < 10**6
    assert not found.found
    assert all(sum(chances) == pytest.approx(1) for _, chances in found.sets)


def test_trees_have_a_bound() -> None:
    with pytest.raises(TreeTooLargeError):
        find_equilibrium(compiled_game("leduc_poker"), None, 0.1, most_nodes=100)
