"""What became known about hidden hands, as functions of the tokens in them that tell how far they are off.

Counts of cards that fit a template are compared by numbers, so that a world that is nearly right is known
from one that is all wrong. What cannot be said so is evaluated in a position with the cards of the world.
"""

from __future__ import annotations

from collections.abc import Callable

from ...rules.terms import Pattern
from ..deck import sorted_cards
from ..evaluate import EvaluationError, NeedNumber, as_place, evaluate
from ..position import Position
from ..story import Tested, is_veiled
from ..terms import FALSE, TRUE, Term, as_integer
from .conditions import is_public
from .trace import Check, Contents, Excess, Trace

Amount = Callable[[Contents], int]


def check_of(test: Tested, trace: Trace, hidden: frozenset[Term]) -> list[Check]:
    """What a test says about hidden places: nothing where it says nothing new."""
    return _Writer(test, trace, hidden).write()


class _Writer:
    def __init__(self, test: Tested, trace: Trace, hidden: frozenset[Term]) -> None:
        self.test, self.trace, self.hidden = test, trace, hidden
        self.places: dict[int, int] = {}
        """The places that matter, with their number among the contents."""
        self.minds: set[int] = set()
        """The tokens that matter."""

    def write(self) -> list[Check]:
        test = self.test
        if is_public(test.expression, test.before):
            return []
        excess = self._of_value(test.expression, test.value)
        if excess is not None:
            return [Check(tuple(self.places), excess, frozenset(self.minds), self._void(excess))]
        self.places.clear()
        excess = self._in_position()
        return [Check(tuple(self.places), excess)]

    def _void(self, excess: Excess) -> frozenset[int] | None:
        """The tokens of which one alone is too much, where more are all the worse and none is right."""
        if len(self.places) != 1 or excess([set()]) != 0:
            return None
        return frozenset(token for token in range(len(self.trace.names)) if excess([{token}]) > 0) or None

    def _of_value(self, expression: Pattern, value: Term) -> Excess | None:
        if value in (TRUE, FALSE):
            return self._of(expression, value is TRUE)
        amount, wanted = self._amount(expression), as_integer(value)
        if amount is None or wanted is None:
            return None
        return lambda contents: abs(amount(contents) - wanted)

    def _of(self, expression: Pattern, wanted: bool) -> Excess | None:
        """How far a condition is from being true, or false."""
        if is_public(expression, self.test.before):
            known = evaluate(expression, self.test.before) is (TRUE if wanted else FALSE)
            return lambda contents: 0 if known else 1
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

    def _of_both(self, expression: Term, wanted: bool) -> Excess | None:
        joined = str(expression.args[0])
        if joined not in ("and", "or"):
            return None
        one, other = (self._of(part, wanted) for part in expression.args[1:])
        if one is None or other is None:
            return None
        if (joined == "and") is wanted:
            return lambda contents: one(contents) + other(contents)
        return lambda contents: min(one(contents), other(contents))

    def _of_comparison(self, expression: Term, wanted: bool) -> Excess | None:
        left, right = expression.args
        for one, other in ((left, right), (right, left)):
            if is_public(other, self.test.before):
                value = evaluate(other, self.test.before)
                if value in (TRUE, FALSE):
                    return self._of(one, (value is TRUE) is wanted) if expression.name == "equal" else None
        less, more = self._amount(left), self._amount(right)
        if less is None or more is None:
            return None
        if expression.name == "greaterThan":
            less, more = more, less
        low, high = less, more
        if expression.name == "equal":
            if wanted:
                return lambda contents: abs(low(contents) - high(contents))
            return lambda contents: int(low(contents) == high(contents))
        if wanted:
            return lambda contents: max(0, low(contents) - high(contents) + 1)
        return lambda contents: max(0, high(contents) - low(contents))

    def _amount(self, expression: Pattern) -> Amount | None:
        if is_public(expression, self.test.before):
            known = as_integer(evaluate(expression, self.test.before))
            return None if known is None else lambda contents: known
        assert isinstance(expression, Term)
        if expression.name == "count":
            return self._count(*expression.args)
        if expression.name == "operation" and str(expression.args[0]) in ("add", "subtract"):
            one, other = map(self._amount, expression.args[1:])
            if one is None or other is None:
                return None
            sign = 1 if str(expression.args[0]) == "add" else -1
            return lambda contents: one(contents) + sign * other(contents)
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
            at = self._content(where)
            return lambda contents: len(contents[at] & wanted)
        veils = [one for one in before.cards(where) if is_veiled(one)]
        shown = [one for one in before.cards(where) if not is_veiled(one)]
        known = sum(bool(self.trace.tokens(one) & wanted) for one in shown)
        slots = [self._content(veil) for veil in veils]
        return lambda contents: known + sum(len(contents[at] & wanted) for at in slots)

    def _content(self, what: Term) -> int:
        return self.places.setdefault(self.trace.place(what), len(self.places))

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


def _some(count: Amount | None, wanted: bool) -> Excess | None:
    if count is None:
        return None
    return (lambda contents: int(count(contents) == 0)) if wanted else count


def _has_value(expression: Term, position: Position, value: Term) -> bool:
    try:
        return evaluate(expression, position) is value
    except EvaluationError:
        return False
