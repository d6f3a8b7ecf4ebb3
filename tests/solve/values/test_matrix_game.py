"""Matrix games: values and mixtures that no other play can improve on."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludorum.solve.values.matrix_game import solve_matrix

matrices = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-5, 5), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@given(matrices)
def test_neither_side_can_do_better(matrix: list[list[int]]) -> None:
    found = solve_matrix(matrix)
    assert sum(found.rows) == sum(found.columns) == 1
    assert min((*found.rows, *found.columns)) >= 0
    against_columns = [
        sum(weight * row[at] for weight, row in zip(found.rows, matrix, strict=True))
        for at in range(len(matrix[0]))
    ]
    against_rows = [
        sum(weight * entry for weight, entry in zip(found.columns, row, strict=True)) for row in matrix
    ]
    assert min(against_columns) == max(against_rows) == found.value


def test_known_games() -> None:
    hands = solve_matrix([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert hands.value == 0
    assert hands.rows == hands.columns == (Fraction(1, 3),) * 3
    pennies = solve_matrix([[100, 0], [0, 50]])
    assert pennies.value == Fraction(100, 3)
    assert pennies.rows == (Fraction(1, 3), Fraction(2, 3))
    assert solve_matrix([[3]]).value == 3


def test_nothing_is_no_game() -> None:
    with pytest.raises(ValueError, match="row"):
        solve_matrix([])
