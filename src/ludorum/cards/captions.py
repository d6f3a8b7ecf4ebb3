"""Captions of chart elements: from text to terms and back.

``parse_statement("score(p)=score(p)+1")`` is ``assign(score(p),operation(add,score(p),1))``;
``format_statement`` and ``format_condition`` are the twins.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from ..rules.terms import Pattern, as_integer
from .faults import ChartError, ChartFault, fault
from .terms import COMPARISONS, OPERATIONS, Term, is_string, number, operation

_LEVELS = {
    "|": 1,
    "&": 2,
    "==": 3,
    "!=": 3,
    "<": 3,
    ">": 3,
    "<=": 3,
    ">=": 3,
    "+": 4,
    "-": 4,
    "%": 5,
    "*": 5,
    "/": 5,
}
_NEGATED = {"equal": "!=", "greaterThan": "<=", "lessThan": ">="}
_SIGN = 6
_HINTS = {
    "condition": "write something such as score(player(0))>3",
    "statement": "write name=value or an action",
}
LONGEST_CAPTION = 2000
"""Characters: nobody draws more into a box, and brackets in brackets stay few enough for all readers."""


def parse_statement(text: str, node: int | None = None) -> Term:
    """The term of a rectangle's caption; ChartError with the column otherwise."""
    return _parse("statement", text, node)


def parse_condition(text: str, node: int | None = None) -> Term:
    """The term of a rhombus' caption; ChartError with the column otherwise."""
    return _parse("condition", text, node)


def format_statement(term: Term) -> str:
    """The caption that writes a statement."""
    if term.name == "assign":
        return f"{format_condition(term.args[0])}={format_condition(term.args[1])}"
    return format_condition(term)


def format_condition(term: Pattern) -> str:
    """The caption that writes an expression, with no more brackets than it needs."""
    return _print(term, 0)


@cache
def _parser() -> Lark:
    grammar = (files(__package__) / "captions.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", start=["statement", "condition"], transformer=_Terms())


def _parse(start: str, text: str, node: int | None) -> Term:
    if len(text) > LONGEST_CAPTION:
        message = f"a caption of {len(text)} characters is too long: {LONGEST_CAPTION} are read"
        hint = "split it over several elements"
        raise ChartError([fault("caption-too-long", message, hint, node=node, caption=text[:60], column=1)])
    try:
        return cast(Term, _parser().parse(text, start=start))
    except UnexpectedInput as error:
        raise ChartError([_syntax_fault(error, text, start, node)]) from None


def _syntax_fault(error: UnexpectedInput, text: str, start: str, node: int | None) -> ChartFault:
    column = error.column if isinstance(error.column, int) and error.column > 0 else len(text) + 1
    hint = (
        "write a condition such as score(player(0))>3"
        if start == "condition"
        else "write name=value or an action"
    )
    if isinstance(error, UnexpectedCharacters):
        found = text[column - 1 : column]
        message = f"{found!r} has no meaning here"
        if found == '"':
            hint = 'close the text with another "'
    elif isinstance(error, UnexpectedEOF) or (
        isinstance(error, UnexpectedToken) and error.token.type == "$END"
    ):
        column = len(text) + 1
        message = "the caption is empty" if not text.strip() else "the caption ends too early"
    elif isinstance(error, UnexpectedToken):
        message = f"{str(error.token)!r} is not expected here"
    else:
        message = "this is not a caption"
    if text.count("(") != text.count(")"):
        hint = f"{text.count('(')} brackets are opened and {text.count(')')} closed"
    return fault("caption-syntax", message, hint, node=node, caption=text, column=column)


@v_args(inline=True)
class _Terms(Transformer[Token, Term]):
    """Surface signs become the functions that compiled charts have."""

    def call(self, name: Token, *args: Term | None) -> Term:
        return Term(str(name), tuple(arg for arg in args if arg is not None))

    def integer(self, digits: Token) -> Term:
        return number(int(digits))

    def string(self, text: Token) -> Term:
        return Term(str(text))

    def assign(self, name: Term, value: Term) -> Term:
        return Term("assign", (name, value))

    def action(self, term: Term) -> Term:
        return term

    def condition(self, term: Term) -> Term:
        return term

    def either(self, left: Term, right: Term) -> Term:
        return operation("or", left, right)

    def both(self, left: Term, right: Term) -> Term:
        return operation("and", left, right)

    def equal(self, left: Term, right: Term) -> Term:
        return Term("equal", (left, right))

    def less(self, left: Term, right: Term) -> Term:
        return Term("lessThan", (left, right))

    def greater(self, left: Term, right: Term) -> Term:
        return Term("greaterThan", (left, right))

    def unequal(self, left: Term, right: Term) -> Term:
        return self.negate(self.equal(left, right))

    def at_most(self, left: Term, right: Term) -> Term:
        return self.negate(self.greater(left, right))

    def at_least(self, left: Term, right: Term) -> Term:
        return self.negate(self.less(left, right))

    def negate(self, term: Term) -> Term:
        return Term("neg", (term,))

    def minus(self, term: Term) -> Term:
        value = as_integer(term)
        return operation("subtract", number(0), term) if value is None else number(-value)

    def add(self, left: Term, right: Term) -> Term:
        return operation("add", left, right)

    def subtract(self, left: Term, right: Term) -> Term:
        return operation("subtract", left, right)

    def modulo(self, left: Term, right: Term) -> Term:
        return operation("modulo", left, right)

    def multiply(self, left: Term, right: Term) -> Term:
        return operation("multiply", left, right)

    def divide(self, left: Term, right: Term) -> Term:
        return operation("divide", left, right)


def _print(term: Pattern, level: int) -> str:
    """A term as text, in brackets where its sign binds looser than what stands around it."""
    assert isinstance(term, Term)
    sign, left, right = _sign_of(term)
    if sign:
        own = _LEVELS[sign]
        aside = own + 1 if own == _LEVELS["=="] else own  # comparisons do not chain
        text = f"{_print(left, aside)}{sign}{_print(right, own + 1)}"
        return f"({text})" if own < level else text
    if term.name == "neg" and len(term.args) == 1:
        return f"!{_print(term.args[0], _SIGN)}"
    if not term.args or is_string(term):
        return term.name
    return f"{term.name}({','.join(_print(arg, 0) for arg in term.args)})"


def _sign_of(term: Term) -> tuple[str, Pattern, Pattern]:
    """The sign between two arguments and these; an empty sign where the term is written as a function."""
    args = term.args
    if (
        term.name == "operation"
        and len(args) == 3
        and isinstance(args[0], Term)
        and args[0].name in OPERATIONS
    ):
        return OPERATIONS[args[0].name], args[1], args[2]
    if term.name in COMPARISONS and len(args) == 2:
        return COMPARISONS[term.name], args[0], args[1]
    if term.name == "neg" and len(args) == 1:
        inner = args[0]
        if isinstance(inner, Term) and inner.name in _NEGATED and len(inner.args) == 2:
            return _NEGATED[inner.name], inner.args[0], inner.args[1]
    return "", term, term
