"""From one rule language to the other, with the comments: ``;`` becomes ``%`` and back.

Comments between rules stay where they are and so do those behind a rule; those inside a rule move before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .kif import TOKEN, read_kif
from .prolog import format_prolog_rule, read_prolog
from .prolog_tokens import PROLOG_TOKEN
from .ruleset import Rule, format_rule
from .source import RulesError, Source, Span
from .syntax import first_offset

_SIGNS = {"kif": ";", "prolog": "%"}


@dataclass(frozen=True, slots=True)
class _Comment:
    text: str
    span: Span
    trails: bool


def convert_text(source: Source, written: str, wanted: str) -> str:
    """The sheet in another language (or in the same, laid out anew); RulesError where it cannot be read."""
    ruleset, faults = read_prolog(source) if written == "prolog" else read_kif(source)
    if faults:
        raise RulesError(faults)
    write = format_prolog_rule if wanted == "prolog" else format_rule
    comments = _comments(source.text, written)
    lines: list[str] = []
    end = first_offset(source.text)
    at = 0
    for rule in ruleset.rules:
        stop = _end_of(rule, source.text, written)
        before = at
        while at < len(comments) and comments[at].span.start < stop:
            at += 1
        for comment in comments[before:at]:
            _separate(lines, source.text, end, min(comment.span.start, rule.node.span.start))
            lines += _comment_lines(comment.text, written, wanted)
            end = max(end, comment.span.end)
        _separate(lines, source.text, end, rule.node.span.start)
        end = stop
        clause = write(rule)
        if at < len(comments) and _stands_behind(comments[at], stop, source.text):
            clause += " " + _comment_lines(comments[at].text, written, wanted)[0]
            end = comments[at].span.end
            at += 1
        lines.append(clause)
    for comment in comments[at:]:
        _separate(lines, source.text, end, comment.span.start)
        lines += _comment_lines(comment.text, written, wanted)
        end = comment.span.end
    return "".join(f"{line}\n" for line in lines)


def _comments(text: str, language: str) -> list[_Comment]:
    pattern = PROLOG_TOKEN if language == "prolog" else TOKEN
    found = []
    previous = -1
    for token in pattern.finditer(text, first_offset(text)):
        if token.lastgroup == "comment":
            trails = previous >= 0 and "\n" not in text[previous : token.start()]
            found.append(_Comment(token.group().rstrip(), Span(*token.span()), trails))
        previous = token.end()
    return found


def _stands_behind(comment: _Comment, stop: int, text: str) -> bool:
    """Whether a comment stands on the line on which a rule ends, with nothing between."""
    return comment.trails and "\n" not in comment.text and not text[stop : comment.span.start].strip()


def _end_of(rule: Rule, text: str, language: str) -> int:
    """Where a rule ends in its text, with the period of Prolog."""
    end = rule.node.span.end
    if language == "kif":
        return end
    for token in PROLOG_TOKEN.finditer(text, end):
        if token.lastgroup == "end":
            return token.end()
    return end


def _separate(lines: list[str], text: str, end: int, start: int) -> None:
    """Keep paragraphs apart."""
    if lines and lines[-1] and text[end:start].count("\n") > 1 and not text[end:start].strip():
        lines.append("")


def _comment_lines(text: str, written: str, wanted: str) -> list[str]:
    if written == wanted:
        return [text]
    old, new = _SIGNS[written], _SIGNS[wanted]
    if text.startswith("/*"):
        inner = re.split(r"\r\n?|\n", text[2:-2].strip())
        return [f"{new} {line.strip().lstrip('*').strip()}".rstrip() for line in inner]
    return [re.sub(f"^{old}+", lambda found: new * len(found[0]), text)]
