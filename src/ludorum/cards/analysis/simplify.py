"""Simpler terms of the same meaning: constants are folded, sums gathered, known parts left out."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.terms import Pattern
from ..language.deck import fits, rank_value
from ..language.terms import (
    FALSE,
    TRUE,
    Term,
    as_integer,
    is_card,
    number,
    operation,
    player,
    player_number,
    truth,
)
from .linear import as_sum, as_term
from .names import ChartNames


def negation(term: Term) -> Term:
    """The negation of a condition."""
    if term is TRUE or term is FALSE:
        return truth(term is FALSE)
    if term.name == "neg":
        assert isinstance(term.args[0], Term)
        return term.args[0]
    return Term("neg", (term,))


def conjuncts(term: Term) -> Iterator[Term]:
    """The parts of a condition that must hold together; those that always do are left out."""
    if is_operation(term, "and"):
        for part in term.args[1:]:
            assert isinstance(part, Term)
            yield from conjuncts(part)
    elif term is not TRUE:
        yield term


def is_operation(term: Pattern, *names: str) -> bool:
    return isinstance(term, Term) and term.name == "operation" and str(term.args[0]) in names


def fold(name: str, args: tuple[Term, ...], names: ChartNames) -> Term:
    """A function of simplified arguments, simplified."""
    match name, args:
        case "operation", (sign, left, right):
            return _operation(sign.name, left, right, names)
        case "neg", (inner,):
            return negation(inner)
        case (("equal" | "lessThan" | "greaterThan"), (left, right)):
            return _compare(name, left, right, names)
        case "playerNumber", (who,):
            at = player_number(who)
            return Term(name, args) if at is None else number(at)
        case "nextPlayer", (who,):
            at = player_number(who)
            return Term(name, args) if at is None else player((at + 1) % names.players)
        case (("suit" | "rank"), (what,)) if is_card(what):
            return what.args[name == "suit"]  # type: ignore[return-value]
        case "suit", (what,):
            return _suit_by_number(what)
        case "rankValue", (what,):
            return _rank_value(what, names)
        case (("abs" | "min" | "max"), _):
            return _extreme(name, args)
        case "cardInstanceOf", (what, template) if names.is_value(what) and names.is_value(template):
            return truth(fits(what, template))
    return Term(name, args)


def _operation(sign: str, left: Term, right: Term, names: ChartNames) -> Term:
    if sign in ("and", "or"):
        return and_or(sign, left, right)
    if sign in ("modulo", "divide"):
        return _divide(sign, left, right, names)
    if sign in ("add", "subtract", "multiply"):
        return as_term(as_sum(operation(sign, left, right)))
    return operation(sign, left, right)


def and_or(sign: str, left: Term, right: Term) -> Term:
    """The conjunction of two conditions, simplified."""
    neutral, decisive = (TRUE, FALSE) if sign == "and" else (FALSE, TRUE)
    if left is decisive or right is decisive:
        return decisive
    if left is neutral or left is right:
        return right
    return left if right is neutral else operation(sign, left, right)


def _divide(sign: str, left: Term, right: Term, names: ChartNames) -> Term:
    divisor, value = as_integer(right), as_integer(left)
    if divisor is None or divisor == 0:
        return operation(sign, left, right)
    if value is not None:
        return number(value % divisor if sign == "modulo" else value // divisor)
    if sign == "modulo" and names.holds_number_of_player(left) and divisor == names.players:
        return left
    return operation(sign, left, right)


def _compare(name: str, left: Term, right: Term, names: ChartNames) -> Term:
    if name == "equal" and left in (TRUE, FALSE):
        left, right = right, left
    if left is right:
        return truth(name == "equal")
    difference = as_sum(left).plus(as_sum(right), -1)
    if difference.is_constant:
        gap = difference.constant
        return truth(gap == 0 if name == "equal" else gap < 0 if name == "lessThan" else gap > 0)
    if name == "equal" and names.is_value(left) and names.is_value(right):
        return FALSE
    return Term(name, (left, right))


def _suit_by_number(what: Term) -> Term:
    from ..language.deck import SUITS

    index = as_integer(what)
    return SUITS[index] if index is not None and 0 <= index < len(SUITS) else Term("suit", (what,))


def _rank_value(what: Term, names: ChartNames) -> Term:
    rank = what.args[0] if is_card(what) else what
    if ("rankValue", 1) in names.assigned or not names.is_value(rank):
        return Term("rankValue", (what,))
    assert isinstance(rank, Term)
    value = rank_value(rank)
    return Term("rankValue", (what,)) if value is None else number(value)


def _extreme(name: str, args: tuple[Term, ...]) -> Term:
    values = [as_integer(arg) for arg in args]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Term(name, args)
    return number(abs(known[0]) if name == "abs" else min(known) if name == "min" else max(known))
