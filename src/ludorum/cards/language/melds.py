"""Sets and runs, as in rummy and cribbage. Aces are low here."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from .deck import rank_value
from .terms import Term

_ACE = Term("ace")


def low_value(what: Term) -> int:
    """The place of a card in a run: ace 1 to king 13; 0 for ranks of a chart's own."""
    rank = what.args[0]
    assert isinstance(rank, Term)
    return 1 if rank is _ACE else (rank_value(rank) or 0)


def same_rank(cards: Sequence[Term]) -> int:
    """How many cards on top have the rank of the topmost."""
    count = 0
    for one in reversed(cards):
        if one.args[0] is not cards[-1].args[0]:
            break
        count += 1
    return count


def run_length(cards: Sequence[Term]) -> int:
    """The most cards on top that make a run in any order, three at least; else 0."""
    best = 0
    for count in range(3, len(cards) + 1):
        values = sorted(low_value(one) for one in cards[-count:])
        if values == list(range(values[0], values[0] + count)):
            best = count
    return best


def melds(cards: Sequence[Term]) -> list[frozenset[int]]:
    """Sets of three or four of a rank and runs of three and more in a suit, as places in the sequence."""
    found: list[frozenset[int]] = []
    by_rank: dict[object, list[int]] = {}
    by_suit: dict[object, dict[int, int]] = {}
    for at, one in enumerate(cards):
        by_rank.setdefault(one.args[0], []).append(at)
        by_suit.setdefault(one.args[1], {})[low_value(one)] = at
    for group in by_rank.values():
        for size in (3, 4):
            found += [frozenset(some) for some in combinations(group, size)]
    for values in by_suit.values():
        for low in values:
            run = [values[low]]
            while low + len(run) in values:
                run.append(values[low + len(run)])
                if len(run) >= 3:
                    found.append(frozenset(run))
    return found


MOST_MELDED = 20
"""Most cards whose deadwood is computed: more have too many ways to be melded."""


def deadwood(cards: Sequence[tuple[Term, int]]) -> int:
    """The least points of cards in no meld, over all ways to meld the rest."""
    points = [value for _, value in cards]
    starting: dict[int, list[tuple[int, int]]] = {}
    for meld in melds([one for one, _ in cards]):
        mask = sum(1 << at for at in meld)
        starting.setdefault(min(meld), []).append((mask, sum(points[at] for at in meld)))
    known: dict[int, int] = {0: 0}

    def saved(free: int) -> int:
        """The most points that melds of free cards take away: the first card is in one of them or in none."""
        if free not in known:
            first = (free & -free).bit_length() - 1
            best = saved(free & (free - 1))
            for mask, worth in starting.get(first, ()):
                if mask & free == mask:
                    best = max(best, worth + saved(free & ~mask))
            known[free] = best
        return known[free]

    return sum(points) - saved((1 << len(cards)) - 1)
