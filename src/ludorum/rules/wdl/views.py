"""What each player is told of a move: ``(visible player expression)`` is there for that player alone."""

from __future__ import annotations

from collections.abc import Iterator

from ..terms import Pattern, Term
from .statements import VISIBLE

NOTHING = Term("nil")
"""What is told of a move of which nothing is left."""


def seen_move(move: Term, role: Term) -> Term:
    """A resolved move as a role is told of it.

    >>> from ludorum.rules.kif import parse_term
    >>> move = parse_term("(get (visible ann ace) (visible bob two))")
    >>> [str(seen_move(move, parse_term(role))) for role in ("ann", "bob", "cat")]
    ['(get ace)', '(get two)', 'get']
    """
    found = tuple(_parts(move, role))
    return found[0] if found else NOTHING


def whole_move(move: Term) -> Term:
    """A resolved move with all that is in it: what the rules mean by ``does``."""
    found = bare(move)
    assert isinstance(found, Term)
    return found


def bare(pattern: Pattern) -> Pattern:
    """A pattern without its ``visible``, as the one who knows everything reads it."""
    if not isinstance(pattern, Term):
        return pattern
    if pattern.signature == (VISIBLE, 2):
        return bare(pattern.args[1])
    return Term(pattern.name, tuple(map(bare, pattern.args)))


def _parts(term: Pattern, role: Term) -> Iterator[Term]:
    assert isinstance(term, Term)
    if term.signature == (VISIBLE, 2):
        if term.args[0] is role:
            yield from _parts(term.args[1], role)
    else:
        yield Term(term.name, tuple(part for arg in term.args for part in _parts(arg, role)))
