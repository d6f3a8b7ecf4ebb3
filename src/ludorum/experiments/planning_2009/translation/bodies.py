"""Bodies of rules, with the separators of 2009.

Two pieces of code wrote bodies and failed in different places (B4): one for rules of ``legal`` and of
effects, which writes a comma too many behind a ``not``; one for all others, which forgets the comma behind a
``distinct`` and the bracket of ``(not (does ..))``. Only the first knows ``or``, and only of ``distinct``
(B5). All of this shows only where the literal is not the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from .reading import asp_text, parts


def move_bodies(literals: Sequence[str]) -> list[str]:
    """The bodies of a rule of ``legal`` or of an effect: one for each choice of disjuncts."""
    choices = [_disjuncts(literal) for literal in literals]
    return [_joined(chosen) for chosen in product(*choices)]


def plain_body(literals: Sequence[str]) -> str:
    """The body of any other rule."""
    text = ""
    for number, literal in enumerate(literals, 1):
        is_last = number == len(literals)
        written = _written(literal)
        if not is_last and literal.startswith("(not (does "):
            written = written.removesuffix(")")
        text += written
        if not is_last and not literal.startswith("(distinct "):
            text += ", "
    return text


def _joined(literals: Sequence[str]) -> str:
    text = ""
    for number, literal in enumerate(literals, 1):
        text += _written(literal)
        if number < len(literals):
            text += ",, " if literal.startswith("(not ") else ", "
    return text


def _disjuncts(literal: str) -> list[str]:
    if literal.startswith("(or "):
        _, *disjuncts = parts(literal)
        if all(disjunct.startswith("(distinct ") for disjunct in disjuncts):
            return disjuncts
    return [literal]


def _written(literal: str) -> str:
    if literal.startswith("(distinct "):
        _, *terms = parts(literal)
        # Meant were all pairs; neighbours are what was written.
        return ", ".join(f"{asp_text(left)} != {asp_text(right)}" for left, right in pairwise(terms))
    if literal.startswith("(not (does "):
        _, role, move, *_ = [*parts(parts(literal)[1]), ""]
        return f"not occurs({asp_text(move)},T,{asp_text(role)})"
    if literal.startswith("(not "):
        return f"not {_held(parts(literal)[1])}"
    return _held(literal)


def _held(literal: str) -> str:
    """Fluents, derived relations and facts all share one name space."""
    if literal.startswith("(true "):
        literal = parts(literal)[1]
    return f"holds({asp_text(literal)},T)"
