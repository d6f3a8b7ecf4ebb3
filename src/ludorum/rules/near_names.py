"""Which names are one slip of the hand apart: a letter too many, too few, wrong, or two swapped."""

from __future__ import annotations

from collections.abc import Iterable

SHORTEST = 4
"""Letters of the names that are compared: nearly all short names are near another."""


class NearNames:
    """Some names, ready to be asked which of them are one slip away from another.

    A name is filed under itself and under itself without each of its letters, so that a question costs as
    much as the name is long, however many names there are.
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
