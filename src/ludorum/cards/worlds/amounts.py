"""Numbers about hidden tokens as expression trees, evaluated by Python and by kernels.

Called with the contents of some places, a tree gives a number. ``code`` is the same in postfix for the kernel
(``_core/cards/chain.cpp``), where sets of tokens and lists of points are numbers of tables.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ..language.melds import deadwood
from ..language.terms import Term
from .passages import Contents, Tables

OPERATIONS: dict[str, Callable[..., int]] = {
    "add": lambda one, other: one + other,
    "subtract": lambda one, other: one - other,
    "least": min,
    "abs": abs,
    "is_nought": lambda one: int(one == 0),
    "not_negative": lambda one: max(0, one),
}
_WORDS = ("known", "held", "total", "deadwood", "above", *OPERATIONS)
_CODES = {word: code for code, word in enumerate(_WORDS)}
"""The same as ``Word`` in ``_core/cards/chain.hpp``."""


class Amount(Protocol):
    """A number about the tokens of some places."""

    def __call__(self, contents: Contents) -> int: ...

    def code(self, tables: Tables) -> list[int]: ...


@dataclass(frozen=True)
class KnownAmount:
    """The same number in every world."""

    value: int

    def __call__(self, contents: Contents) -> int:
        return self.value

    def code(self, tables: Tables) -> list[int]:
        return [_CODES["known"], self.value]


@dataclass(frozen=True)
class Held:
    """How many of some tokens are in a place."""

    at: int
    wanted: frozenset[int]

    def __call__(self, contents: Contents) -> int:
        return len(contents[self.at] & self.wanted)

    def code(self, tables: Tables) -> list[int]:
        return [_CODES["held"], self.at, tables.set_of(self.wanted)]


@dataclass(frozen=True)
class Total:
    """The points of the tokens in a place."""

    at: int
    points: tuple[int, ...]

    def __call__(self, contents: Contents) -> int:
        return sum(self.points[token] for token in contents[self.at])

    def code(self, tables: Tables) -> list[int]:
        return [_CODES["total"], self.at, tables.points_of(self.points)]


@dataclass(frozen=True)
class Deadwood:
    """The points of the tokens in a place that are in no meld."""

    at: int
    points: tuple[int, ...]
    names: tuple[Term, ...]

    def __call__(self, contents: Contents) -> int:
        return deadwood([(self.names[token], self.points[token]) for token in sorted(contents[self.at])])

    def code(self, tables: Tables) -> list[int]:
        return [_CODES["deadwood"], self.at, tables.points_of(self.points)]


@dataclass(frozen=True)
class Above:
    """How many tokens of a place are above the highest of some; where it has none of these, more than all."""

    at: int
    wanted: frozenset[int]

    def __call__(self, contents: Contents) -> int:
        held = contents[self.at]
        able = held & self.wanted
        if not able:
            return 1 + len(held)
        highest = max(able)
        return sum(token > highest for token in held)

    def code(self, tables: Tables) -> list[int]:
        return [_CODES["above"], self.at, tables.set_of(self.wanted)]


@dataclass(frozen=True)
class Done:
    """An operation on other amounts."""

    name: str
    parts: Sequence[Amount]

    def __call__(self, contents: Contents) -> int:
        return OPERATIONS[self.name](*(part(contents) for part in self.parts))

    def code(self, tables: Tables) -> list[int]:
        return [*(word for part in self.parts for word in part.code(tables)), _CODES[self.name]]


def done(name: str, *parts: Amount) -> Amount:
    """An operation on amounts; a constant where all of them are."""
    found = Done(name, parts)
    return KnownAmount(found(())) if all(isinstance(part, KnownAmount) for part in parts) else found
