"""Observations about hidden hands, as functions of the tokens in them that give the distance from agreement.

Counts of cards that fit a template are compared by numbers, so that a world that is nearly right differs from
one that is all wrong. Other conditions are evaluated in a position with the cards of the world.
"""

from __future__ import annotations

from ...rules.terms import Pattern
from ..language.deck import sorted_cards
from ..language.melds import MOST_MELDED
from ..language.terms import FALSE, TRUE, Term, as_integer
from ..machine.evaluate import EvaluationError, NeedNumber, as_place, evaluate
from ..machine.position import CardPosition
from ..machine.story import Tested, is_veiled
from .amounts import Above, Amount, Deadwood, Held, KnownAmount, Total, done
from .conditions import is_public
from .passages import Contents, DealTrace, Excess, PlaceCheck


def check_of(test: Tested, trace: DealTrace, hidden: frozenset[Term]) -> list[PlaceCheck]:
    """What a test says about hidden places; empty where it says nothing new."""
    return _Writer(test, trace, hidden).write()


class _Writer:
    def __init__(self, test: Tested, trace: DealTrace, hidden: frozenset[Term]) -> None:
        self.test, self.trace, self.hidden = test, trace, hidden
        self.places: dict[int, int] = {}
        """The places that matter, with their number among the contents."""
        self.minds: set[int] = set()
        """The tokens that matter."""
        self.only_counts = True
        """Whether only numbers of cards are asked for."""

    def write(self) -> list[PlaceCheck]:
        test = self.test
        if is_public(test.expression, test.before):
            return []
        excess = self._of_value(test.expression, test.value)
        if excess is not None:
            void = self._void(excess)
            code = tuple(excess.code(self.trace.tables))
            return [PlaceCheck(tuple(self.places), excess, frozenset(self.minds), void, code)]
        self.places.clear()
        evaluated = self._in_position()
        return [PlaceCheck(tuple(self.places), evaluated)]

    def _void(self, excess: Amount) -> frozenset[int] | None:
        """The tokens of which a single one is too many, where more are worse and none is right."""
        if not self.only_counts or len(self.places) != 1 or excess([set()]) != 0:
            return None
        return frozenset(token for token in self.minds if excess([{token}]) > 0) or None

    def _of_value(self, expression: Pattern, value: Term) -> Amount | None:
        if value in (TRUE, FALSE):
            return self._of(expression, value is TRUE)
        if isinstance(expression, Term) and expression.name == "top":
            return self._top(expression.args[0], value)
        amount, wanted = self._amount(expression), as_integer(value)
        if amount is None or wanted is None:
            return None
        return done("abs", done("subtract", amount, KnownAmount(wanted)))

    def _of(self, expression: Pattern, wanted: bool) -> Amount | None:
        """The distance of a condition from being true, or false."""
        if is_public(expression, self.test.before):
            return KnownAmount(int(evaluate(expression, self.test.before) is not (TRUE if wanted else FALSE)))
        assert isinstance(expression, Term)
        args = expression.args
        match expression.name:
            case "neg":
                return self._of(args[0], not wanted)
            case "playerHas":
                return _some(self._count(Term("hand", (args[0],)), args[1]), wanted)
            case "has":
                return _some(self._count(args[0], args[1]), wanted)
            case "operation":
                return self._of_both(expression, wanted)
            case "equal" | "lessThan" | "greaterThan":
                return self._of_comparison(expression, wanted)
        return None

    def _of_both(self, expression: Term, wanted: bool) -> Amount | None:
        joined = str(expression.args[0])
        if joined not in ("and", "or"):
            return None
        one, other = (self._of(part, wanted) for part in expression.args[1:])
        if one is None or other is None:
            return None
        return done("add" if (joined == "and") is wanted else "least", one, other)

    def _of_comparison(self, expression: Term, wanted: bool) -> Amount | None:
        left, right = expression.args
        for one, other in ((left, right), (right, left)):
            if is_public(other, self.test.before):
                value = evaluate(other, self.test.before)
                if value in (TRUE, FALSE):
                    return self._of(one, (value is TRUE) is wanted) if expression.name == "equal" else None
        low, high = self._amount(left), self._amount(right)
        if low is None or high is None:
            return None
        if expression.name == "greaterThan":
            low, high = high, low
        if expression.name == "equal":
            return done("abs" if wanted else "is_nought", done("subtract", low, high))
        if wanted:
            return done("not_negative", done("add", done("subtract", low, high), KnownAmount(1)))
        return done("not_negative", done("subtract", high, low))

    def _amount(self, expression: Pattern) -> Amount | None:
        if is_public(expression, self.test.before):
            known = as_integer(evaluate(expression, self.test.before))
            return None if known is None else KnownAmount(known)
        assert isinstance(expression, Term)
        match expression.name:
            case "count":
                return self._count(*expression.args)
            case "total" | "deadwood":
                return self._points(expression)
            case "operation" if str(expression.args[0]) in ("add", "subtract"):
                one, other = map(self._amount, expression.args[1:])
                return None if one is None or other is None else done(str(expression.args[0]), one, other)
        return None

    def _count(self, place: Pattern, template: Pattern) -> Amount | None:
        """How many cards of a place fit a template."""
        before = self.test.before
        if not is_public(template, before):
            return None
        try:
            where = as_place(evaluate(place, before), before)
            wanted = self.trace.fitting(evaluate(template, before))
        except (EvaluationError, NeedNumber):
            return None
        self.minds |= wanted
        if where in self.hidden:
            return Held(self._content(where), wanted)
        found: Amount = KnownAmount(
            sum(bool(self.trace.tokens(one) & wanted) for one in before.cards(where) if not is_veiled(one))
        )
        for one in before.cards(where):
            if is_veiled(one):
                found = done("add", found, Held(self._content(one), wanted))
        return found

    def _points(self, expression: Term) -> Amount | None:
        """The points of a hidden hand, all of them or those of cards in no meld."""
        before = self.test.before
        try:
            where = as_place(evaluate(expression.args[0], before), before)
            points = self.trace.points(before)
        except (EvaluationError, NeedNumber):
            return None
        if where not in self.hidden or len(before.cards(where)) > MOST_MELDED:
            return None
        at = self._content_of_all(where)
        return Total(at, points) if expression.name == "total" else Deadwood(at, points, self.trace.names)

    def _top(self, place: Pattern, shown: Term) -> Amount | None:
        """A sorted hand has its highest card on top."""
        try:
            where = as_place(evaluate(place, self.test.before), self.test.before)
        except (EvaluationError, NeedNumber):
            return None
        if where not in self.hidden:
            return None
        return Above(self._content_of_all(where), self.trace.tokens(shown))

    def _content(self, what: Term) -> int:
        return self.places.setdefault(self.trace.place(what), len(self.places))

    def _content_of_all(self, what: Term) -> int:
        """The same where any token matters, not only their number."""
        self.minds.update(range(len(self.trace.names)))
        self.only_counts = False
        return self._content(what)

    def _in_position(self) -> Excess:
        """By evaluation, with all cards that are hidden at that time."""
        test, before = self.test, self.test.before
        hands = {place: self._content(place) for place in sorted(self.hidden, key=str)}
        piles = {place: cards for place, cards in before.places.items() if place not in self.hidden}
        veils = {one: self._content(one) for cards in piles.values() for one in cards if is_veiled(one)}

        def excess(contents: Contents) -> int:
            found = before.copy()
            names = {one: self._names(contents[at])[0] for one, at in veils.items() if contents[at]}
            for place, cards in piles.items():
                found.places[place] = tuple(names.get(one, one) for one in cards)
            for place, at in hands.items():
                found.places[place] = self._names(contents[at])
            return int(not _has_value(test.expression, found, test.value))

        return excess

    def _names(self, tokens: set[int]) -> tuple[Term, ...]:
        return sorted_cards(self.trace.names[token] for token in tokens)


def _some(count: Amount | None, wanted: bool) -> Amount | None:
    return done("is_nought", count) if count is not None and wanted else count


def _has_value(expression: Term, position: CardPosition, value: Term) -> bool:
    try:
        return evaluate(expression, position) is value
    except EvaluationError:
        return False
