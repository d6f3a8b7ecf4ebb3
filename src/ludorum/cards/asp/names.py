"""Terms of a chart in clingo's language: the chart's own names get a prefix, so that none clash.

Words of the language of charts stay as they are, since the programs use them. Everything else is written
with ``x_`` before it, which no word of our programs has: ``not``, which clingo keeps for itself, names with a
capital, which would be variables there, and constants that a program uses for something else.
"""

from __future__ import annotations

import clingo

from ...rules.terms import Pattern
from ..language.language import ASSIGNABLE, CONSTANTS, FUNCTIONS, READ_ONLY
from ..language.terms import PASS, Term, as_integer, is_string, number, string, text_of

PREFIX = "x_"
WORDS = frozenset({*FUNCTIONS, *CONSTANTS, *READ_ONLY, *ASSIGNABLE, PASS.name})
"""Words of the language, which mean in a program what they mean in a chart."""


def asp_name(name: str) -> str:
    """A name as programs write it."""
    return name if name in WORDS else PREFIX + name


def chart_name(name: str) -> str:
    """The opposite of ``asp_name``."""
    return name.removeprefix(PREFIX)


def asp_text(term: Pattern) -> str:
    """A term as programs write it."""
    assert isinstance(term, Term)
    if is_string(term):
        text = text_of(term).replace("\\", "\\\\")
        return f'"{text}"'
    if as_integer(term) is not None:
        return term.name
    return with_arguments(asp_name(term.name), term)


def with_arguments(name: str, term: Term) -> str:
    """A name of ours with the arguments of a term of the chart's."""
    if not term.args:
        return name
    ours = [str(term.args[0])] if term.name == "operation" else []  # which operation
    return f"{name}({','.join([*ours, *map(asp_text, term.args[len(ours) :])])})"


def term_of(symbol: clingo.Symbol) -> Term:
    """A term of ours from a term of clingo's."""
    if symbol.type is clingo.SymbolType.Number:
        return number(symbol.number)
    if symbol.type is clingo.SymbolType.String:
        return string(symbol.string)
    return Term(chart_name(symbol.name), tuple(term_of(arg) for arg in symbol.arguments))
