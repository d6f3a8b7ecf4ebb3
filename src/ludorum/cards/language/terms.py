"""Terms of flow charts, ``operation(add,i,1)``, ``card(any,hearts)``: the terms of all rules."""

from __future__ import annotations

from functools import lru_cache

from ...rules.terms import Pattern, Term, as_integer

ANY = Term("any")
EMPTY = Term("empty")
TRUE = Term("true")
FALSE = Term("false")
PASS = Term("pass")

COMPARISONS = {"equal": "==", "lessThan": "<", "greaterThan": ">"}
OPERATIONS = {
    "or": "|",
    "and": "&",
    "add": "+",
    "subtract": "-",
    "modulo": "%",
    "multiply": "*",
    "divide": "/",
}


@lru_cache(maxsize=4096)
def number(value: int) -> Term:
    return Term(str(value))


def card(rank: Term, suit: Term) -> Term:
    return Term("card", (rank, suit))


@lru_cache(maxsize=64)
def player(index: int) -> Term:
    return Term("player", (number(index),))


def operation(name: str, left: Pattern, right: Pattern) -> Term:
    return Term("operation", (Term(name), left, right))


def string(text: str) -> Term:
    """A text inside a chart; the quotation marks tell it from a name."""
    return Term(f'"{text}"')


def is_string(term: Pattern) -> bool:
    return isinstance(term, Term) and not term.args and term.name.startswith('"')


def text_of(term: Term) -> str:
    """The text a string term holds."""
    return term.name[1:-1]


def truth(holds: bool) -> Term:
    return TRUE if holds else FALSE


def player_number(term: Pattern) -> int | None:
    """N of ``player(N)``; None for everything else."""
    if isinstance(term, Term) and term.name == "player" and len(term.args) == 1:
        return as_integer(term.args[0])
    return None


def is_card(term: Pattern) -> bool:
    return isinstance(term, Term) and term.name == "card" and len(term.args) == 2


def subterms(term: Pattern) -> list[Term]:
    """A term and all terms inside it, from the outside to the inside."""
    found = [term] if isinstance(term, Term) else []
    for inner in found:
        found.extend(arg for arg in inner.args if isinstance(arg, Term))
    return found


DEEPEST = 60
"""Most nested brackets: more than charts need, and few enough for functions that recurse over terms."""


def is_too_deep(term: Pattern) -> bool:
    """Whether a term has more nested brackets than are read."""
    level = [term]
    for _ in range(DEEPEST):
        level = [arg for one in level if isinstance(one, Term) for arg in one.args]
        if not level:
            return False
    return True


def format_term(term: Pattern, blank: str = "") -> str:
    """A term as compiled charts write it; ``blank`` follows every comma."""
    if not isinstance(term, Term) or not term.args:
        return str(term) if not isinstance(term, Term) else term.name
    return f"{term.name}({f',{blank}'.join(format_term(arg, blank) for arg in term.args)})"


__all__ = [
    "ANY",
    "COMPARISONS",
    "DEEPEST",
    "EMPTY",
    "FALSE",
    "OPERATIONS",
    "PASS",
    "TRUE",
    "Term",
    "as_integer",
    "card",
    "format_term",
    "is_card",
    "is_string",
    "is_too_deep",
    "number",
    "operation",
    "player",
    "player_number",
    "string",
    "subterms",
    "text_of",
    "truth",
]
