"""The moves of a circuit are made when they are asked for, and found by role and term."""

import pickle

import numpy as np
import pytest

from ludorum.asp.ground_terms import pack_terms
from ludorum.engine.moves import Moves
from ludorum.rules.terms import Term

A, B, C = Term("a"), Term("b"), Term("go", (Term("a"), Term("1")))


def some_moves() -> Moves:
    return Moves(np.array([0, 0, 1, 1], np.int32), pack_terms([A, B, B, C]))


def test_moves_are_pairs_of_role_and_term() -> None:
    moves = some_moves()
    assert moves[3] == (1, C)
    assert moves[-4] == (0, A)
    assert list(moves) == [(0, A), (0, B), (1, B), (1, C)]
    assert moves[1:3] == [(0, B), (1, B)]
    with pytest.raises(IndexError):
        moves[4]


def test_numbers_are_found_before_and_after_moves_are_made() -> None:
    moves = some_moves()
    assert moves[2] == (1, B)
    assert moves.number(1, B) == 2
    assert moves.number(0, B) == 1
    assert moves.number(0, C) == -1


def test_moves_travel_as_arrays() -> None:
    again = pickle.loads(pickle.dumps(some_moves()))
    assert list(again) == list(some_moves())
    assert again.number(1, C) == 3
