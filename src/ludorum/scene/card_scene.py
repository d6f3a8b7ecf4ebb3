"""The card table of a scene: hands, the trick, piles, scores, bids and trumps; no counters of the chart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..cards.language.terms import FALSE, player
from ..cards.machine.outcome import scores
from ..cards.machine.position import PACK, STACK, CardPosition, hand
from ..cards.machine.story import any_veiled, is_veiled
from ..cards.show.faces import spoken, value_text
from ..cards.show.picture import named_suits, place_words
from ..rules.terms import Term, sort_key
from .card_faces import card_face
from .card_moment import CardMoment
from .model import CardHand, CardPile, CardScene

ELSEWHERE = frozenset({"score", "cardsRemaining", "middle", "passed", "rankValue", "pointValue", "suit"})
"""Variables of the language itself: shown by their meaning, or not at all."""


def card_scene(
    moment: CardMoment, roles: Sequence[str], viewer: int | None, you: int | None = None
) -> CardScene:
    """The table as a viewer sees it, all cards face up for None. ``you`` is the viewer's seat."""
    position, trick = moment.position, moment.trick
    return CardScene(
        hands=tuple(_hand(position, at, roles[at], viewer, at == you) for at in range(position.players)),
        trick=tuple((roles[at], card_face(card)) for at, card in trick.plays),
        is_taken=trick.is_taken,
        piles=tuple(_piles(position, viewer, is_trick=bool(trick.plays) and not trick.is_taken)),
        suits=tuple(named_suits(position)),
    )


def _hand(position: CardPosition, at: int, role: str, viewer: int | None, is_viewer: bool) -> CardHand:
    notes = []
    for name, value in sorted(position.variables.items(), key=lambda item: sort_key(item[0])):
        is_about = name.args == (player(at),) and name.name not in ELSEWHERE
        if is_about and value is not FALSE and not is_veiled(value):
            notes.append(f"{spoken(name.name)} {value_text(value)}")
    if position.variables[Term("passed", (player(at),))] is not FALSE:
        notes.append("passed")
    return CardHand(role, is_viewer, scores(position)[at], tuple(notes), _pile(position, hand(at), viewer))


def _piles(position: CardPosition, viewer: int | None, is_trick: bool) -> Iterable[CardPile]:
    for place in sorted(position.places, key=sort_key):
        if place.name != "hand" and position.places[place] and not (place is STACK and is_trick):
            yield _pile(position, place, viewer)
    if position.count(PACK):
        yield CardPile("pack", position.count(PACK), None)


def _pile(position: CardPosition, place: Term, viewer: int | None) -> CardPile:
    cards = position.cards(place)
    is_seen = viewer is None or (position.sees(viewer, place) and not any_veiled(cards))
    return CardPile(place_words(place), len(cards), tuple(map(card_face, cards)) if is_seen else None)
