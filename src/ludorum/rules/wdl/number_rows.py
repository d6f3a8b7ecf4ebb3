"""The rows of built-in arithmetic that a sheet can ask for, as facts: engines and players need no numbers.

Each place, an argument of a relation or function, gets the constants that may stand there, as variables carry
them from bodies to heads; what is missing there can stand there never. Places whose numbers go on growing get
all numbers up to the end of the range, so that counters do not take as many rounds as they have numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from operator import and_

from ..normalise.expand_connectives import expand_connectives
from ..quoting import quoted
from ..ruleset import Atom, Not, Rule, Ruleset
from ..source import Diagnostic, RulesError, Severity
from ..syntax import Node
from ..terms import Pattern, Signature, Term, Variable, as_integer
from .arithmetic import (
    BUILT_IN,
    FARTHEST,
    HIGHEST,
    LOWEST,
    Bits,
    Columns,
    NumberRange,
    NumberRelation,
    Row,
    narrowed,
    rows_of,
)
from .statements import Settings

MOST_ROWS = 65_536
MOST_GROWTH = 200
"""How often the numbers of a place may grow before they are taken to grow for ever."""

Place = tuple[Signature, int]
SAME: dict[str, str] = {"next": "true", "init": "true", "legal": "does"}
CLOCK: Place = (("clock", 1), 0)
TICKS: Signature = ("the clock", 0)
"""Stands for numbers of the clock, which goes on beyond all that are known."""
_REPRESENTATIVE = {
    NumberRelation.SUCCESSOR: (0, 1),
    NumberRelation.GREATER: (1, 0),
    NumberRelation.PLUS: (0, 0, 0),
    NumberRelation.MINUS: (0, 0, 0),
}
"""A row of each relation that is always there, so that the relation is."""


@dataclass(frozen=True)
class PlaceValues:
    """What may stand somewhere: numbers, other constants, and functions, whose arguments have own places."""

    numbers: Bits = 0
    others: frozenset[Signature] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.numbers or self.others)

    def __or__(self, other: PlaceValues) -> PlaceValues:
        return PlaceValues(self.numbers | other.numbers, self.others | other.others)

    def __and__(self, other: PlaceValues) -> PlaceValues:
        return PlaceValues(self.numbers & other.numbers, self.others & other.others)


NONE = PlaceValues()


def number_rows(
    plain: Ruleset, modules: Iterable[str], settings: Settings
) -> tuple[list[Rule], list[Diagnostic]]:
    """The facts of built-in modules that rules in their plain form can ask for, and faults."""
    relations = {signature: kind for name in modules for signature, kind in BUILT_IN[name].items()}
    try:
        asked = _Asked(expand_connectives(plain), relations, settings)
    except RulesError as error:
        return [], list(error.diagnostics)
    return asked.rows(), asked.faults


class _Asked:
    def __init__(
        self, rules: Ruleset, relations: dict[Signature, NumberRelation], settings: Settings
    ) -> None:
        self._source = rules.source
        self._settings = settings
        self._relations = relations
        self._rules = [_Flow(rule, relations) for rule in rules.rules]
        self.faults: list[Diagnostic] = []
        self._written = set(_numbers_of(rules.rules))
        low, high = self._results()
        self._among = NumberRange(min({low} | self._written), max({high} | self._written))
        self._made = self._among.between(low, high)
        self._values: dict[Place, PlaceValues] = {}
        self._growth: dict[Place, int] = {}
        if settings.realtime:
            clock = self._among.between(0, high)
            self._values[CLOCK] = PlaceValues(clock, frozenset({TICKS}))

    def _results(self) -> tuple[int, int]:
        """The ends of the numbers that sums and followers may be."""
        if self._settings.range is not None:
            return self._settings.range
        return min({LOWEST} | self._written), max({HIGHEST} | {number + 1 for number in self._written})

    def rows(self) -> list[Rule]:
        self._spread()
        found: dict[tuple[Signature, Row], None] = {}
        for signature, kind in self._relations.items():
            found[signature, _REPRESENTATIVE[kind]] = None
        for flow in self._rules:
            values = self._known(flow)
            for use in flow.uses:
                if not self._ask(use, values, found):
                    return []
        facts = sorted(found, key=lambda one: (one[0], one[1]))
        return [Rule(Term(name, tuple(Term(str(number)) for number in row))) for (name, _), row in facts]

    # -- what may stand where -----------------------------------------------------------------------------

    def _spread(self) -> None:
        readers: dict[Place, list[_Flow]] = {}
        for flow in self._rules:
            for place in flow.read:
                readers.setdefault(place, []).append(flow)
        # A rule is looked at again only where a place that it reads has got something new.
        todo = dict.fromkeys(self._rules)
        while todo:
            flow = next(iter(todo))
            del todo[flow]
            for place in self._write(flow):
                todo |= dict.fromkeys(readers.get(place, ()))

    def _write(self, flow: _Flow) -> Iterator[Place]:
        """The places to which a rule carries something new."""
        values = self._known(flow)
        if any(not one for one in values.values()):
            return
        for place, pattern in flow.written:
            more = values.get(pattern, NONE) if isinstance(pattern, Variable) else self._constant(pattern)
            before = self._values.get(place, NONE)
            after = before | more
            if after != before:
                self._values[place] = self._grown(place, before, after)
                yield place

    def _grown(self, place: Place, before: PlaceValues, after: PlaceValues) -> PlaceValues:
        """The values of a place, with all numbers to the end of the range where they go on growing."""
        times = self._growth[place] = self._growth.get(place, 0) + 1
        if times < MOST_GROWTH or before.numbers in (0, after.numbers):
            return after
        low, high = self._among.ends(after.numbers)
        least, most = self._among.ends(before.numbers)
        (lowest, highest) = self._among.ends(self._made)
        low, high = min(lowest, low) if low < least else low, max(highest, high) if high > most else high
        return PlaceValues(self._among.between(low, high), after.others)

    def _known(self, flow: _Flow) -> dict[Variable, PlaceValues]:
        """What each variable of a rule may be, by all positive conditions."""
        found: dict[Variable, PlaceValues] = {}
        for variable, places in flow.bound.items():
            values = [self._values.get(place, NONE) for place in places]
            found[variable] = reduce(and_, values)
        for _ in range(2):  # a number may follow from another that follows from a third
            for use in flow.uses:
                if use.positive:
                    columns = narrowed(use.kind, self._columns(use, found), self._among)
                    for argument, bits in zip(use.atom.term.args, columns, strict=True):
                        if isinstance(argument, Variable):
                            others = found.get(argument, NONE).others & {TICKS}
                            found[argument] = PlaceValues(bits, others)
        return found

    def _columns(self, use: _Use, values: dict[Variable, PlaceValues]) -> Columns:
        limit = self._among.all if use.kind is NumberRelation.GREATER else self._made
        found = []
        for argument in use.atom.term.args:
            if isinstance(argument, Variable):
                found.append(values[argument].numbers & limit if argument in values else self._made)
            else:
                found.append(self._constant(argument).numbers & limit)
        return tuple(found)

    def _constant(self, term: Term) -> PlaceValues:
        number = as_integer(term)
        bit = 0 if number is None else self._among.bit(number)
        return PlaceValues(bit) if bit else PlaceValues(0, frozenset({term.signature}))

    # -- rows ---------------------------------------------------------------------------------------------

    def _ask(
        self, use: _Use, values: dict[Variable, PlaceValues], found: dict[tuple[Signature, Row], None]
    ) -> bool:
        """Add the rows that one condition can ask for; False where these are too many."""
        signature = use.atom.term.signature
        self._check(use, values)
        for row in rows_of(use.kind, self._columns(use, values), self._among):
            found[signature, row] = None
            if len(found) > MOST_ROWS:
                message = f"{quoted(use.atom.term)} can ask for more than {MOST_ROWS} rows of numbers"
                hint = "bind its variables by conditions, or say which numbers there are: (set range 0 100)"
                self._fault("too-many-numbers", use.atom.node, message, hint)
                return False
        return True

    def _check(self, use: _Use, values: dict[Variable, PlaceValues]) -> None:
        others: set[Signature] = set()
        for argument in use.atom.term.args:
            known = values.get(argument, NONE) if isinstance(argument, Variable) else self._constant(argument)
            others |= known.others
        if TICKS in others and self._settings.range is None:
            last = self._among.ends(self._made)[1]
            message = f"the clock goes on beyond {last}, where the numbers of {quoted(use.atom.term)} end"
            hint = "say how far it will be asked: (set range 0 30000)"
            self._fault("clock-range", use.atom.node, message, hint, Severity.WARNING)
        far = [name for name, arity in sorted(others) if not arity and as_integer(Term(name)) is not None]
        if far:
            message = f"{far[0]} is too far from 0 to be counted with"
            hint = f"numbers of arithmetic are from -{FARTHEST} to {FARTHEST}"
            self._fault("far-number", use.atom.node, message, hint)

    def _fault(
        self, code: str, node: Node, message: str, hint: str, severity: Severity = Severity.ERROR
    ) -> None:
        fault = Diagnostic(code, severity, node.span, message, hint, self._source)
        if fault not in self.faults:
            self.faults.append(fault)


@dataclass(frozen=True)
class _Use:
    """A condition that asks for numbers."""

    atom: Atom
    kind: NumberRelation
    positive: bool


class _Flow:
    """A rule, and how it carries constants from place to place."""

    def __init__(self, rule: Rule, relations: dict[Signature, NumberRelation]) -> None:
        self.bound: dict[Variable, list[Place]] = {}
        self.uses: list[_Use] = []
        self.written = list(_places(rule.head))
        for literal in rule.body:
            inner = literal.body if isinstance(literal, Not) else literal
            if not isinstance(inner, Atom):
                continue
            kind = relations.get(inner.term.signature)
            if kind is not None:
                self.uses.append(_Use(inner, kind, inner is literal))
            elif inner is literal:
                for place, pattern in _places(inner.term):
                    if isinstance(pattern, Variable):
                        self.bound.setdefault(pattern, []).append(place)
        self.read = {place for places in self.bound.values() for place in places}


def _places(term: Term) -> Iterator[tuple[Place, Pattern]]:
    """Every argument of a term and of the functions in it, with its place."""
    signature = SAME.get(term.name, term.name), term.arity
    for at, arg in enumerate(term.args):
        yield (signature, at), arg
        if isinstance(arg, Term):
            yield from _places(arg)


def _numbers_of(rules: Iterable[Rule]) -> Iterator[int]:
    """Every number that is written in a rule and can be counted with."""
    for rule in rules:
        literals = (literal.body if isinstance(literal, Not) else literal for literal in rule.body)
        terms = [rule.head, *(literal.term for literal in literals if isinstance(literal, Atom))]
        for term in terms:
            for _, arg in _places(term):
                number = as_integer(arg)
                if number is not None and abs(number) <= FARTHEST:
                    yield number
