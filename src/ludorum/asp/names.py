"""Reversible names: any GDL symbol as a clingo symbol and back.

Every name of a sheet gets a prefix that no name of the programs themselves has, so that a constant ``t`` is
never taken for a parameter ``t``: ``c_`` before words of small letters, digits and ``_``, ``x_`` before all
else (``x-y``, ``+``), whose other characters are escaped. Relations have ``p_`` and ``q_`` in the same way,
and their arity behind, so that ``(line ?x)`` with a stamp is not ``(line ?x ?y)``. Numbers below 2^31 stay
numbers; clingo would wrap larger ones.
"""

from __future__ import annotations

import re
from functools import lru_cache

import clingo

from ..rules.terms import Pattern, Term, Variable

_WORD = re.compile(r"[a-z0-9_]+")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_ESCAPED = re.compile(r"_([0-9a-f]+)_")

WORD, OTHER = "c_", "x_"
"""Prefixes of constants and functions, by whether the rest is the name itself or escaped."""
RELATION_WORD, RELATION_OTHER = "p_", "q_"
"""Those of relations."""
SHEET_PREFIXES = (WORD, OTHER, RELATION_WORD, RELATION_OTHER)
"""The prefixes of names of sheets; names of the programs themselves have none of them."""

MAX_NUMBER = 2**31 - 1


def asp_symbol(name: str, functor: bool = False) -> str:
    """The clingo text of a GDL symbol; a functor cannot be a number."""
    if not functor and _NUMBER.fullmatch(name) and int(name) <= MAX_NUMBER:
        return name
    return _prefixed(name, WORD, OTHER)


def asp_relation(name: str, arity: int) -> str:
    """The clingo predicate of a GDL relation; a stamp that is added to it does not change its name."""
    return f"{_prefixed(name, RELATION_WORD, RELATION_OTHER)}_{arity}"


def _prefixed(name: str, word: str, other: str) -> str:
    if _WORD.fullmatch(name):
        return word + name
    return other + re.sub(r"[^a-z0-9]", lambda found: f"_{ord(found[0]):x}_", name)


def gdl_name(symbol: str) -> str:
    """The GDL symbol a clingo name stands for: the inverse of ``asp_symbol``; ValueError for other names."""
    if symbol.startswith(WORD):
        return symbol[len(WORD) :]
    if symbol.startswith(OTHER):
        return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), symbol[len(OTHER) :])
    if _NUMBER.fullmatch(symbol):
        return symbol
    raise ValueError(f"{symbol} is no name of a sheet: those begin with {WORD} or {OTHER}")


def asp_term(pattern: Pattern, variables: dict[Variable, str] | None = None) -> str:
    """The clingo text of a term; variables are named V0, V1, ... in ``variables`` as they are met."""
    if isinstance(pattern, Variable):
        if variables is None:
            raise ValueError(f"{pattern} in a term that must be ground")
        return variables.setdefault(pattern, f"V{len(variables)}")
    if not pattern.args:
        return asp_symbol(pattern.name)
    args = ",".join(asp_term(arg, variables) for arg in pattern.args)
    return f"{asp_symbol(pattern.name, functor=True)}({args})"


# The same facts and moves recur in every call; reading them anew was half the cost of small games.
@lru_cache(maxsize=1 << 16)
def read_symbol(symbol: clingo.Symbol) -> Term:
    """The term a clingo symbol stands for."""
    if symbol.type == clingo.SymbolType.Number:
        return Term(str(symbol.number))
    return Term(gdl_name(symbol.name), tuple(read_symbol(arg) for arg in symbol.arguments))
