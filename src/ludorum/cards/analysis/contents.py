"""What is known of the cards at a place, and the values of functions over them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...rules.terms import Pattern
from ..language.terms import EMPTY, FALSE, TRUE, Term, number, truth
from ..machine.position import PACK
from .linear import as_sum, as_term
from .needs import NeedTruth


@dataclass(frozen=True)
class Contents:
    """The cards at a place: how many, and the known ones on top; all of them if ``complete``."""

    count: Term
    cards: tuple[Term, ...] = ()
    complete: bool = False


class Evaluator(Protocol):
    """What functions over places need of a moment of the walk (``symbolic.State``)."""

    def contents(self, place: Term, now: bool = True) -> Contents: ...
    def evaluate(self, term: Pattern) -> Term: ...
    def at_start(self, term: Pattern) -> Term: ...
    def truth(self, condition: Pattern) -> Term: ...


def evaluate_place_word(state: Evaluator, word: str, args: tuple[Term, ...], now: bool) -> Term:
    """``cards(stack)``, ``count(pile(won,p),card(any,hearts))`` and the like, now or at the start."""
    place = args[0]
    if place.name == "hand":
        return _of_hand(state, word, args, now)
    known = state.contents(place, now)
    if word == "cards":
        return known.count
    if word == "top" and (known.cards or known.complete):
        return known.cards[-1] if known.cards else EMPTY
    if word == "has" and known.complete:
        return truth(number_of(state, known, args[1]) > 0)
    if word in ("count", "total") and place is not PACK and _only_grew(known, place):
        base = number(0) if known.complete else Term(word, args)
        if word == "count":
            return add(base, number(number_of(state, known, args[1])))
        for one in known.cards:
            base = add(base, state.evaluate(Term("pointValue", (one,))))
        return base
    return Term(word, args)


def _of_hand(state: Evaluator, word: str, args: tuple[Term, ...], now: bool) -> Term:
    """Replace hands, which are not followed card by card; two terms with the same meaning become one."""
    if word == "cards":
        count = Term("cardsRemaining", args[0].args)
        return state.evaluate(count) if now else state.at_start(count)
    return Term("playerHas", (*args[0].args, args[1])) if word == "has" else Term(word, args)


def _only_grew(known: Contents, place: Term) -> bool:
    """Whether a place only got known cards since the start."""
    grown = as_sum(known.count).plus(as_sum(Term("cards", (place,))), -1)
    return known.complete or (grown.is_constant and grown.constant == len(known.cards))


def number_of(state: Evaluator, known: Contents, template: Term) -> int:
    """How many of the known cards fit; raises the question where the path so far does not decide it."""
    count = 0
    for one in known.cards:
        condition = Term("cardInstanceOf", (one, template))
        decided = state.truth(condition)
        if decided not in (TRUE, FALSE):
            raise NeedTruth(state.evaluate(condition))
        count += decided is TRUE
    return count


def add(term: Term, other: Term, factor: int = 1) -> Term:
    return as_term(as_sum(term).plus(as_sum(other), factor))
