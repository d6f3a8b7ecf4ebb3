"""Moves as people type them: read, looked for by a part of them, and what may have been meant."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest

from ...engine.errors import IllegalMoveError
from ...rules.terms import Term, format_term

NEAR = 0.5
"""How alike two moves must be, 0..1, for one to be offered in place of the other."""


@lru_cache(maxsize=1 << 14)
def words_of(move: Term) -> str:
    """A move without brackets, which is how people type it: ``mark 2 2``."""
    return tidy(format_term(move))


def tidy(text: str) -> str:
    """What was typed, without brackets, capitals and superfluous spaces."""
    return " ".join(text.replace("(", " ").replace(")", " ").split()).lower()


def matching_moves(text: str, legal: Sequence[Term]) -> list[Term]:
    """The moves in which these words stand one after the other; the last word may be unfinished."""
    wanted = " " + tidy(text)
    return [move for move in legal if wanted in " " + words_of(move)] if wanted != " " else list(legal)


def near_moves(text: str, legal: Sequence[Term], most: int = 3) -> list[Term]:
    """Legal moves that look like what was typed, the likest first."""
    matcher = SequenceMatcher(None)
    matcher.set_seq2(tidy(text).split() or [""])  # the second sequence is the one that is prepared
    letters = SequenceMatcher(None)
    letters.set_seq2(tidy(text))

    def likeness(move: Term) -> float:
        letters.set_seq1(words_of(move))
        if letters.quick_ratio() < NEAR:
            return 0.0
        matcher.set_seq1(words_of(move).split())
        return letters.ratio() + matcher.ratio() / 10  # whole words decide between equally near ones

    found = nlargest(most, ((likeness(move), -at, move) for at, move in enumerate(legal)))
    return [move for score, _, move in found if score >= NEAR]


def read_move(text: str, legal: Sequence[Term]) -> Term:
    """The legal move a text writes, with or without brackets, or by as much of it as only one move has.

    IllegalMoveError says why not, and what may have been meant.
    """
    typed = tidy(text)
    exact = [move for move in legal if words_of(move) == typed]
    if len(exact) == 1:
        return exact[0]
    if len(exact) > 1:  # brackets matter after all: (f (g a)) and (f g a)
        bare = " ".join(text.lower().split())
        same = [move for move in exact if format_term(move) == bare]
        if len(same) == 1:
            return same[0]
    found = exact or (matching_moves(typed, legal) if typed else [])
    if len(found) == 1:
        return found[0]
    raise IllegalMoveError(_why_not(text.strip(), found, legal))


def _why_not(text: str, found: Sequence[Term], legal: Sequence[Term]) -> str:
    if found:
        return f"{text} may be {_listed(found)}: type more of it"
    near = near_moves(text, legal)
    if near:
        return f"{text} is not legal here; did you mean {_listed(near)}?"
    return f"{text} is not legal here; there are {len(legal)} legal moves, such as {_listed(legal[:2])}"


def _listed(moves: Sequence[Term], most: int = 3) -> str:
    names = [format_term(move) for move in moves[:most]]
    if len(moves) > most:
        return ", ".join(names) + f" or {len(moves) - most} more"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
