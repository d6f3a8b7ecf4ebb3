"""What the value of an expression says about hidden hands: which have a card of a kind, which have none."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ...rules.terms import Pattern
from ..language.language import PLACE_FUNCTIONS
from ..language.terms import FALSE, TRUE, Term, as_integer, subterms, truth
from ..machine.evaluate import EvaluationError, NeedNumber, as_place, evaluate
from ..machine.position import PACK, CardPosition
from ..machine.story import any_veiled


@dataclass(frozen=True)
class Holding:
    """A hand has some card that fits a template, or it has none."""

    place: Term
    template: Term
    some: bool


def is_public(expression: Pattern, position: CardPosition) -> bool:
    """Whether an expression can be evaluated without any veiled card."""
    for term in _places_in(expression):
        place = _place(term, position)
        if place is None or (place is not PACK and any_veiled(position.cards(place))):
            return False
    return True


@lru_cache(maxsize=4096)  # a chart asks the same again and again
def _places_in(expression: Pattern) -> tuple[Pattern, ...]:
    """The places whose cards matter for an expression."""
    found: list[Pattern] = []
    for one in subterms(expression):
        if one.name == "playerHas":
            found.append(Term("hand", (one.args[0],)))
        elif one.name in PLACE_FUNCTIONS:
            found.append(one.args[0])
    return tuple(found)


def holdings(expression: Pattern, value: Term, position: CardPosition) -> list[Holding] | None:
    """All consequences for single hands; None where there are others."""
    if is_public(expression, position):
        return []
    if not isinstance(expression, Term) or value not in (TRUE, FALSE):
        return None
    args = expression.args
    match expression.name:
        case "playerHas":
            return _holding(Term("hand", (args[0],)), args[1], value is TRUE, position)
        case "has":
            return _holding(args[0], args[1], value is TRUE, position)
        case "neg":
            return holdings(args[0], truth(value is FALSE), position)
        case "operation":
            return _of_both(expression, value, position)
        case "equal" | "greaterThan" | "lessThan":
            return _of_comparison(expression, value, position)
    return None


def _of_both(expression: Term, value: Term, position: CardPosition) -> list[Holding] | None:
    """Both parts are known where a conjunction is true, or a disjunction false, or one part is not hidden."""
    name, *parts = expression.args
    settled = TRUE if str(name) == "and" else FALSE
    if str(name) not in ("and", "or"):
        return None
    if value is not settled:
        secret = [part for part in parts if not is_public(part, position)]
        if len(secret) == 2 or any(
            evaluate(part, position) is value for part in parts if is_public(part, position)
        ):
            return None if len(secret) == 2 else []
        return holdings(secret[0], value, position)
    found: list[Holding] = []
    for part in parts:
        some = holdings(part, value, position)
        if some is None:
            return None
        found += some
    return found


def _of_comparison(expression: Term, value: Term, position: CardPosition) -> list[Holding] | None:
    """``playerHas(..)==true``, and counts compared with 0."""
    name = expression.name
    left, right = expression.args
    if is_public(left, position):
        left, right = right, left
        name = {"greaterThan": "lessThan", "lessThan": "greaterThan"}.get(name, name)
    if not is_public(right, position) or not isinstance(left, Term):
        return None
    other = evaluate(right, position)
    if name == "equal" and other in (TRUE, FALSE):
        return holdings(left, truth(other is value), position)
    if left.name != "count":
        return None
    amount = as_integer(other)
    none_at_all = {"equal": (0, TRUE), "greaterThan": (0, FALSE), "lessThan": (1, TRUE)}[name]
    if amount != none_at_all[0]:
        return None
    return _holding(left.args[0], left.args[1], value is not none_at_all[1], position)


def _holding(place: Pattern, template: Pattern, some: bool, position: CardPosition) -> list[Holding] | None:
    where = _place(place, position)
    if where is None or where.name != "hand" or not is_public(template, position):
        return None
    return [Holding(where, evaluate(template, position), some)]


def _place(term: Pattern, position: CardPosition) -> Term | None:
    try:
        return as_place(evaluate(term, position), position)
    except (EvaluationError, NeedNumber):
        return None
