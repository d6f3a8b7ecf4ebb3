"""Cards: ranks, suits, packs, and which card fits which template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from ...rules.terms import Pattern, sort_key
from .terms import ANY, Term, as_integer, card, number

SUITS = tuple(map(Term, ("clubs", "diamonds", "hearts", "spades")))
RANKS = (*(number(value) for value in range(2, 11)), *map(Term, ("jack", "queen", "king", "ace")))
_RANK_VALUES = {rank: value for value, rank in enumerate(RANKS, start=2)} | {Term("joker"): 15}
_PIPS = {Term("jack"): 10, Term("queen"): 10, Term("king"): 10, Term("ace"): 1, Term("joker"): 0}


@cache
def standard_pack() -> tuple[Term, ...]:
    """The 52 cards, suit by suit."""
    return tuple(card(rank, suit) for suit in SUITS for rank in RANKS)


def cards_like(template: Term) -> tuple[Term, ...]:
    """The cards of a template: ``any`` means all usual ranks, or suits; other names themselves."""
    if template.name == "union":
        return tuple(one for part in template.args if isinstance(part, Term) for one in cards_like(part))
    rank, suit = template.args
    ranks = RANKS if rank is ANY else (rank,)
    suits = SUITS if suit is ANY else (suit,)
    return tuple(
        card(one, other)
        for other in suits
        for one in ranks
        if isinstance(one, Term) and isinstance(other, Term)
    )


@lru_cache(maxsize=1 << 14)
def fits(what: Term, template: Pattern) -> bool:
    """Whether a card fits a template, both evaluated. Cached: the same cards are asked for often."""
    if not isinstance(template, Term):
        return False
    if template.name == "union":
        return any(fits(what, part) for part in template.args)
    if template.name != "card" or what.name != "card":
        return False
    return all(
        wanted is ANY or wanted is found for wanted, found in zip(template.args, what.args, strict=True)
    )


def rank_value(rank: Term) -> int | None:
    """The usual order: 2 to 10, jack 11, queen 12, king 13, ace 14; None for ranks of a chart's own."""
    found = _RANK_VALUES.get(rank)
    return as_integer(rank) if found is None else found


def point_value(rank: Term) -> int:
    """The points of a rank where a chart assigns none: its pips, ten for a court card, one for an ace."""
    return _PIPS.get(rank, as_integer(rank) or 0)


def sorted_cards(cards: Iterable[Term]) -> tuple[Term, ...]:
    """The order of cards in a hand: by suit, then by rank."""
    return tuple(sorted(cards, key=_order))


@lru_cache(maxsize=4096)  # the cards of a few games: worlds by the thousand are sorted
def _order(what: Term) -> tuple[object, ...]:
    rank, suit = what.args
    assert isinstance(rank, Term)
    value = rank_value(rank)
    return (sort_key(suit), 0 if value is None else value, sort_key(rank))


def counted(cards: Iterable[Term]) -> Iterator[tuple[Term, int]]:
    """Different cards with the number of each, in their order."""
    counts: dict[Term, int] = {}
    for one in cards:
        counts[one] = counts.get(one, 0) + 1
    for one in sorted(counts, key=_order):
        yield one, counts[one]
