"""Pieces of rules in messages, cut to a readable length: a sheet may hold symbols of megabytes."""

from __future__ import annotations

from collections.abc import Sequence

from .ruleset import And, Atom, Distinct, Formula, Not, Or, Rule
from .terms import Pattern, Signature, Term

MAX_QUOTED = 60


def quoted(thing: Pattern | Formula | Rule | str) -> str:
    """A term, literal, rule or name as KIF text on one line."""
    text = thing if isinstance(thing, str) else " ".join(_text(thing).split())
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 1] + "…"


def written(signature: Signature) -> str:
    """A relation or function as people write it: ``cell/3``."""
    return f"{quoted(signature[0])}/{signature[1]}"


def did_you_mean(near: Sequence[str]) -> str:
    """A question with the names that may have been meant, the first three."""
    return f"did you mean {' or '.join(map(quoted, near[:3]))}?"


def _text(thing: Pattern | Formula | Rule) -> str:
    from .ruleset import format_formula

    if isinstance(thing, (Atom, Distinct, Not, And, Or)):
        return format_formula(thing)
    return _head_of_long(thing) if isinstance(thing, Term) else str(thing)


def _head_of_long(term: Term) -> str:
    # Printing a whole term of a megabyte for its first sixty characters would be quadratic in all.
    return str(term) if len(term.args) <= MAX_QUOTED else f"({term.name} … {len(term.args)} arguments)"
