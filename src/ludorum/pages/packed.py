"""JSON values with each part that occurs again written once, so that hundreds of similar scenes are small."""

from __future__ import annotations

import re

Packed = list[object]
"""Every part of a value, each before those that contain it. A list is the numbers of its parts. An object is
a list, too: -1 less the number of the list of its names, and then the numbers of its values. A text of
several sentences is ``{"text": number}``, of the list of its sentences. The last part is the whole value."""

_ENDS = re.compile(r"(?s)(?<=[.;] )(?=.)")


def packed(value: object) -> Packed:
    """A JSON value as a list of its parts.

    >>> packed([["a", 7], ["a", 7]])
    ['a', 7, [0, 1], [2, 2]]
    >>> packed({"a": 7})
    ['a', [0], 7, [-2, 2]]
    >>> packed("One. Two.")
    ['One. ', 'Two.', [0, 1], {'text': 2}]
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
        if isinstance(part, dict):
            members = [-1 - number(list(part)), *map(number, part.values())]
        elif isinstance(part, list | tuple):
            members = list(map(number, part))
        elif isinstance(part, str) and len(sentences := _ENDS.split(part)) > 1:
            text = number(sentences)
            return ("text", text), {"text": text}
        else:
            return (type(part), str(part)), part
        return tuple(members), members

    number(value)
    return parts


def unpacked(parts: Packed) -> object:
    """The twin of ``packed``; scripts of pages do the same."""
    values: list[object] = []
    for part in parts:
        if isinstance(part, dict):
            values.append("".join(_strings(values[part["text"]])))
        elif isinstance(part, list) and part and part[0] < 0:
            names = _strings(values[-1 - part[0]])
            values.append({name: values[at] for name, at in zip(names, part[1:], strict=True)})
        elif isinstance(part, list):
            values.append([values[at] for at in part])
        else:
            values.append(part)
    return values[-1]


def _strings(value: object) -> list[str]:
    assert isinstance(value, list)
    return value
