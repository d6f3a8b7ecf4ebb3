"""Traits: what a moment of random play finds out about a game."""

from __future__ import annotations

import pytest

from ludorum.engine.auto import best_engine
from ludorum.engine.load import load_game
from ludorum.players.traits import Traits, measure_traits
from tests.small_games import coin, door


@pytest.mark.parametrize(
    ("name", "players", "simultaneous", "constant_sum"),
    [
        ("tictactoe", 2, False, True),
        ("eight_puzzle", 1, False, False),
        ("rock_paper_scissors", 2, True, True),
        ("iterated_prisoners_dilemma", 2, True, False),
        ("chinese_checkers", 3, False, False),
    ],
)
def test_kinds_of_games(name: str, players: int, simultaneous: bool, constant_sum: bool) -> None:
    traits = measure_traits(load_game(name), 5)  # less, where all walks are done before
    assert (traits.players, traits.simultaneous) == (players, simultaneous)
    if players > 1:
        assert traits.constant_sum == constant_sum
    assert not traits.hidden
    assert not traits.chance
    assert not traits.compiled


def test_numbers_of_a_small_game() -> None:
    # Both may push or wait; a push ends it, so random games take 4/3 steps on average.
    traits = measure_traits(door(), 5.0)
    assert traits.branching == 2.0
    assert 1.0 <= traits.length <= 2.0


def test_hidden_information_and_chance() -> None:
    traits = measure_traits(coin(), 0.2)
    assert traits.hidden
    assert traits.chance
    assert traits.players == 1


def test_an_open_game_of_dice_hides_nothing() -> None:
    traits = measure_traits(load_game("pig"))
    assert traits.chance
    assert not traits.hidden


def test_the_circuit_is_waited_for() -> None:
    game = best_engine(load_game("tictactoe", "auto"), 30.0)
    traits = measure_traits(game, 0.1)
    assert traits.compiled
    assert isinstance(traits, Traits)
    assert traits.as_json()["players"] == 2


def test_traits_without_a_clock_are_the_same_each_time() -> None:
    """What is looked at is counted: 3000 states at most, however long they take."""
    game = load_game("connect_four")
    assert measure_traits(game, seed=1) == measure_traits(game, seed=1)


@pytest.mark.parametrize(
    ("name", "asks"),
    [
        ("battleships_in_fog", True),  # a scan changes nothing but what is known
        ("number_guessing", False),  # questions are counted
        ("small_dominion", False),  # a pass is told to the other role alone
        ("kuhn_poker", False),
        ("tictactoe", False),
    ],
)
def test_a_move_that_only_shows_something_is_found_in_the_rules(name: str, asks: bool) -> None:
    assert measure_traits(load_game(name), 0.0).asks is asks
