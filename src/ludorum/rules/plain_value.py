"""Fast pickling for the small values of rules, many of which are sent to child processes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import Any

_READERS: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}


class PlainValue:
    """A dataclass of two or more fields, pickled by its fields in half the time of other dataclasses."""

    __slots__ = ()

    def __reduce__(self) -> tuple[type[Any], tuple[Any, ...]]:
        kind: type[Any] = type(self)
        if kind not in _READERS:
            _READERS[kind] = attrgetter(*(field.name for field in fields(kind)))
        return kind, _READERS[kind](self)
