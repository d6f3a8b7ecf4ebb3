"""The tokens of Prolog text, in all the spellings that sheets use."""

from __future__ import annotations

import re
from typing import NamedTuple

from .source import Span
from .syntax import first_offset

PROLOG_TOKEN = re.compile(r"""
    (?P<comment>%[^\r\n]*|/\*[\s\S]*?\*/)
  | (?P<open_comment>/\*)
  | (?P<quoted>'(?:[^'\\\n]|''|\\[^\n])*')
  | (?P<word>-?[0-9][A-Za-z0-9_]*(?:\.[0-9]+)?|\w+)
  | (?P<end>\.)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<comma>,)
  | (?P<semicolon>;)
  | (?P<arrow>:-|<-|←)
  | (?P<negation>\\\+|~|¬)
  | (?P<unequal>\\==?|≠)
  | (?P<sign>[+\-*/\\^<>=:?@\#&$]+)
  | (?P<other>\S)
""", re.VERBOSE)  # fmt: skip

OPERANDS = frozenset({"quoted", "word", "sign", "open", "negation"})
"""Tokens that an operand begins with."""
JOINTS = frozenset({"comma", "semicolon", "arrow", "open", "unequal", "negation"})
"""Tokens that an operand must follow."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


def prolog_tokens(text: str) -> tuple[list[Token], Span | None]:
    """The tokens of a text without its comments, up to a comment that is never closed; where that begins."""
    tokens: list[Token] = []
    for found in PROLOG_TOKEN.finditer(text, first_offset(text)):
        kind = found.lastgroup or "other"
        if kind == "open_comment":
            return tokens, Span(*found.span())
        if kind != "comment":
            tokens.append(Token(kind, found.group(), found.start(), found.end()))
    return tokens, None
