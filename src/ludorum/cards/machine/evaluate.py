"""The value of an expression in a position."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ...rules.terms import Pattern
from ..language.deck import fits, point_value, rank_value
from ..language.melds import MOST_MELDED, deadwood, run_length, same_rank
from ..language.terms import (
    EMPTY,
    Term,
    as_integer,
    format_term,
    is_card,
    is_string,
    number,
    player,
    player_number,
    truth,
)
from .position import CardPosition, hand

_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "add": lambda left, right: left + right,
    "subtract": lambda left, right: left - right,
    "multiply": lambda left, right: left * right,
}
_LARGEST = 10**15
"""Larger numbers have no use in a game; a chart that doubles for ever must not fill the memory."""


class EvaluationError(Exception):
    """An expression that has no value here."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class NeedNumber(Exception):
    """The host must draw a number 0..n-1 first."""

    def __init__(self, term: Term) -> None:
        super().__init__(format_term(term))
        self.term = term


def evaluate(term: Pattern, position: CardPosition) -> Term:
    """The value of an expression; atoms without a value mean themselves."""
    assert isinstance(term, Term)
    if not term.args:
        return term if is_string(term) else position.variables.get(term, term)
    if term.name in _FORMS:
        return _FORMS[term.name](term, position)
    values = [evaluate(arg, position) for arg in term.args]
    function = _FUNCTIONS.get(term.name)
    if function is not None:
        return function(position, *values)
    name = Term(term.name, tuple(values))
    found = position.variables.get(name)
    if found is None:
        raise EvaluationError(f"{format_term(name)} has no value yet", "assign to it before it is read")
    return found


def evaluate_name(term: Pattern, position: CardPosition) -> Term:
    """The variable a left-hand side means: only its arguments are evaluated."""
    assert isinstance(term, Term)
    return Term(term.name, tuple(evaluate(arg, position) for arg in term.args))


def holds(term: Pattern, position: CardPosition) -> bool:
    """Whether a condition is true."""
    value = evaluate(term, position)
    if value.name not in ("true", "false"):
        raise EvaluationError(
            f"{format_term(value)} is neither true nor false", "compare it with something: ==, <, >"
        )
    return value.name == "true"


def integer(term: Pattern, position: CardPosition) -> int:
    return as_number(evaluate(term, position))


def as_number(value: Term) -> int:
    found = as_integer(value)
    if found is None:
        raise EvaluationError(f"{format_term(value)} is no whole number")
    return found


def as_player(value: Term, position: CardPosition) -> int:
    """The number of a player that takes part."""
    found = player_number(value)
    if found is None:
        raise EvaluationError(f"{format_term(value)} is no player", f"write player({format_term(value)})")
    if not 0 <= found < position.players:
        raise EvaluationError(f"there is no player({found})", f"players are 0 to {position.players - 1}")
    return found


def as_place(value: Term, position: CardPosition) -> Term:
    """A place for cards."""
    if value.name in ("pack", "stack", "discard") and not value.args:
        return value
    if value.name == "pile" and value.args:
        return value
    if value.name == "hand" and len(value.args) == 1:
        assert isinstance(value.args[0], Term)
        return hand(as_player(value.args[0], position))
    raise EvaluationError(
        f"{format_term(value)} is no place", "places are hand(player), pile(name), stack, discard, pack"
    )


def _and_or(term: Term, position: CardPosition) -> Term:
    name, left, right = term.args
    assert isinstance(name, Term)
    if name.name == "and":
        return truth(holds(left, position) and holds(right, position))
    if name.name == "or":
        return truth(holds(left, position) or holds(right, position))
    return number(_arithmetic(name.name, integer(left, position), integer(right, position)))


def _arithmetic(name: str, left: int, right: int) -> int:
    if name in ("modulo", "divide"):
        if right == 0:
            raise EvaluationError(f"{left} {'%' if name == 'modulo' else '/'} 0 has no value")
        return left % right if name == "modulo" else left // right
    if name not in _ARITHMETIC:
        raise EvaluationError(f"there is no operation {name}")
    found = _ARITHMETIC[name](left, right)
    if abs(found) > _LARGEST:
        raise EvaluationError(f"a number beyond {_LARGEST}")
    return found


def _random(term: Term, position: CardPosition) -> Term:
    """A random number; two draws of the same size in one step are one draw, since their term is the same."""
    wanted = Term("random", (number(integer(term.args[0], position)),))
    if as_number(wanted.args[0]) < 1:  # type: ignore[arg-type]
        raise EvaluationError(f"{format_term(wanted)}: there is no number to draw")
    found = position.answers.get(wanted)
    if found is None:
        raise NeedNumber(wanted)
    assert isinstance(found, Term)
    return found


def _suit(position: CardPosition, value: Term) -> Term:
    if is_card(value):
        return value.args[1]  # type: ignore[return-value]
    found = position.variables.get(Term("suit", (value,)))
    if found is None:
        raise _no_card("suit", value)
    return found


