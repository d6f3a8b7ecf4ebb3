"""Cards at places, as far as they are known: what came to lie there in this pass."""

from __future__ import annotations

from dataclasses import replace

from ..position import PACK
from ..terms import EMPTY, FALSE, TRUE, Term, as_integer, number, truth
from .linear import as_sum, as_term
from .symbolic import Contents, NeedTruth, State


def evaluate_place_word(state: State, word: str, args: tuple[Term, ...], now: bool) -> Term:
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
        return truth(_number_of(state, known, args[1]) > 0)
    if word in ("count", "total") and place is not PACK and _only_grew(known, place):
        base = number(0) if known.complete else Term(word, args)
        if word == "count":
            return add(base, number(_number_of(state, known, args[1])))
        for one in known.cards:
            base = add(base, state.evaluate(Term("pointValue", (one,))))
        return base
    return Term(word, args)


def _of_hand(state: State, word: str, args: tuple[Term, ...], now: bool) -> Term:
    """Hands are not followed card by card; two words for the same thing become one."""
    if word == "cards":
        count = Term("cardsRemaining", args[0].args)
        return state.evaluate(count) if now else state.at_start(count)
    return Term("playerHas", (*args[0].args, args[1])) if word == "has" else Term(word, args)


def _only_grew(known: Contents, place: Term) -> bool:
    """Whether all that happened to a place since the start is that known cards came."""
    grown = as_sum(known.count).plus(as_sum(Term("cards", (place,))), -1)
    return known.complete or (grown.is_constant and grown.constant == len(known.cards))


def _number_of(state: State, known: Contents, template: Term) -> int:
    """How many of the known cards fit; whether one does is asked where the way so far does not say."""
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


def change_hand(state: State, who: Term, by: Term, factor: int) -> None:
    name = Term("cardsRemaining", (who,))
    state.variables[name] = add(state.value(name), by, factor)
    state.hand_changes[who] = state.hand_changes.get(who, 0) + 1


def put(state: State, place: Term, cards: tuple[Term, ...]) -> None:
    """Known cards come to lie on a place."""
    if place.name == "hand":
        assert isinstance(place.args[0], Term)
        change_hand(state, place.args[0], number(len(cards)), 1)
        return
    known = state.contents(place)
    count = add(known.count, number(len(cards)))
    state.places[place] = replace(known, count=count, cards=known.cards + cards)


def empty(state: State, place: Term) -> Contents:
    """A place loses all its cards; what is known of them is returned."""
    if place.name == "hand":
        assert isinstance(place.args[0], Term)
        name = Term("cardsRemaining", place.args)
        count = state.value(name)
        state.variables[name] = number(0)
        state.hand_changes[place.args[0]] = state.hand_changes.get(place.args[0], 0) + 1
        return Contents(count)
    known = state.contents(place)
    state.places[place] = Contents(number(0), (), True)
    return known


def move(state: State, source: Term, target: Term, count: Term) -> None:
    """So many cards from one place to another; from the pack or a hand nobody knows which."""
    wanted = as_integer(count)
    if wanted is None:
        _move_some(state, source, target, count)
        return
    cards: list[Term] = []
    for _ in range(wanted):
        found = _take_top(state, source)
        if found is None:
            break
        cards.append(found)
    put(state, target, tuple(cards))


def move_all(state: State, source: Term, target: Term, template: Term | None) -> None:
    """All cards of a place, or those that fit a template."""
    known = state.contents(source) if source.name != "hand" else None
    if template is not None and not (known is not None and known.complete):
        _move_some(state, source, target, Term("count", (source, template)))
        return
    if template is not None and known is not None:
        moved = []
        for one in known.cards:
            if _number_of(state, Contents(number(1), (one,), True), template):
                moved.append(one)
        kept = tuple(one for one in known.cards if one not in moved)
        state.places[source] = Contents(number(len(kept)), kept, True)
        put(state, target, tuple(moved))
        return
    gone = empty(state, source)
    if gone.complete:
        put(state, target, gone.cards)
    else:
        _receive_some(state, target, gone.count)


def _move_some(state: State, source: Term, target: Term, count: Term) -> None:
    """A number of cards that is only a name."""
    if source.name == "hand":
        assert isinstance(source.args[0], Term)
        change_hand(state, source.args[0], count, -1)
    elif source is not PACK:
        known = state.contents(source)
        state.places[source] = Contents(add(known.count, count, -1))
    _receive_some(state, target, count)


def _receive_some(state: State, target: Term, count: Term) -> None:
    if target.name == "hand":
        assert isinstance(target.args[0], Term)
        change_hand(state, target.args[0], count, 1)
    else:
        known = state.contents(target)
        state.places[target] = Contents(add(known.count, count))


def _take_top(state: State, source: Term) -> Term | None:
    """The topmost card, by a name of its own where it is not known; None where there is none."""
    if source.name == "hand":
        assert isinstance(source.args[0], Term)
        change_hand(state, source.args[0], number(1), -1)
        return Term("top", (source, state.value(Term("cardsRemaining", source.args))))
    known = state.contents(source)
    if known.complete and not known.cards:
        return None
    count = add(known.count, number(1), -1)
    if known.cards:
        state.places[source] = Contents(count, known.cards[:-1], known.complete)
        return known.cards[-1]
    state.places[source] = Contents(count)
    return Term("top", (source, count))


def forget_middles(state: State, cards: tuple[Term, ...] | None) -> None:
    """Cards that leave the middle are nobody's last card any more."""
    for index in range(state.names.players):
        name = Term("middle", (Term("player", (number(index),)),))
        if cards is None or state.value(name) in cards:
            state.variables[name] = EMPTY
