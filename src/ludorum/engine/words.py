"""Roles and moves as text: what a caller may write for a term, and the errors where it fits nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeAlias

from ..rules.kif import parse_term
from ..rules.source import RulesError
from ..rules.terms import Term, format_term
from .errors import GameError, IllegalMoveError

Named: TypeAlias = Term | str
"""A role or a move: the term, or its text, ``"xplayer"`` or ``"(mark 1 1)"``."""
Moves: TypeAlias = Sequence[Named] | Mapping[Term, Named] | Mapping[str, Named] | Mapping[Named, Named]
"""A joint move: one move for each role in the order of ``game.roles``, or moves by role."""

MOST_LISTED = 8
"""The most legal moves that an error lists."""
NEAR = 0.75
"""The least similarity, from 0 to 1, at which a text is suggested for another."""


def move_from(move: Named, role: Term, legal: Sequence[Term]) -> Term:
    """The given move as a term; IllegalMoveError where its text is no term."""
    if isinstance(move, Term):
        return move
    if not isinstance(move, str):
        raise IllegalMoveError(f"{move!r} is no move of {role}: write a term or its text")
    try:
        return parse_term(move)
    except RulesError as error:
        reason = error.diagnostics[0].message
        told = _told_moves(move, role, legal)
        raise IllegalMoveError(f"{move!r} is not the text of a move ({reason}){told}") from None


def illegal_move(move: Named, role: Term, legal: Sequence[Term]) -> IllegalMoveError:
    """The error for an illegal move of a role, with its legal ones."""
    text = move if isinstance(move, str) else format_term(move)
    return IllegalMoveError(f"{text} is not legal for {role}{_told_moves(text, role, legal)}")


def missing_move(role: Term, legal: Sequence[Term]) -> IllegalMoveError:
    """The error for a joint move without a move of a role that has several, or none."""
    return IllegalMoveError(f"no move for {role}{_told_moves('', role, legal)}")


def wrong_count(given: int, roles: Sequence[Term]) -> IllegalMoveError:
    """The error for a joint move that is too short or too long."""
    names = ", ".join(map(format_term, roles))
    return IllegalMoveError(f"{given} moves for {len(roles)} roles: give one for each of {names}")


def unknown_role(game: str, name: object, roles: Sequence[Term]) -> GameError:
    """The error for a name that is no role."""
    names = [format_term(role) for role in roles]
    near = nearest(str(name), names)
    hint = f"; did you mean {near}?" if near else ""
    known = f"its roles are {', '.join(names)}" if names else "its rules name no role that plays"
    return GameError(f"{game} has no role {str(name)!r}; {known}{hint}")


def nearest(text: str, known: Iterable[str]) -> str:
    """The text most similar to another; empty where none is similar enough, or several equally."""
    scores = {other: SequenceMatcher(None, text.lower(), other.lower()).ratio() for other in known}
    best = max(scores.values(), default=0.0)
    found = [other for other, score in scores.items() if score == best]
    return found[0] if len(found) == 1 and best >= NEAR else ""


def _told_moves(text: str, role: Term, legal: Sequence[Term]) -> str:
    if not legal:
        return f"; {role} has no legal move"
    names = [format_term(move) for move in legal]
    near = nearest(text, names)
    hint = f"; did you mean {near}?" if near else ""
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"; legal for {role}: {', '.join(names[:MOST_LISTED])}{more}{hint}"
