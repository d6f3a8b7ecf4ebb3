"""Texts made of facts, ``statement(1,0,200,"Shuffle").``: read with line and column."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedInput

from ...rules.source import Severity, Source, Span
from .faults import ChartError, ChartFault
from .terms import DEEPEST, Term, is_too_deep, number


def read_facts(source: Source) -> list[tuple[Term, Span]]:
    """The facts of a text with their places; ChartError at the first that is wrong."""
    try:
        found = cast(list[tuple[Term, Span]], _parser().parse(source.text))
    except UnexpectedInput as error:
        raise ChartError([_syntax_fault(error, source)]) from None
    message = f"more than {DEEPEST} brackets inside each other"
    deep = [fact_fault("too-deep", message, span, source) for fact, span in found if is_too_deep(fact)]
    if deep:
        raise ChartError(deep)
    return found


def fact_fault(code: str, message: str, span: Span, source: Source, hint: str = "") -> ChartFault:
    return ChartFault(code, Severity.ERROR, span, message, hint, source)


def _syntax_fault(error: UnexpectedInput, source: Source) -> ChartFault:
    at = error.pos_in_stream if isinstance(error.pos_in_stream, int) else len(source.text)
    at = min(max(at, 0), len(source.text))
    if isinstance(error, UnexpectedCharacters):
        message = f"{source.text[at : at + 1]!r} has no meaning here"
    elif at >= len(source.text) or not source.text[at:].strip():
        message = "the last fact is not finished"
    else:
        message = f"{source.text[at:].split()[0][:20]!r} is not expected here"
    hint = 'write facts such as statement(1,0,200,"Shuffle"). with a full stop after each'
    return fact_fault("fact-syntax", message, Span(at, at + 1), source, hint)


@cache
def _parser() -> Lark:
    grammar = (files(__package__) / "facts.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start="facts", transformer=_Facts())


class _Facts(Transformer[Token, list[tuple[Term, Span]]]):
    """Terms with the place of their first word."""

    def facts(self, found: list[tuple[Term, Span]]) -> list[tuple[Term, Span]]:
        return found

    @v_args(inline=True)
    def compound(self, name: Token, *args: tuple[Term, Span]) -> tuple[Term, Span]:
        return Term(str(name), tuple(term for term, _ in args)), _span(name)

    @v_args(inline=True)
    def constant(self, name: Token) -> tuple[Term, Span]:
        return Term(str(name)), _span(name)

    @v_args(inline=True)
    def integer(self, digits: Token) -> tuple[Term, Span]:
        return number(int(digits)), _span(digits)

    @v_args(inline=True)
    def string(self, text: Token) -> tuple[Term, Span]:
        return Term(str(text)), _span(text)


def _span(token: Token) -> Span:
    return Span(token.start_pos or 0, token.end_pos or 0)