def _rank(position: CardPosition, value: Term) -> Term:
    if not is_card(value):
        raise _no_card("rank", value)
    return value.args[0]  # type: ignore[return-value]


def _rank_value(position: CardPosition, value: Term) -> Term:
    if value is EMPTY:
        raise _no_card("rankValue", value)
    rank = _rank(position, value) if is_card(value) else value
    own = position.variables.get(Term("rankValue", (rank,)))
    if own is not None:
        return own
    found = rank_value(rank)
    if found is None:
        message = f"{format_term(rank)} has no place in the order of ranks"
        raise EvaluationError(message, f"assign rankValue({format_term(rank)})=... before")
    return number(found)


def card_points(position: CardPosition, value: Term) -> Term:
    """The points of a card: those assigned to the card, its rank or its suit, else its pips."""
    if not is_card(value):
        found = position.variables.get(Term("pointValue", (value,)))
        return number(point_value(value)) if found is None else found
    for name in _names_of_points(value):
        found = position.variables.get(name)
        if found is not None:
            return found
    assert isinstance(value.args[0], Term)
    return number(point_value(value.args[0]))


@lru_cache(maxsize=4096)  # worlds by the thousand ask for the cards of a few games
def _names_of_points(what: Term) -> tuple[Term, ...]:
    """The names under which the points of a card may have been assigned, the nearest first."""
    return tuple(Term("pointValue", (part,)) for part in (what, *what.args))


def _no_card(function: str, value: Term) -> EvaluationError:
    hint = "nobody has played yet, or the stack was emptied" if value is EMPTY else "give it a card"
    return EvaluationError(f"{function}({format_term(value)}): {format_term(value)} is no card", hint)


def _team(position: CardPosition, who: Term) -> Term:
    return position.variables.get(Term("team", (who,)), number(as_player(who, position)))


def _cards(position: CardPosition, place: Term) -> tuple[Term, ...]:
    """The cards of a place, in order or not; an error for the pack, which is hidden."""
    if place.name == "pack":
        raise EvaluationError("what lies in the pack is not known", "cards(pack) says how many there are")
    return position.cards(as_place(place, position))


def _top(position: CardPosition, place: Term) -> Term:
    cards = _cards(position, place)
    return cards[-1] if cards else EMPTY


def _deadwood(position: CardPosition, place: Term) -> Term:
    cards = _cards(position, place)
    if len(cards) > MOST_MELDED:
        raise EvaluationError(f"deadwood of {len(cards)} cards: {MOST_MELDED} are the most")
    return number(deadwood([(one, as_number(card_points(position, one))) for one in cards]))


_FORMS: dict[str, Callable[[Term, CardPosition], Term]] = {"operation": _and_or, "random": _random}

_FUNCTIONS: dict[str, Callable[..., Term]] = {
    "equal": lambda position, left, right: truth(left is right),
    "lessThan": lambda position, left, right: truth(as_number(left) < as_number(right)),
    "greaterThan": lambda position, left, right: truth(as_number(left) > as_number(right)),
    "neg": lambda position, value: truth(not holds(value, position)),
    "player": lambda position, index: player(as_number(index)),
    "playerNumber": lambda position, who: number(as_player(who, position)),
    "nextPlayer": lambda position, who: player((as_player(who, position) + 1) % position.players),
    "card": lambda position, rank, suit: Term("card", (rank, suit)),
    "union": lambda position, left, right: Term("union", (left, right)),
    "suit": _suit,
    "rank": _rank,
    "rankValue": _rank_value,
    "pointValue": card_points,
    "abs": lambda position, value: number(abs(as_number(value))),
    "min": lambda position, left, right: number(min(as_number(left), as_number(right))),
    "max": lambda position, left, right: number(max(as_number(left), as_number(right))),
    "team": _team,
    "playerHas": lambda position, who, template: truth(
        any(fits(one, template) for one in position.cards(hand(as_player(who, position))))
    ),
    "cardInstanceOf": lambda position, what, template: truth(fits(what, template)),
    "hand": lambda position, who: hand(as_player(who, position)),
    "pile": lambda position, *names: Term("pile", names),
    "range": lambda position, least, most: Term("range", (least, most)),
    "cards": lambda position, place: number(position.count(as_place(place, position))),
    "count": lambda position, place, template: number(
        sum(fits(one, template) for one in _cards(position, place))
    ),
    "has": lambda position, place, template: truth(
        any(fits(one, template) for one in _cards(position, place))
    ),
    "top": _top,
    "total": lambda position, place: number(
        sum(as_number(card_points(position, one)) for one in _cards(position, place))
    ),
    "sameRank": lambda position, place: number(same_rank(_cards(position, place))),
    "runLength": lambda position, place: number(run_length(_cards(position, place))),
    "deadwood": _deadwood,
}
