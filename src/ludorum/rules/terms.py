"""Terms: the one value that moves, facts, percepts and rule patterns are made of.

A term is a symbol applied to arguments, ``Term("mark", (Term("1"), Term("2")))``; a constant has no
arguments, and GDL's ``(x)`` is the constant ``x``. Numbers are symbols too: GDL has no arithmetic.
Terms and variables are interned, so equality is identity and hashing is free.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import ClassVar, TypeAlias
from weakref import WeakValueDictionary

# Re-entrant: a garbage collection inside the locked section may run code that makes terms.
_lock = threading.RLock()


class Variable:
    """A variable of a rule, written ``?name`` in KIF; ``name`` is kept without the question mark."""

    __slots__ = ("__weakref__", "name")
    name: str
    _table: ClassVar[WeakValueDictionary[str, Variable]] = WeakValueDictionary()

    def __new__(cls, name: str) -> Variable:
        with _lock:
            known = cls._table.get(name)
            if known is None:
                known = object.__new__(cls)
                object.__setattr__(known, "name", name)
                cls._table[name] = known
            return known

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError("variables are immutable")

    def __reduce__(self) -> tuple[type[Variable], tuple[str]]:
        return (Variable, (self.name,))

    def __str__(self) -> str:
        return f"?{self.name}"

    def __repr__(self) -> str:
        return f"Variable({self.name!r})"

    @property
    def is_ground(self) -> bool:
        return False


class Term:
    """A symbol applied to arguments. ``str(term)`` is its KIF text; ``parse_term`` reads it back."""

    __slots__ = ("__weakref__", "args", "is_ground", "name")
    name: str
    args: tuple[Pattern, ...]
    is_ground: bool
    _table: ClassVar[WeakValueDictionary[tuple[str, tuple[Pattern, ...]], Term]] = WeakValueDictionary()

    def __new__(cls, name: str, args: tuple[Pattern, ...] = ()) -> Term:
        key = (name, args)
        with _lock:
            known = cls._table.get(key)
            if known is None:
                known = object.__new__(cls)
                object.__setattr__(known, "name", name)
                object.__setattr__(known, "args", args)
                object.__setattr__(known, "is_ground", all(arg.is_ground for arg in args))
                cls._table[key] = known
            return known

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError("terms are immutable")

    def __reduce__(self) -> tuple[type[Term], tuple[str, tuple[Pattern, ...]]]:
        return (Term, (self.name, self.args))

    @property
    def arity(self) -> int:
        return len(self.args)

    @property
    def signature(self) -> Signature:
        """Name and number of arguments: what tells one relation or function from another."""
        return (self.name, len(self.args))

    def __str__(self) -> str:
        return format_term(self)

    def __repr__(self) -> str:
        return f"Term({str(self)!r})" if not self.args else f"parse_term({str(self)!r})"

    def __lt__(self, other: Term) -> bool:
        return sort_key(self) < sort_key(other)


Pattern: TypeAlias = Term | Variable
"""What stands in a rule: a term that may contain variables, or a variable."""

Signature: TypeAlias = tuple[str, int]

Substitution: TypeAlias = dict[Variable, Pattern]

_PLAIN = re.compile(r"[^\s();|?][^\s();]*")
_INTEGER = re.compile(r"0|-?[1-9][0-9]*")


def as_integer(term: Pattern) -> int | None:
    """The number a constant writes in canonical decimal form, or None. Used for goal values and sorting."""
    if isinstance(term, Term) and not term.args and len(term.name) < 20 and _INTEGER.fullmatch(term.name):
        return int(term.name)
    return None


def sort_key(term: Pattern) -> tuple[object, ...]:
    """A total order people expect: numbers by value, then symbols, then compounds by name and arguments."""
    if isinstance(term, Variable):
        return (3, term.name)
    if term.args:
        return (2, term.name, len(term.args), tuple(sort_key(arg) for arg in term.args))
    number = as_integer(term)
    return (1, term.name) if number is None else (0, number)


def format_symbol(name: str) -> str:
    """A symbol as KIF text, between bars where it would otherwise be read as something else."""
    if _PLAIN.fullmatch(name) and name == name.lower():
        return name
    return "|" + re.sub(r"([|\\])", r"\\\1", name).replace("\n", "\\n") + "|"


def format_term(pattern: Pattern) -> str:
    if isinstance(pattern, Variable):
        return f"?{pattern.name}"
    if not pattern.args:
        return format_symbol(pattern.name)
    return f"({format_symbol(pattern.name)} {' '.join(map(format_term, pattern.args))})"


def variables_of(pattern: Pattern) -> Iterator[Variable]:
    """The variables of a pattern from left to right, with repetitions."""
    if isinstance(pattern, Variable):
        yield pattern
    elif not pattern.is_ground:
        for arg in pattern.args:
            yield from variables_of(arg)


def substitute(pattern: Pattern, values: Substitution) -> Pattern:
    """The pattern with its variables replaced as ``values`` says; others stay."""
    if isinstance(pattern, Variable):
        return values.get(pattern, pattern)
    if pattern.is_ground:
        return pattern
    return Term(pattern.name, tuple(substitute(arg, values) for arg in pattern.args))


def match(pattern: Pattern, ground: Pattern, values: Substitution) -> Substitution | None:
    """Values of the pattern's variables that make it equal to the ground term, extending ``values``."""
    if isinstance(pattern, Variable):
        bound = values.get(pattern)
        if bound is None:
            return {**values, pattern: ground}
        return values if bound is ground else None
    if pattern.is_ground:
        return values if pattern is ground else None
    if not isinstance(ground, Term) or pattern.signature != ground.signature:
        return None
    for one, other in zip(pattern.args, ground.args, strict=True):
        found = match(one, other, values)
        if found is None:
            return None
        values = found
    return values


def depth_of(pattern: Pattern) -> int:
    """Nesting of functions: 0 for constants and variables."""
    if isinstance(pattern, Variable) or not pattern.args:
        return 0
    return 1 + max(depth_of(arg) for arg in pattern.args)
