"""What follows from conditions: equal terms, and terms that cannot be equal."""

from __future__ import annotations

from collections.abc import Iterable

from ..language.terms import ANY, FALSE, TRUE, Term, truth
from .names import ChartNames
from .simplify import and_or, is_operation, negation


class Closure:
    """Equalities and inequalities among suits, ranks, and other terms that conditions compare.

    ``cardInstanceOf(c,card(any,hearts))`` says that ``suit(c)`` is hearts. A name inside a template says
    nothing: its value may be ``any``.
    """

    def __init__(self, names: ChartNames, conditions: Iterable[Term]) -> None:
        self._names = names
        self._known = set(conditions)
        self._above: dict[Term, Term] = {}
        self._values: dict[Term, Term] = {}
        unequal: list[tuple[Term, Term]] = []
        for one in self._known:
            holds, inner = (False, one.args[0]) if one.name == "neg" else (True, one)
            assert isinstance(inner, Term)
            pairs = list(self._pairs(inner))
            if holds:
                for left, right in pairs:
                    self._join(left, right)
            elif len(pairs) == 1:
                unequal += pairs
        self._unequal = {frozenset((self._root(left), self._root(right))) for left, right in unequal}

    def decide(self, term: Term) -> Term:
        """A condition; true or false where the others imply it."""
        if term is TRUE or term is FALSE:
            return term
        if term.name == "neg":
            assert isinstance(term.args[0], Term)
            return negation(self.decide(term.args[0]))
        if is_operation(term, "and", "or"):
            sign, left, right = term.args
            assert isinstance(left, Term)
            assert isinstance(right, Term)
            return and_or(str(sign), self.decide(left), self.decide(right))
        for same in (term, turned(term)):
            if same in self._known:
                return TRUE
            if negation(same) in self._known:
                return FALSE
        return self._by_equality(term)

    def _by_equality(self, term: Term) -> Term:
        pairs = list(self._pairs(term))
        if not pairs or (term.name == "cardInstanceOf" and not _is_plain(term.args[1], self._names)):
            return term
        answers = [self._equal(left, right) for left, right in pairs]
        if False in answers:
            return FALSE
        return truth(True) if all(answers) else term

    def _equal(self, left: Term, right: Term) -> bool | None:
        one, other = self._root(left), self._root(right)
        if one is other:
            return True
        values = self._value(left), self._value(right)
        if values[0] is not None and values[1] is not None:
            return values[0] is values[1]
        return False if frozenset((one, other)) in self._unequal else None

    def _pairs(self, term: Term) -> Iterable[tuple[Term, Term]]:
        """The pair of terms that a condition says to be equal."""
        if term.name == "equal":
            left, right = term.args
            assert isinstance(left, Term)
            assert isinstance(right, Term)
            yield left, right
        elif term.name == "cardInstanceOf" and _is_plain(term.args[1], self._names):
            template = term.args[1]
            assert isinstance(template, Term)
            for word, part in zip(("rank", "suit"), template.args, strict=True):
                assert isinstance(part, Term)
                if part is not ANY:
                    yield Term(word, (term.args[0],)), part

    def _join(self, left: Term, right: Term) -> None:
        one, other = self._root(left), self._root(right)
        if one is not other:
            self._above[one] = other
            value = self._values.get(one)
            if value is not None:
                self._values.setdefault(other, value)
        for part in (left, right):
            if self._names.is_value(part):
                self._values.setdefault(self._root(part), part)

    def _root(self, term: Term) -> Term:
        while term in self._above:
            term = self._above[term]
        return term

    def _value(self, term: Term) -> Term | None:
        return term if self._names.is_value(term) else self._values.get(self._root(term))


def turned(term: Term) -> Term:
    """The same comparison from the other side."""
    other = {"equal": "equal", "lessThan": "greaterThan", "greaterThan": "lessThan"}.get(term.name)
    return term if other is None else Term(other, term.args[::-1])


def _is_plain(template: object, names: ChartNames) -> bool:
    """A template whose parts are known to be ranks, suits or ``any``."""
    return (
        isinstance(template, Term)
        and template.name == "card"
        and all(
            isinstance(part, Term) and (names.is_value(part) or part.name in ("suit", "rank"))
            for part in template.args
        )
    )
