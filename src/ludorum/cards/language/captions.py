"""Captions of chart elements: from text to terms and back.

``parse_statement("score(p)=score(p)+1")`` is ``assign(score(p),operation(add,score(p),1))``;
``format_statement`` and ``format_condition`` are the twins.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TypeAlias, cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken

from ...rules.terms import Pattern, as_integer
from .faults import ChartError, ChartFault, fault
from .terms import COMPARISONS, DEEPEST, OPERATIONS, Term, is_too_deep, number, operation

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
"""Most characters of a caption: enough for any box, and few enough that nested brackets can be read."""


def parse_statement(text: str, node: int | None = None) -> Term:
    """The term of a rectangle's caption; ChartError with the column otherwise."""
    return _parse("statement", text, node)


def parse_condition(text: str, node: int | None = None) -> Term:
    """The term of a rhombus' caption; ChartError with the column otherwise."""
    return _parse("condition", text, node)


def format_statement(term: Term) -> str:
    """The caption that writes a statement."""
    printer = _Printer()
    printer.statement(term)
    return printer.text


def format_condition(term: Pattern) -> str:
    """The caption that writes an expression, with no more brackets than it needs."""
    printer = _Printer()
    printer.put(term, 0, ())
    return printer.text


def columns_of(term: Term, is_statement: bool) -> dict[Path, int]:
    """The column of every part of a term in the caption that writes it, counted from 1."""
    printer = _Printer()
    if is_statement:
        printer.statement(term)
    else:
        printer.put(term, 0, ())
    return printer.columns


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
        found = cast(Term, _parser().parse(text, start=start))
    except UnexpectedInput as error:
        raise ChartError([_syntax_fault(error, text, start, node)]) from None
    if is_too_deep(found):
        message = f"more than {DEEPEST} brackets or signs inside each other"
        hint = "assign parts of it to names before"
        raise ChartError([fault("caption-too-deep", message, hint, node=node, caption=text, column=1)])
    return found


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
    """Turns the signs of captions into the functions of compiled charts."""

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


Path: TypeAlias = tuple[int, ...]
"""The path from a term to one inside it: which argument of which argument."""


class _Printer:
    """Writes a term and remembers at which column each of its parts begins."""

    def __init__(self) -> None:
        self.text = ""
        self.columns: dict[Path, int] = {}

    def statement(self, term: Term) -> None:
        if term.name == "assign" and len(term.args) == 2:
            self.columns[()] = 1
            self.put(term.args[0], 0, (0,))
            self.text += "="
            self.put(term.args[1], 0, (1,))
        else:
            self.put(term, 0, ())

    def put(self, term: Pattern, level: int, path: Path) -> None:
        """A term, in brackets where its sign binds looser than what stands around it."""
        assert isinstance(term, Term)
        sign, left, right = _sign_of(term)
        self.columns[path] = len(self.text) + 1
        if sign:
            own = _LEVELS[sign]
            aside = own + 1 if own == _LEVELS["=="] else own  # comparisons do not chain
            self.text += "(" * (own < level)
            self.put(_inside(term, left), aside, path + left)
            self.text += sign
            self.put(_inside(term, right), own + 1, path + right)
            self.text += ")" * (own < level)
        elif term.name == "neg" and len(term.args) == 1:
            self.text += "!"
            self.put(term.args[0], _SIGN, (*path, 0))
        else:
            self.text += term.name
            self._arguments(term, path)

    def _arguments(self, term: Term, path: Path) -> None:
        for at, arg in enumerate(term.args):
            self.text += "," if at else "("
            self.put(arg, 0, (*path, at))
        self.text += ")" if term.args else ""


def _inside(term: Term, path: Path) -> Pattern:
    found: Pattern = term
    for at in path:
        assert isinstance(found, Term)
        found = found.args[at]
    return found


def _sign_of(term: Term) -> tuple[str, Path, Path]:
    """The sign between two terms and the paths to these; an empty sign where a function is written."""
    args = term.args
    if (
        term.name == "operation"
        and len(args) == 3
        and isinstance(args[0], Term)
        and args[0].name in OPERATIONS
    ):
        return OPERATIONS[args[0].name], (1,), (2,)
    if term.name in COMPARISONS and len(args) == 2:
        return COMPARISONS[term.name], (0,), (1,)
    if term.name == "neg" and len(args) == 1:
        inner = args[0]
        if isinstance(inner, Term) and inner.name in _NEGATED and len(inner.args) == 2:
            return _NEGATED[inner.name], (0, 0), (0, 1)
    return "", (), ()
