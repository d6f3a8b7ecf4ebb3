"""Equal rows are found by keys, and never taken for others: rows whose keys meet are compared in full."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludorum.engine.packed_rows import distinct, distinct_rows

ROWS = np.array([[3, 1], [2, 9], [3, 1], [0, 0], [2, 9], [2, 8]], np.uint8)
SAME_KEY = np.zeros(len(ROWS), np.uint64)


def kinds(first: NDArray[np.int64], place: NDArray[np.int64]) -> list[list[int]]:
    """The first row of each row's kind."""
    rows: list[list[int]] = ROWS[first[place]].tolist()
    return rows


def test_each_row_finds_the_first_of_its_like() -> None:
    first, place = distinct_rows(ROWS)
    assert sorted(first.tolist()) == [0, 1, 3, 5]
    assert kinds(first, place) == ROWS.tolist()


def test_rows_whose_keys_meet_are_told_apart() -> None:
    first, place = distinct(SAME_KEY, ROWS)
    assert sorted(first.tolist()) == [0, 1, 3, 5]
    assert kinds(first, place) == ROWS.tolist()


def test_rows_whose_keys_meet_are_told_apart_by_every_column() -> None:
    seen = np.array([[1], [1], [2], [1], [1], [1]], np.uint64)
    first, place = distinct(SAME_KEY, ROWS, seen)
    assert sorted(first.tolist()) == [0, 1, 2, 3, 5]
    assert kinds(first, place) == ROWS.tolist()
    assert seen[first[place]].tolist() == seen.tolist()


def test_there_may_be_no_rows_and_no_bytes() -> None:
    assert [part.tolist() for part in distinct_rows(ROWS[:0])] == [[], []]
    assert [part.tolist() for part in distinct_rows(ROWS[:2, :0])] == [[0], [0, 0]]
