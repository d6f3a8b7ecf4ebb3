"""Positions as facts, and facts as positions, for code that handles states as terms only."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.errors import MalformedStateError
from ..language.deck import counted, sorted_cards, standard_pack
from ..language.terms import Term, as_integer, format_term, is_card, number
from .position import PACK_INDEX, CardPosition

_FINISHED, _BROKEN_OFF = Term("finished"), Term("broken_off")


def facts_of(position: CardPosition) -> frozenset[Term]:
    """The facts that distinguish a position from others."""
    found = [
        Term("node", (number(position.node),)),
        Term("step", (number(position.step),)),
        Term("decisions", (number(position.decisions),)),
        Term("pack", (number(len(position.order)),)),
        *(Term("variable", item) for item in position.variables.items()),
        *(Term("seen_by", (Term(name), Term(kind))) for name, kind in position.visibility.items()),
        *(Term("undrawn", (card, number(count))) for card, count in counted(position.undrawn)),
    ]
    if position.composition != standard_pack():
        found += [Term("pack_of", (card, number(count))) for card, count in counted(position.composition)]
    for place, cards in position.places.items():
        found += [Term("lies", (place, number(at), card)) for at, card in enumerate(cards)]
    for at, one in enumerate(position.order[position.index :], start=position.index):
        if one is not None:
            found.append(Term("order", (number(at), one)))
    for question, answer in position.answers.items():
        value = answer if isinstance(answer, Term) else Term(str(answer))
        found.append(Term("answered", (question, value)))
    found += [_FINISHED] * position.is_finished + [_BROKEN_OFF] * position.is_broken_off
    return frozenset(found)


def position_of(facts: Iterable[Term], players: int) -> CardPosition:
    """The position that facts describe; MalformedStateError where they describe none."""
    found = CardPosition(0, players, composition=standard_pack())
    by_name: dict[str, list[Term]] = {}
    for fact in facts:
        by_name.setdefault(fact.name, []).append(fact)
    try:
        _read_numbers(found, by_name)
        for fact in by_name.get("variable", []):
            name, value = _terms(fact, 2)
            found.variables[name] = value
        for fact in by_name.get("seen_by", []):
            name, kind = _terms(fact, 2)
            found.visibility[name.name] = kind.name
        for fact in by_name.get("answered", []):
            question, answer = _terms(fact, 2)
            found.answers[question] = _number(answer) if question.name == "left" else answer
        found.undrawn = _multiset(by_name.get("undrawn", []))
        if "pack_of" in by_name:
            found.composition = _multiset(by_name["pack_of"])
        _read_places(found, by_name)
    except (ValueError, KeyError) as error:
        raise MalformedStateError(f"not a state of a card game: {error}") from None
    found.is_finished, found.is_broken_off = "finished" in by_name, "broken_off" in by_name
    return found


def _read_numbers(found: CardPosition, by_name: dict[str, list[Term]]) -> None:
    for name in ("node", "step", "decisions", "pack"):
        if len(by_name.get(name, [])) != 1:
            raise ValueError(f"it has one fact ({name} number)")
    found.node, found.step, found.decisions, size = (
        _number(_terms(by_name[name][0], 1)[0]) for name in ("node", "step", "decisions", "pack")
    )
    found.decided_at = found.step
    found.order = (None,) * size


def _read_places(found: CardPosition, by_name: dict[str, list[Term]]) -> None:
    rows = [_terms(fact, 3) for fact in by_name.get("lies", [])]
    for place, _, card in sorted(rows, key=lambda row: _number(row[1])):
        if not is_card(card):
            raise ValueError(f"{format_term(card)} is no card")
        found.places[place] = (*found.places.get(place, ()), card)
    found.index = _number(found.variables[PACK_INDEX])
    for fact in by_name.get("order", []):
        at, card = _terms(fact, 2)
        where = _number(at)
        if where >= len(found.order):
            raise ValueError(f"the pack has no card {where}")
        found.order = (*found.order[:where], card, *found.order[where + 1 :])


def _multiset(facts: list[Term]) -> tuple[Term, ...]:
    cards: list[Term] = []
    for fact in facts:
        card, count = _terms(fact, 2)
        cards += [card] * _number(count)
    return sorted_cards(cards)


def _terms(fact: Term, count: int) -> list[Term]:
    args = [arg for arg in fact.args if isinstance(arg, Term)]
    if len(args) != count:
        raise ValueError(f"{fact} has {count} arguments")
    return args


def _number(term: Term) -> int:
    value = as_integer(term)
    if value is None or value < 0:
        raise ValueError(f"{term} is no number from 0 on")
    return value
