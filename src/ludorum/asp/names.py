"""Reversible names: any GDL symbol as a clingo symbol and back.

Plain names and numbers below 2^31 stay as they are, so programs stay readable; everything else (``x-y``,
``007``, ``2147483648``, ``not``, ``+``) is escaped behind a reserved prefix. clingo would otherwise read
``x-y`` as arithmetic, wrap large numbers and reject the rest (docs: clingo guide, section on terms).
"""

from __future__ import annotations

import re
from functools import lru_cache

import clingo

from ..rules.terms import Pattern, Term, Variable

_PLAIN = re.compile(r"[a-z][a-z0-9_]*")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,9}")
_PREFIX = "x_"
_ESCAPED = re.compile(r"_([0-9a-f]+)_")

MAX_NUMBER = 2**31 - 1


def asp_symbol(name: str, functor: bool = False) -> str:
    """The clingo text of a GDL symbol; a functor (or relation) cannot be a number."""
    if not functor and _NUMBER.fullmatch(name) and int(name) <= MAX_NUMBER:
        return name
    if _PLAIN.fullmatch(name) and name != "not" and not name.startswith(_PREFIX):
        return name
    return _PREFIX + re.sub(r"[^a-z0-9]", lambda found: f"_{ord(found[0]):x}_", name)


def gdl_name(symbol: str) -> str:
    """The GDL symbol a clingo name stands for: the inverse of ``asp_symbol``."""
    if not symbol.startswith(_PREFIX):
        return symbol
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), symbol[len(_PREFIX) :])


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


# The same facts and moves come back call after call; reading them anew was half the cost of small games.
@lru_cache(maxsize=1 << 16)
def read_symbol(symbol: clingo.Symbol) -> Term:
    """The term a clingo symbol stands for."""
    if symbol.type == clingo.SymbolType.Number:
        return Term(str(symbol.number))
    return Term(gdl_name(symbol.name), tuple(read_symbol(arg) for arg in symbol.arguments))
