"""Matrix games, solved exactly: what the row player gets for certain, and how both should mix.

The simplex method on fractions, with Bland's rule, which cannot go in circles: slow for large matrices, and
right for every one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Matrix = Sequence[Sequence[Fraction | int]]


@dataclass(frozen=True)
class MatrixSolution:
    """Optimal play of a matrix game, in which the row player maximises and the column player minimises."""

    value: Fraction
    rows: tuple[Fraction, ...]
    """How likely each row is; they add up to 1."""
    columns: tuple[Fraction, ...]


def solve_matrix(matrix: Matrix) -> MatrixSolution:
    """The value of a matrix game and a best mixture for each side."""
    if not matrix or not matrix[0]:
        raise ValueError("a matrix game needs a row and a column at least")
    shift = 1 - min(min(row) for row in matrix)
    table = [[Fraction(entry) + shift for entry in row] for row in matrix]
    columns, duals, total = _maximise(table)
    value = 1 / total
    return MatrixSolution(
        value - shift,
        tuple(weight * value for weight in duals),
        tuple(weight * value for weight in columns),
    )


def _maximise(table: list[list[Fraction]]) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """The largest sum of y >= 0 with A y <= 1, that y, and the dual prices of the rows; all A > 0."""
    height, width = len(table), len(table[0])
    rows = [
        [*row, *(Fraction(at == other) for other in range(height)), Fraction(1)]
        for at, row in enumerate(table)
    ]
    costs = [Fraction(-1)] * width + [Fraction(0)] * (height + 1)
    basis = list(range(width, width + height))
    while True:
        entering = next((at for at in range(width + height) if costs[at] < 0), None)
        if entering is None:
            break
        # Bland: of the tightest rows the one whose variable has the least number.
        _, _, leaving = min(
            (rows[at][-1] / rows[at][entering], basis[at], at)
            for at in range(height)
            if rows[at][entering] > 0
        )
        _pivot(rows, costs, leaving, entering)
        basis[leaving] = entering
    found = [Fraction(0)] * (width + height)
    for at, variable in enumerate(basis):
        found[variable] = rows[at][-1]
    return found[:width], costs[width : width + height], costs[-1]


def _pivot(rows: list[list[Fraction]], costs: list[Fraction], row: int, column: int) -> None:
    scale = rows[row][column]
    rows[row] = [entry / scale for entry in rows[row]]
    for other in (*(each for at, each in enumerate(rows) if at != row), costs):
        factor = other[column]
        if factor:
            other[:] = [entry - factor * pivot for entry, pivot in zip(other, rows[row], strict=True)]
