"""Words of captions: unknown ones, wrong numbers and types of arguments, names that cannot be assigned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...rules.near_names import suggestion
from ...rules.source import Severity
from ..language.captions import Path, columns_of
from ..language.faults import ChartFault, fault
from ..language.language import (
    ASSIGNABLE,
    CONSTANTS,
    FUNCTIONS,
    PLACES,
    READ_ONLY,
    SEATS,
    STATEMENTS,
    Type,
    Word,
)
from ..language.rules import ChoiceNode, Rules, Statement
from ..language.terms import Term, as_integer, format_term, is_string, subterms
from ..language.types import Types, infer_types, type_of

_OPERATIONS = {"add", "subtract", "multiply", "divide", "modulo", "and", "or"}


def check_words(rules: Rules, name: str = "chart") -> Iterator[ChartFault]:
    """Every fault of the captions."""
    types = infer_types(rules)
    for index in sorted(rules.nodes):
        node = rules.nodes[index]
        if isinstance(node, Statement):
            caption = _Caption(rules.caption(index), columns_of(node.action, True), index, name, types)
            yield from caption.reserved(node.action)
            yield from caption.statement(node.action)
        elif isinstance(node, ChoiceNode):
            caption = _Caption(rules.caption(index), columns_of(node.condition, False), index, name, types)
            yield from caption.reserved(node.condition)
            yield from caption.expression(node.condition, ())
            yield from caption.wants(node.condition, (), Type.BOOLEAN, "a condition")


@dataclass(frozen=True)
class _Caption:
    """One caption and its faults; parts of it are addressed by their path."""

    text: str
    columns: dict[Path, int]
    node: int
    chart: str
    types: Types

    def statement(self, action: Term) -> Iterator[ChartFault]:
        word = STATEMENTS.get(action.name)
        if word is None:
            hint = suggestion(action.name, STATEMENTS)
            yield self._fault("unknown-statement", f"there is no statement {action.name}", hint, ())
            return
        yield from self._arity(action, (), word)
        if action.name == "publish":
            yield from self._publish(action)
            return
        for at, (arg, wanted) in enumerate(zip(action.args, _each(word, len(action.args)), strict=False)):
            assert isinstance(arg, Term)
            if wanted is Type.NAME:
                yield from self._name(arg, (at,), action)
            else:
                yield from self.expression(arg, (at,))
                yield from self.wants(arg, (at,), wanted, action.name)
        yield from self._one_draw(action)

    def reserved(self, term: Term) -> Iterator[ChartFault]:
        """Names that the analysis uses for players and cards."""
        for name in sorted({one.name for one in subterms(term)} & SEATS):
            hint = "take another name: this one says what a player sees from the own seat"
            yield self._fault("reserved", f"{name} is a word of the analysis", hint, ())

    def expression(self, term: Term, path: Path) -> Iterator[ChartFault]:
        if not term.args or is_string(term):
            return
        word = FUNCTIONS.get(term.name)
        if word is None and term.name not in self.types.names:
            what = f"there is no function {term.name}"
            if term.name in STATEMENTS:
                what = f"{term.name} is a statement and has no value"
            hint = suggestion(term.name, [*FUNCTIONS, *self.types.names]) or "assign to it somewhere"
            yield self._fault("unknown-function", what, hint, path)
            return
        if word is not None:
            yield from self._arity(term, path, word)
        if term.name == "operation" and str(term.args[0]) not in _OPERATIONS:
            yield self._fault("unknown-function", f"there is no operation {term.args[0]}", "", path)
        for at, arg in enumerate(term.args):
            assert isinstance(arg, Term)
            if term.name == "operation" and at == 0:
                continue
            yield from self.expression(arg, (*path, at))
            if term.name == "operation":
                yield from self.wants(arg, (*path, at), self._operand(term), "this sign")
            elif word is not None and at < len(word.takes):
                yield from self.wants(arg, (*path, at), word.takes[at], term.name)

    def wants(self, term: Term, path: Path, wanted: Type, by: str) -> Iterator[ChartFault]:
        """A fault where all possible types of a term are known and none of them fits."""
        found = type_of(term, self.types)
        if wanted in (Type.VALUE, Type.NAME, Type.STRING) or Type.VALUE in found or not found:
            return
        fitting = {wanted} | _FITS.get(wanted, set())
        if found & fitting:
            return
        kinds = " or ".join(sorted(str(one) for one in found))
        hint = f"write player({format_term(term)})" if wanted is Type.PLAYER and Type.INTEGER in found else ""
        if wanted is Type.INTEGER and Type.PLAYER in found:
            hint = f"write playerNumber({format_term(term)})"
        yield self._fault("wrong-type", f"{by} needs a {wanted}, and this is a {kinds}", hint, path)

    def _operand(self, term: Term) -> Type:
        return Type.BOOLEAN if str(term.args[0]) in ("and", "or") else Type.INTEGER

    def _arity(self, term: Term, path: Path, word: Word) -> Iterator[ChartFault]:
        if not word.fits(len(term.args)):
            message = f"{term.name} has {word.arguments} arguments, not {len(term.args)}"
            yield self._fault("wrong-arity", message, "", path)

    def _publish(self, action: Term) -> Iterator[ChartFault]:
        if len(action.args) == 1 and not (isinstance(action.args[0], Term) and is_string(action.args[0])):
            yield self._fault("wrong-type", "publish shows a text", 'write publish("...")', (0,))

    def _name(self, term: Term, path: Path, action: Term) -> Iterator[ChartFault]:
        for at, arg in enumerate(term.args):
            assert isinstance(arg, Term)
            yield from self.expression(arg, (*path, at))
        if action.name.startswith("Pile."):
            return
        if as_integer(term) is not None or is_string(term):
            yield self._fault("not-a-name", f"{format_term(term)} is no name", "write a name before =", path)
        elif term.name in SEATS:
            return  # reported for the whole caption
        elif term.name in READ_ONLY or (term.name in FUNCTIONS and term.name not in ASSIGNABLE):
            hint = "only the game changes it; take a name of your own"
            yield self._fault("read-only", f"{term.name} cannot be assigned", hint, path)
        elif term.name in CONSTANTS or term.name in PLACES:
            hint = "take another name: this one means itself everywhere"
            yield self._fault("constant", f"{term.name} is a constant", hint, path)
        elif not term.name[0].islower():
            hint = "names begin with a small letter"
            yield self._fault("not-a-name", f"{term.name} is no name", hint, path)
        elif term.name in FUNCTIONS:
            yield from self._arity(term, path, FUNCTIONS[term.name])

    def _one_draw(self, action: Term) -> Iterator[ChartFault]:
        draws = [format_term(one) for one in subterms(action) if one.name == "random" and one.args]
        for one in sorted({one for one in draws if draws.count(one) > 1}):
            message = f"{one} stands here twice and is drawn once: both have the same value"
            hint = "assign each to a name of its own, in two statements"
            yield self._fault("one-draw", message, hint, (), Severity.WARNING)

    def _fault(
        self, code: str, message: str, hint: str, path: Path, severity: Severity = Severity.ERROR
    ) -> ChartFault:
        return fault(
            code,
            message,
            hint,
            node=self.node,
            caption=self.text,
            column=self.columns.get(path, 1),
            severity=severity,
            chart=self.chart,
        )


_FITS: dict[Type, set[Type]] = {
    Type.TEMPLATE: {Type.CARD},
    Type.CARD: {Type.TEMPLATE},
    Type.RANK: {Type.INTEGER},
}
"""A card is a template that only it fits; ranks from 2 to 10 are numbers."""


def _each(word: Word, count: int) -> list[Type]:
    return [*word.takes, *[word.takes[-1]] * max(0, count - len(word.takes))] if word.takes else []
