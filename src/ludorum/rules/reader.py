"""Reads rules in KIF or in Prolog syntax, told apart by file name or by the text itself."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal, TypeAlias

from .kif import read_kif
from .prolog import read_prolog
from .ruleset import Ruleset
from .source import Diagnostic, RulesError, Source
from .syntax import first_offset

Language: TypeAlias = Literal["kif", "prolog"]

LANGUAGE_OF_SUFFIX: dict[str, Language] = {
    ".kif": "kif",
    ".gdl": "kif",
    ".gdl2": "kif",
    ".pl": "prolog",
    ".prolog": "prolog",
    ".lp": "prolog",
}
"""Other suffixes, ``.txt`` among them, say nothing: the text decides."""

_COMMENTS = re.compile(r"(?:\s|;[^\r\n]*|%[^\r\n]*|/\*[\s\S]*?\*/)*")
_FIRST_WORD = re.compile(r"(?:'[^'\n]*'|[^\s();.]+?)(\s*(?::-|<-|←|\.(?:\s|$))|\()")
_CLAUSE = re.compile(r"\)\s*(?::-|<-|←|\.(?:\s|$))")
_WORDS_IN_BRACKETS = re.compile(r"\(\s*[^\s(),]+\s+[^\s,)]")


def parse_rules(text: str, name: str = "<text>", language: str | None = None) -> Ruleset:
    """The rules of a text in either language; raises RulesError with every fault of form."""
    ruleset, faults = read_rules(Source(name, text), language)
    if faults:
        raise RulesError(faults)
    return ruleset


def read_rules(source: Source, language: str | None = None) -> tuple[Ruleset, list[Diagnostic]]:
    """The rules that could be read, and the faults of those that could not."""
    chosen = rule_language(source, language)
    return read_prolog(source) if chosen == "prolog" else read_kif(source)


def rule_language(source: Source, language: str | None = None) -> Language:
    """The language asked for, or that of the file's suffix, or the one the text looks like."""
    if language == "kif":
        return "kif"
    if language == "prolog":
        return "prolog"
    if language is not None:
        raise ValueError(f"no rule language {language!r}: there are kif and prolog")
    return LANGUAGE_OF_SUFFIX.get(PurePath(source.name).suffix.lower()) or _language_of_text(source.text)


def _language_of_text(text: str) -> Language:
    skipped = _COMMENTS.match(text, first_offset(text))
    start = skipped.end() if skipped else 0
    if start >= len(text):
        # Comments only: their sign tells, and nothing depends on it.
        return "prolog" if text[first_offset(text) :].lstrip()[:1] in ("%", "/") else "kif"
    if text[start] == "(":
        return "kif"
    if text.startswith(":-", start):
        return "prolog"
    first = _FIRST_WORD.match(text, start)
    if first is None:
        return "kif"
    if first[1] != "(" or _CLAUSE.search(text, start):
        return "prolog"
    # `name(` without any clause end: broken Prolog, or a proposition with KIF right behind it.
    return "kif" if _WORDS_IN_BRACKETS.search(text, start) else "prolog"
