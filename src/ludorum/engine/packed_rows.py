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


def row_keys(rows: Packed) -> NDArray[np.uint64]:
    """A number for each row, the same for the same bytes and hardly ever for others."""
    width = -(-rows.shape[1] // 8)
    padded = np.zeros((len(rows), 8 * width), np.uint8)
    padded[:, : rows.shape[1]] = rows
    words = padded.view(np.uint64)
    keys = np.zeros(len(rows), np.uint64)
    # Column by column: numpy takes ten times as long for sums over a few words.
    for place, column in zip(GOLDEN * np.arange(1, width + 1, dtype=np.uint64), words.T, strict=True):
        keys += mixed(column + place)
    return keys


def distinct(
    keys: NDArray[np.uint64], *columns: NDArray[np.uint8] | NDArray[np.uint64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first entry of each different kind, and for each entry the place of its kind among them.

    Kinds are in the order of their ``keys``, which are the same for equal entries; entries of the same key
    are compared in all ``columns``, so that only equal ones are one kind.
    """
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    place = place.ravel()
    if len(first) == len(keys):
        return first, place
    twin = first[place]
    if all((column == column[twin]).all() for column in columns):
        return first, place
    # Different entries have met in one key, which hardly ever happens: all are told apart by their bytes.
    parts = [np.ascontiguousarray(column).view(np.uint8).reshape(len(keys), -1) for column in columns]
    _, first, place = np.unique(np.concatenate(parts, axis=1), axis=0, return_index=True, return_inverse=True)
    return first, place.ravel()


def distinct_rows(rows: Packed) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of all rows that are equal, and for each row the place of its like among them."""
    if len(rows) < 2:
        return np.arange(len(rows)), np.arange(len(rows))
    return distinct(row_keys(rows), rows)


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
    legal: NDArray[np.bool_],
    role_moves: Sequence[range],
    chance: np.random.Generator,
    weights: NDArray[np.int32] | None = None,
) -> Numbers:
    """A joint move for each row of legal flags; each role has at least one in each row.

    ``weights`` says how likely moves are beside others of their role; without it all are as likely.
    """
    columns = []
    for own in role_moves:
        if weights is not None and len(set(weights[own.start : own.stop].tolist())) > 1:
            sums = np.cumsum(
                legal[:, own.start : own.stop] * weights[own.start : own.stop].astype(np.int64), axis=1
            )
            ranks = chance.integers(sums[:, -1])
            columns.append((sums > ranks[:, None]).argmax(axis=1) + own.start)
            continue
        rows, moves = np.nonzero(legal[:, own.start : own.stop])
        counts = np.bincount(rows, minlength=len(legal))
        starts = np.cumsum(counts) - counts
        columns.append(moves[starts + (chance.random(len(legal)) * counts).astype(np.int64)] + own.start)
    return np.ascontiguousarray(np.stack(columns, axis=1).astype(np.int32))


def joint_shares(
    legal: NDArray[np.bool_],
    role_moves: Sequence[range],
    weights: NDArray[np.int32] | None,
    parents: NDArray[np.int64],
    moves: Numbers,
) -> NDArray[np.float64]:
    """How likely joint moves are in their rows: nature's by their weights, those of players evenly."""
    shares = np.ones(len(parents))
    for seat, own in enumerate(role_moves):
        each = np.ones(len(own)) if weights is None else weights[own.start : own.stop].astype(np.float64)
        totals = legal[:, own.start : own.stop] @ each
        shares *= each[moves[:, seat] - own.start] / totals[parents]
    return shares
