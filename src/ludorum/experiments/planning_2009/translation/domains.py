"""Domains of variables: one for each name in the whole description, as the grounder of 2009 wanted them.

Where a name stands for blocks here and for steps there, its domain is both (asp-player, section 6.6). Today's
grounders have no such declarations, so every rule is given the domain atoms of its variables instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .reading import parts

_WORD = re.compile(r"[^\s()]+")
_TRANSPARENT = frozenset({"<=", "not", "or", "and", "true", "init", "next"})
_ROLE_FIRST = frozenset({"does", "legal", "goal"})


class VariableDomains:
    """What the description declares of each variable name."""

    def __init__(self, statements: Iterable[str]) -> None:
        self._uses = [use for statement in statements for use in _uses(statement)]
        names = dict.fromkeys(word[1:] for _, _, word in self._uses if word.startswith("?"))
        self.constants = {name: self._constants(name) for name in names}
        lines = [line for name in names for line in self._declared(name)]
        self.declarations = _cleaned(lines, [name for name in names if not self.constants[name]])
        """Pairs: the name whose constants are meant, and the variable they are declared for."""

    @property
    def facts(self) -> list[str]:
        """The constants of each name that has some, as pooled facts."""
        return [f"{name}varxx({';'.join(found)})" for name, found in self.constants.items() if found]

    def atoms(self, variable: str) -> list[str]:
        """The domain atoms of a variable as the grounder writes it; several of them all apply."""
        return [f"{name}varxx({variable})" for name, owner in self.declarations if owner.upper() == variable]

    def values(self, variable: str) -> set[str] | None:
        """What a variable can be; None for a variable without declarations."""
        found = [set(self.constants[name]) for name, owner in self.declarations if owner.upper() == variable]
        return set.intersection(*found) if found else None

    def _places(self, name: str) -> set[tuple[str, int]]:
        return {(functor, place) for functor, place, word in self._uses if word == f"?{name}"}

    def _constants(self, name: str) -> list[str]:
        places = self._places(name)
        found: list[str] = []
        for functor, place, word in self._uses:
            # Whether a constant is known was looked up in the text of all found so far: 1 hides in 10 (B11).
            if (functor, place) in places and not word.startswith("?") and word not in ";".join(found):
                found.append(word)
        return found

    def _declared(self, name: str) -> list[tuple[str, str]]:
        places = self._places(name)
        met = dict.fromkeys(
            word[1:]
            for functor, place, word in self._uses
            if (functor, place) in places and word.startswith("?") and word != f"?{name}"
        )
        own = [(name, name)] if self.constants[name] else []
        return own + [(other, name) for other in met]


def _cleaned(lines: list[tuple[str, str]], without: list[str]) -> list[tuple[str, str]]:
    """Declarations by a name that has no constants go; names are told apart by first letters only (B13)."""
    letters = {name[:1] for name in without}
    return [(name, owner) for name, owner in lines if name[:1] not in letters]


def _uses(item: str) -> Iterator[tuple[str, int, str]]:
    """Functor, place and word of every argument; brackets inside a term are not seen (B10)."""
    functor, *arguments = parts(item)
    if functor == "distinct" or not item.startswith("("):
        return
    if functor in _TRANSPARENT or functor in _ROLE_FIRST:
        for place, argument in enumerate(arguments, 1):
            if argument.startswith("("):
                yield from _uses(argument)
            elif argument.startswith("?") or (functor in _ROLE_FIRST and place == 1):
                yield functor, place, argument
        return
    for place, word in enumerate(_WORD.findall(item)[1:], 1):
        yield functor, place, word
