"""Games in which nature deals more than can be looked at are refused at once, with the reason."""

from __future__ import annotations

from math import comb

import pytest

from ludorum.engine.load import load_game
from ludorum.search.budget import Budget
from ludorum.solve.values.nature_first import least_ways_of_nature
from ludorum.solve.values.solve_game import SolveConfig, solve_game

WAYS = {"war": comb(52, 26), "trumps": comb(52, 14), "tictactoe": 1}


@pytest.mark.parametrize("name", WAYS)
def test_draws_without_putting_back_are_counted(name: str) -> None:
    assert least_ways_of_nature(load_game(name).initial()) == WAYS[name]


@pytest.mark.parametrize(("name", "ways"), [("war", "5.0e+14"), ("trumps", "1.8e+12")])
def test_packs_that_are_dealt_are_no_matter_of_time(name: str, ways: str) -> None:
    game = load_game(name)
    found = solve_game(game, budget=Budget(seconds=600), config=SolveConfig(opened=True))
    assert not found.solved
    assert not found.is_limited  # no more --seconds would do
    assert found.note == (
        f"what nature draws before the first choice comes out in at least {ways} ways,"
        " and at most 2000000 states are looked at one by one"
    )


def test_what_nature_puts_back_is_not_counted() -> None:
    game = load_game("monty_hall")
    assert least_ways_of_nature(game.initial()) <= 3
