"""Which names are one slip of the hand apart: a letter too many, too few, wrong, or two swapped."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 4
"""Letters of the names that are compared: nearly all short names are near another."""
LEAST_BEGINNING = 3
"""The least letters that count as the beginning of a longer name."""
LETTERS_A_SLIP = 4
"""Letters of a typed name for each slip that it may have."""


def suggestion(name: str, names: Iterable[str]) -> str:
    """``did you mean A or B?`` with at most three names that are near; empty where none is.

    >>> suggestion("conect-four", ["connect_four", "chess"])
    'did you mean connect_four?'
    """
    near = near_words(name, names)[:3]
    return f"did you mean {' or '.join(near)}?" if near else ""


def near_words(name: str, names: Iterable[str]) -> list[str]:
    """The names that a typed one may mean, nearest first: a slip for every four letters, or its beginning.

    Large and small letters are the same, and so are words joined by ``_``, ``-`` or nothing.
    """
    typed = _plain(name)
    most = (len(typed) + 1) // LETTERS_A_SLIP
    found = []
    for other in dict.fromkeys(names):
        plain = _plain(other)
        slips = _slips(typed, plain) if abs(len(typed) - len(plain)) <= most else most + 1
        if slips <= most:
            found.append((slips, other))
        elif len(typed) >= LEAST_BEGINNING and plain.startswith(typed):
            found.append((most + 1, other))
    return [other for _, other in sorted(found, key=lambda one: one[0])]


def _plain(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter not in "_- ")


def _slips(one: str, other: str) -> int:
    """Letters too many, too few, wrong, and pairs that are swapped, between two names."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, mine in enumerate(one, start=1):
        last, before, row = before, row, [at]
        for to, its in enumerate(other, start=1):
            least = min(before[to] + 1, row[to - 1] + 1, before[to - 1] + (mine != its))
            if at > 1 and to > 1 and mine == other[to - 2] and one[at - 2] == its:
                least = min(least, last[to - 2] + 1)
            row.append(least)
    return row[-1]


class NearNames:
    """An index of names that finds those one slip away from another.

    A name is filed under itself and under itself without each of its letters, so that a look-up takes as
    long as the name is, however many names there are.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._filed: dict[str, list[str]] = {}
        for name in dict.fromkeys(names):
            if _is_word(name):
                for part in _shortened(name):
                    self._filed.setdefault(part, []).append(name)

    def near(self, name: str) -> list[str]:
        """The names one slip away, in the order in which they were given; not the name itself."""
        if not _is_word(name):
            return []
        found = dict.fromkeys(other for part in _shortened(name) for other in self._filed.get(part, ()))
        return [other for other in found if is_slip(name, other)]


def is_slip(one: str, other: str) -> bool:
    """Whether two names differ by one slip; a number or a plural `s` more is a name of its own."""
    if one == other:
        return False
    begin = 0
    while begin < min(len(one), len(other)) and one[begin] == other[begin]:
        begin += 1
    end = 0
    while end < min(len(one), len(other)) - begin and one[-1 - end] == other[-1 - end]:
        end += 1
    mine, its = one[begin : len(one) - end], other[begin : len(other) - end]
    if len(mine) == len(its) == 2:
        return mine == its[::-1]
    if max(len(mine), len(its)) > 1 or not all(letter.isalpha() for letter in mine + its):
        return False
    return not (mine + its == "s" and end == 0)


def _is_word(name: str) -> bool:
    return SHORTEST <= len(name) <= 60


def _shortened(name: str) -> list[str]:
    return [name, *dict.fromkeys(name[:at] + name[at + 1 :] for at in range(len(name)))]
