"""Cards at places, as far as they are known: those that came there in this pass."""

from __future__ import annotations

from dataclasses import replace

from ..language.terms import EMPTY, Term, as_integer, number
from ..machine.position import PACK
from .contents import Contents, add, number_of
from .symbolic import SymbolicState


def change_hand(state: SymbolicState, who: Term, by: Term, factor: int) -> None:
    name = Term("cardsRemaining", (who,))
    state.variables[name] = add(state.value(name), by, factor)
    state.hand_changes[who] = state.hand_changes.get(who, 0) + 1


def put(state: SymbolicState, place: Term, cards: tuple[Term, ...]) -> None:
    """Put known cards on a place."""
    if place.name == "hand":
        assert isinstance(place.args[0], Term)
        change_hand(state, place.args[0], number(len(cards)), 1)
        return
    known = state.contents(place)
    count = add(known.count, number(len(cards)))
    state.places[place] = replace(known, count=count, cards=known.cards + cards)


def empty(state: SymbolicState, place: Term) -> Contents:
    """Remove all cards of a place; returns what is known of them."""
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


def move(state: SymbolicState, source: Term, target: Term, count: Term) -> None:
    """Move so many cards from one place to another; those from the pack or a hand are unknown."""
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


def move_all(state: SymbolicState, source: Term, target: Term, template: Term | None) -> None:
    """All cards of a place, or those that fit a template."""
    known = state.contents(source) if source.name != "hand" else None
    if template is not None and not (known is not None and known.complete):
        _move_some(state, source, target, Term("count", (source, template)))
        return
    if template is not None and known is not None:
        moved = []
        for one in known.cards:
            if number_of(state, Contents(number(1), (one,), True), template):
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


def _move_some(state: SymbolicState, source: Term, target: Term, count: Term) -> None:
    """Move a number of cards that is only a name."""
    if source.name == "hand":
        assert isinstance(source.args[0], Term)
        change_hand(state, source.args[0], count, -1)
    elif source is not PACK:
        known = state.contents(source)
        state.places[source] = Contents(add(known.count, count, -1))
    _receive_some(state, target, count)


def _receive_some(state: SymbolicState, target: Term, count: Term) -> None:
    if target.name == "hand":
        assert isinstance(target.args[0], Term)
        change_hand(state, target.args[0], count, 1)
    else:
        known = state.contents(target)
        state.places[target] = Contents(add(known.count, count))


def _take_top(state: SymbolicState, source: Term) -> Term | None:
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


def forget_middles(state: SymbolicState, cards: tuple[Term, ...] | None) -> None:
    """Forget the last cards of players when cards leave the middle."""
    for index in range(state.names.players):
        name = Term("middle", (Term("player", (number(index),)),))
        if cards is None or state.value(name) in cards:
            state.variables[name] = EMPTY
