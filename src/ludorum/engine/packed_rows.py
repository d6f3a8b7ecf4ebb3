"""Many packed states at once: keys that tell them apart, what each role has seen of them, random moves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .circuit import Circuit
from .simulator import Numbers, Packed

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The words with their bits mixed, each to another one (the finalizer of SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * _MIX[0]
    words = (words ^ (words >> np.uint64(27))) * _MIX[1]
    return words ^ (words >> np.uint64(31))


def row_words(rows: Packed) -> NDArray[np.uint64]:
    """The rows as words of 64 bits, filled up with zeros."""
    width = -(-rows.shape[1] // 8)
    padded = np.zeros((len(rows), 8 * width), np.uint8)
    padded[:, : rows.shape[1]] = rows
    return padded.view(np.uint64)


def row_keys(rows: Packed) -> NDArray[np.uint64]:
    """A number for each row, the same for the same bytes and hardly ever for others."""
    return word_keys(row_words(rows))


def word_keys(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same for rows of words."""
    keys = np.zeros(len(words), np.uint64)
    # Column by column: numpy takes ten times as long for sums over a few words.
    for place, column in zip(
        GOLDEN * np.arange(1, words.shape[1] + 1, dtype=np.uint64), words.T, strict=True
    ):
        keys += mixed(column + place)
    return keys


def first_of_each(rows: Packed) -> NDArray[np.int64]:
    """The first of every set of equal rows, in their order."""
    words = row_words(rows)
    return first_of_words(words, word_keys(words))


def first_of_words(words: NDArray[np.uint64], keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The same for rows of words with a key each. Rows of one key are compared: keys make this fast only."""
    if len(words) < 2 or not words.shape[1]:
        return np.arange(min(len(words), 1))
    order = np.argsort(keys)
    ordered, keys = words[order], keys[order]
    new = np.ones(len(words), np.bool_)
    np.logical_or.reduce([column[1:] != column[:-1] for column in ordered.T], out=new[1:])
    if np.array_equal(new[1:], keys[1:] != keys[:-1]):
        return np.sort(np.minimum.reduceat(order, np.flatnonzero(new)))
    return np.sort(np.unique(words, axis=0, return_index=True)[1])  # different rows have one key


def sees_masks(circuit: Circuit) -> list[Packed]:
    """By role: the bits of ``circuit.sees`` that belong to it."""
    return [
        np.packbits(np.array([whose == seat for whose, _, _ in circuit.sees], bool), bitorder="little")
        for seat in range(len(circuit.roles))
    ]


def seen_after(views: NDArray[np.uint64], moves: Numbers, percepts: Sequence[Packed]) -> NDArray[np.uint64]:
    """What each role has seen after one more step: its own move, and its percepts as rows of bits."""
    columns = [
        mixed(views[:, role] * GOLDEN + moves[:, role].astype(np.uint64) + np.uint64(1)) + row_keys(own)
        for role, own in enumerate(percepts)
    ]
    return np.stack(columns, axis=1)


def random_moves(
    legal: NDArray[np.bool_], role_moves: Sequence[range], chance: np.random.Generator
) -> Numbers:
    """A joint move for each row of legal flags, every move of a role as likely; each has at least one."""
    columns = []
    for own in role_moves:
        rows, moves = np.nonzero(legal[:, own.start : own.stop])
        counts = np.bincount(rows, minlength=len(legal))
        starts = np.cumsum(counts) - counts
        columns.append(moves[starts + (chance.random(len(legal)) * counts).astype(np.int64)] + own.start)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))
