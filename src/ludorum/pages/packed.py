"""JSON values with each part that occurs again written once, so that hundreds of similar scenes are small."""

from __future__ import annotations

import re

Packed = list[object]
"""Every part of a value, each before those that contain it: numbers, short texts, and lists and objects of
the numbers of their parts. Longer texts are objects with one nameless field, the list of their sentences. The
last part is the whole value."""
SENTENCES = ""

_ENDS = re.compile(r"(?s)(?<=[.;] )(?=.)")


def packed(value: object) -> Packed:
    """A JSON value as a list of its parts. No object in it may have a nameless field.

    >>> packed([["a", 7], ["a", 7]])
    ['a', 7, [0, 1], [2, 2]]
    >>> packed("One. Two.")
    ['One. ', 'Two.', [0, 1], {'': 2}]
    """
    parts: Packed = []
    numbers: dict[object, int] = {}

    def number(part: object) -> int:
        key, found = keyed(part)
        if key not in numbers:
            numbers[key] = len(parts)
            parts.append(found)
        return numbers[key]

    def keyed(part: object) -> tuple[object, object]:
        if isinstance(part, str) and len(sentences := _ENDS.split(part)) > 1:
            part = {SENTENCES: sentences}
        if isinstance(part, dict):
            fields = {str(name): number(one) for name, one in part.items()}
            return (dict, tuple(fields.items())), fields
        if isinstance(part, list | tuple):
            members = [number(one) for one in part]
            return (list, tuple(members)), members
        return (type(part), str(part)), part

    number(value)
    return parts


def unpacked(parts: Packed) -> object:
    """The twin of ``packed``; scripts of pages do the same."""
    values: list[object] = []
    for part in parts:
        if isinstance(part, dict):
            found: dict[str, object] = {name: values[at] for name, at in part.items()}
            sentences = found.get(SENTENCES)
            values.append("".join(map(str, sentences)) if isinstance(sentences, list) else found)
        elif isinstance(part, list):
            values.append([values[at] for at in part])
        else:
            values.append(part)
    return values[-1]
