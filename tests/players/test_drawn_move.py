"""A strategy that was looked up becomes a decision: moves are drawn by their probability and nothing else."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ludorum.engine.load import load_game
from ludorum.knowledge.worlds import worlds_for
from ludorum.players.drawn_move import draw_move, drawn_number, preparing_seconds, told_history
from ludorum.rules.kif import parse_term
from ludorum.rules.terms import Term
from ludorum.search.budget import Budget
from ludorum.search.mixed import NoAdviceError

LEFT, MIDDLE, RIGHT = Term("left"), Term("middle"), Term("right")


def test_numbers_come_as_often_as_their_probability_says() -> None:
    counts = Counter(drawn_number([0.25, 0.0, 0.75], seed) for seed in range(1_000))
    assert counts.keys() == {0, 2}
    assert 200 < counts[0] < 300


def test_what_cannot_happen_is_never_drawn_wherever_it_stands() -> None:
    for chances in ([1.0, 0.0], [0.0, 1.0], [0.0, 1e-300, 0.0]):
        possible = chances.index(max(chances))
        assert {drawn_number(chances, seed) for seed in range(200)} == {possible}


def test_the_drawn_move_comes_first_and_the_others_by_their_probability() -> None:
    drawn = draw_move((LEFT, MIDDLE, RIGHT), np.array([0.125, 0.375, 0.5]), 60.0, seed=3)
    others = [choice.move for choice in drawn.choices[1:]]
    assert drawn.choices[0].move is drawn.move
    assert others == [move for move in (RIGHT, MIDDLE, LEFT) if move is not drawn.move]
    assert {choice.move: choice.visits for choice in drawn.choices} == {LEFT: 125, MIDDLE: 375, RIGHT: 500}
    assert {choice.value for choice in drawn.choices} == {60.0}


def test_a_drawn_move_says_its_probability() -> None:
    assert str(draw_move((LEFT,), [1.0], 50.0, seed=0)) == "left with probability 1.000"


def test_only_a_clock_of_the_caller_gives_seconds_to_prepare() -> None:
    assert preparing_seconds(Budget(seconds=2.0)) == 0.5
    assert preparing_seconds(Budget(seconds=2.0, playouts=10)) is None
    assert preparing_seconds(Budget(seconds=2.0, nodes=10)) is None
    assert preparing_seconds(Budget(playouts=10)) is None


def test_a_history_has_every_step_or_there_is_none() -> None:
    game = load_game("monty_hall")
    worlds = worlds_for(game, game.role("candidate"))
    choose = parse_term("(choose 1)")
    assert told_history(worlds) == ()
    worlds.update(choose, [])
    assert told_history(worlds) == ((choose, frozenset()),)
    worlds.update(None, None)
    with pytest.raises(NoAdviceError, match="not all steps were told"):
        told_history(worlds)
