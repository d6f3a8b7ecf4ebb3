"""How far apart two words are: letters put in, left out or changed, and neighbours swapped."""

from __future__ import annotations

from functools import lru_cache


def distance(one: str, other: str, most: int = 3) -> int:
    """The number of slips between two words, or ``most + 1`` where there are more (Damerau, Levenshtein)."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, its in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != its))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == its:
                best = min(best, above[j - 2] + 1)
            row.append(best)
    return min(row[-1], most + 1)


@lru_cache(maxsize=100_000)
def nearness(one: str, other: str) -> int | None:
    """The slips between two names, or None where they are too many to be slips of one name."""
    if one == other or len(one) == len(other) == 1 or one.isdigit() or other.isdigit():
        return None  # letters and numbers are names of their own
    slips = distance(one, other)
    shorter = min(len(one), len(other))
    # Where more than a third of the letters differ it is another name.
    if slips <= 1:
        return slips
    return slips if slips * 3 <= shorter + 1 else None
