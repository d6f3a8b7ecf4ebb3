"""Moves as people type them: parsed, found by a part of them, and suggested where a text fits none.

A text is read in four ways, and the first that fits any move decides: the move in the words of the rules,
one of its other writings (``Nf3``, ``K♥``), its arguments run together (``e2e4`` for ``(move e 2 e 4)``,
``4`` for ``(drop 4)``), a part of it. A way that fits several moves refuses and lists them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from heapq import nlargest
from typing import TypeAlias

from ...engine.errors import IllegalMoveError
from ...rules.terms import Term, format_term

Writings: TypeAlias = Callable[[Term], Sequence[str]]
"""Ways to write a move besides the words of the rules; the first is shown to people."""

NEAR = 0.5
"""How alike two moves must be, 0..1, for one to be offered in place of the other."""

_SIGNS = re.compile(r"[-–—→>:,.;/=+#!?_()]+")
"""Signs between and after places that do not matter for the move: ``e2-e4``, ``Nf3+``."""
_CAPTURE = re.compile(r"(?<=[a-zA-Z0-9])\s*[x×]\s*(?=[a-z]\d)")
"""The x of ``exd5``."""
_TOKEN = re.compile(r"\d+|[^\W\d]+|[^\w\s]")


def in_rule_words(move: Term) -> tuple[str, ...]:
    """The only writing of a move where no others are given: the words of the rules."""
    return (format_term(move),)


@lru_cache(maxsize=1 << 14)
def words_of(move: Term) -> str:
    """A move without brackets, which is how people type it: ``mark 2 2``."""
    return tidy(format_term(move))


def tidy(text: str) -> str:
    """The typed text without brackets, capitals and superfluous spaces."""
    return " ".join(text.replace("(", " ").replace(")", " ").split()).lower()


def matching_moves(text: str, legal: Sequence[Term], writings: Writings = in_rule_words) -> list[Term]:
    """The moves in which these words stand one after the other; the last word may be unfinished.

    Letters and numbers need no space between them, so that ``e2e`` finds ``(move e 2 e 4)``; a writing is
    found by its beginning.
    """
    wanted = tidy(text)
    if not wanted:
        return list(legal)
    tokens, squeezed = " " + _tokens(wanted), _squeezed(text)
    alone = " " not in text.strip()

    def fits(move: Term) -> bool:
        if " " + wanted in " " + words_of(move) or tokens in " " + _word_tokens(move):
            return True
        if alone and squeezed and _arguments(move).startswith(squeezed):
            return True
        return writings is not in_rule_words and any(
            _squeezed(one).startswith(squeezed) for one in writings(move) if squeezed
        )

    return [move for move in legal if fits(move)]


def near_moves(text: str, legal: Sequence[Term], most: int = 3) -> list[Term]:
    """Legal moves similar to the typed text, the most similar first."""
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


def read_move(text: str, legal: Sequence[Term], writings: Writings = in_rule_words) -> Term:
    """The legal move a text writes, or the only one that has it as a part.

    IllegalMoveError says why there is none, or lists the candidates.
    """
    found: list[Term] = []
    if tidy(text):
        for way in (_in_rule_words, _in_other_writings, _run_together, matching_moves):
            found = way(text, legal, writings)
            if found:
                break
    if len(found) == 1:
        return found[0]
    raise IllegalMoveError(_why_not(text.strip(), found, legal, writings))


def _in_rule_words(text: str, legal: Sequence[Term], writings: Writings) -> list[Term]:
    typed = tidy(text)
    exact = [move for move in legal if words_of(move) == typed]
    bare = " ".join(text.lower().split())
    same = [move for move in exact if format_term(move) == bare]  # (f (g a)) and (f g a)
    return same if len(exact) > 1 and len(same) == 1 else exact


def _in_other_writings(text: str, legal: Sequence[Term], writings: Writings) -> list[Term]:
    """Moves with this writing, capitals as typed if possible: ``Bc3`` is a bishop's, ``bc3`` a pawn's."""
    typed = _bare(text)
    by_case = [move for move in legal if typed in map(_bare, writings(move))]
    if by_case:
        return by_case
    return [move for move in legal if typed.lower() in (_bare(one).lower() for one in writings(move))]


def _run_together(text: str, legal: Sequence[Term], writings: Writings) -> list[Term]:
    """Moves whose arguments are these, with their spaces where that tells ``1 11`` from ``11 1``."""
    tokens = _tokens(_CAPTURE.sub("", text.lower()))
    spaced = [move for move in legal if tokens in (_word_tokens(move), _argument_tokens(move))]
    if spaced or " " in text.strip():
        return spaced
    squeezed = _squeezed(text)
    return [move for move in legal if squeezed in (_arguments(move), move.name + _arguments(move))]


def _bare(text: str) -> str:
    return _SIGNS.sub("", _CAPTURE.sub("", text)).replace(" ", "")


def _squeezed(text: str) -> str:
    return _bare(text).lower()


def _tokens(text: str) -> str:
    """The text with spaces between letters and numbers: ``e 2 e 4``."""
    return " ".join(_TOKEN.findall(_SIGNS.sub(" ", text)))


@lru_cache(maxsize=1 << 14)
def _word_tokens(move: Term) -> str:
    return _tokens(words_of(move))


@lru_cache(maxsize=1 << 14)
def _argument_tokens(move: Term) -> str:
    return _tokens(tidy(" ".join(map(str, move.args))))


def _arguments(move: Term) -> str:
    return _argument_tokens(move).replace(" ", "")


def _why_not(text: str, found: Sequence[Term], legal: Sequence[Term], writings: Writings) -> str:
    if found:
        return f"{text} may be {_listed(found, writings)}: type more of it"
    near = near_moves(text, legal)
    if near:
        return f"{text} is not legal here; did you mean {_listed(near, writings)}?"
    such = _listed(legal[:2], writings)
    return f"{text} is not legal here; there are {len(legal)} legal moves, such as {such}"


def _listed(moves: Sequence[Term], writings: Writings, most: int = 3) -> str:
    names = [writings(move)[0] for move in moves[:most]]
    if len(moves) > most:
        return ", ".join(names) + f" or {len(moves) - most} more"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
