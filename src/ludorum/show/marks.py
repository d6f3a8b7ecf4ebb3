"""Short marks for contents of a board: a letter where letters differ, and always the same in one game."""

from __future__ import annotations

import re
from collections.abc import Iterable

_EMPTY = frozenset({"b", "blank", "empty", "e", "none", "clear"})
_SHORT = frozenset({"b", "e"})
_WHITE = frozenset({"w", "white"})

KNIGHT = {"knight": "n"}
"""Chess players write N, because K is the king."""


def empty_contents(contents: Iterable[str]) -> frozenset[str]:
    """Contents drawn as a dot; a short one such as ``b`` only where it cannot be black beside white."""
    found = _EMPTY.intersection(contents)
    if found - _SHORT or _WHITE.intersection(contents):
        return found - _SHORT
    return found


def make_marks(contents: list[str], others: Iterable[str] = ()) -> dict[str, str]:
    """A mark of one to three signs for each content; all are different, and ``others`` choose last."""
    marks = _board_marks(contents)
    for content in others:
        marks.setdefault(content, _free_mark(content, set(marks.values())))
    return marks


def _board_marks(contents: list[str]) -> dict[str, str]:
    empty = empty_contents(contents)
    marks = {content: "." for content in contents if content in empty}
    full = [content for content in contents if content not in empty]
    for scheme in (_first_letters, _sides_by_case, _two_letters):
        proposed = scheme(full)
        if proposed and len(set(proposed.values())) == len(full):
            return marks | proposed
    taken: set[str] = set()
    for content in full:
        marks[content] = _free_mark(content, taken)
        taken.add(marks[content])
    return marks


def _first_letters(contents: list[str]) -> dict[str, str]:
    if all(content.isdigit() for content in contents):
        return {content: content for content in contents}
    return {content: content if len(content) == 1 else content[0].upper() for content in contents}


def _words(content: str) -> list[str]:
    return [word for word in re.split(r"[\s_]+", content) if word]


def _sides_by_case(contents: list[str]) -> dict[str, str]:
    """Pieces of two sides: capitals for one, small letters for the other, as chess players write them."""
    split = [_words(content) for content in contents]
    if not split or any(len(words) != 2 for words in split):
        return {}
    for side in (0, 1):
        sides = sorted({words[side] for words in split})
        if len(sides) == 2:
            capital = sides[1]  # white after black
            letters = {words[1 - side]: KNIGHT.get(words[1 - side], words[1 - side][0]) for words in split}
            return {
                content: letters[words[1 - side]].upper()
                if words[side] == capital
                else letters[words[1 - side]]
                for content, words in zip(contents, split, strict=True)
            }
    return {}


def _two_letters(contents: list[str]) -> dict[str, str]:
    return {
        content: "".join(word[0] for word in _words(content))[:3]
        if len(_words(content)) > 1
        else content[:2].capitalize()
        for content in contents
    }


def _free_mark(content: str, taken: set[str]) -> str:
    word = re.sub(r"[\s_]+", "", content) or "?"
    candidates = [word[0].upper(), word[0], word[:2], *(word[0] + letter for letter in word[2:]), word[:3]]
    candidates += [f"{word[0]}{number}" for number in range(1, 1000)]
    return next(candidate for candidate in candidates if candidate not in taken)
