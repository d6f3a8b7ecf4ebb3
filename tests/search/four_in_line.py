"""Connect four solved exactly with bit boards: an oracle that shares nothing with the engine.

A board of at most 7 columns and 6 rows is two integers: the discs of whoever is to move, and all discs. Each
column has a spare bit on top, so shifts never run from one column into the next.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ludorum._core import SplitMix64


@dataclass
class FourInLine:
    """Win (+1), draw (0) or loss (-1) of positions, by alpha-beta with a table."""

    columns: int = 7
    rows: int = 6
    table: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)

    @property
    def height(self) -> int:
        return self.rows + 1

    def bottom(self, column: int) -> int:
        return 1 << (column * self.height)

    def can_play(self, every: int, column: int) -> bool:
        return not every & (self.bottom(column) << (self.rows - 1))

    def moves(self, every: int) -> list[int]:
        """Columns that are not full, the middle ones first."""
        middle = sorted(range(self.columns), key=lambda column: abs(2 * column - self.columns + 1))
        return [column for column in middle if self.can_play(every, column)]

    def play(self, own: int, every: int, column: int) -> tuple[int, int]:
        """The board after a disc, seen by the other player."""
        return own ^ every, every | (every + self.bottom(column))

    def has_four(self, discs: int) -> bool:
        for shift in (1, self.height - 1, self.height, self.height + 1):
            pairs = discs & (discs >> shift)
            if pairs & (pairs >> (2 * shift)):
                return True
        return False

    def wins_with(self, own: int, every: int, column: int) -> bool:
        disc = (every + self.bottom(column)) & ~every
        return self.has_four(own | disc)

    def value(self, own: int, every: int, low: int = -1, high: int = 1) -> int:
        """What whoever is to move gets; no four is on the board yet."""
        moves = self.moves(every)
        if not moves:
            return 0
        if any(self.wins_with(own, every, column) for column in moves):
            return 1
        known_low, known_high = self.table.get((own, every), (-1, 1))
        low, high = max(low, known_low), min(high, known_high)
        if low >= high:
            return low if known_low >= high else high
        best = -1
        for column in moves:
            best = max(best, -self.value(*self.play(own, every, column), -high, -max(low, best)))
            if best >= high:
                break
        if best <= low:
            self.table[own, every] = (known_low, min(known_high, best))
        elif best >= high:
            self.table[own, every] = (max(known_low, best), known_high)
        else:
            self.table[own, every] = (best, best)
        return best

    def move_values(self, own: int, every: int) -> dict[int, int]:
        """What each column is worth to whoever is to move."""
        return {
            column: 1 if self.wins_with(own, every, column) else -self.value(*self.play(own, every, column))
            for column in self.moves(every)
        }


def random_line(board: FourInLine, plies: int, chance: SplitMix64) -> list[int]:
    """Columns of random play that leaves the game open after so many discs."""
    while True:
        own, every = 0, 0
        line: list[int] = []
        while len(line) < plies:
            moves = board.moves(every)
            column = moves[chance.below(len(moves))] if moves else None
            if column is None or board.wins_with(own, every, column):
                break
            line.append(column)
            own, every = board.play(own, every, column)
        if len(line) == plies and board.moves(every):
            return line


def board_after(board: FourInLine, line: list[int]) -> tuple[int, int]:
    own, every = 0, 0
    for column in line:
        own, every = board.play(own, every, column)
    return own, every
