"""Packed states in numbers: equal rows are found, whatever their keys are."""

from __future__ import annotations

import numpy as np
import pytest

from ludorum.engine.packed_rows import first_of_each, first_of_words, row_keys, row_words


def some_rows(width: int, kinds: int) -> np.ndarray:
    chance = np.random.default_rng(width)
    return chance.integers(0, 256, (kinds, width), dtype=np.uint8)[chance.integers(0, kinds, 500)]


def first_by_set(rows: np.ndarray) -> list[int]:
    found: dict[bytes, int] = {}
    for at, row in enumerate(rows):
        found.setdefault(row.tobytes(), at)
    return list(found.values())


@pytest.mark.parametrize("width", [1, 7, 8, 9, 40])
def test_the_first_of_equal_rows_is_found(width: int) -> None:
    for kinds in (1, 20, 400):
        rows = some_rows(width, kinds)
        assert first_of_each(rows).tolist() == first_by_set(rows)


def test_different_rows_may_have_one_key() -> None:
    rows = some_rows(12, 100)
    words = row_words(rows)
    for keys in (np.zeros(len(words), np.uint64), words[:, 0] % np.uint64(3)):
        assert first_of_words(words, keys).tolist() == first_by_set(rows)


@pytest.mark.parametrize(("count", "width"), [(0, 8), (1, 8), (1, 0), (5, 0)])
def test_no_rows_or_empty_rows_are_no_special_case(count: int, width: int) -> None:
    rows = np.zeros((count, width), np.uint8)
    assert first_of_each(rows).tolist() == [0][:count]
    assert len(row_keys(rows)) == count
