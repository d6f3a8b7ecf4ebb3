"""Random events: what a name in a move may become, how likely that is, and one draw of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from ..terms import Pattern, Term, format_term
from .rewriting import with_terms

Rows = Iterable[tuple[Term, ...]]
"""The rows of ``random`` in a state: name, weight, event."""


class NoPossibleEventError(Exception):
    """All weights of a name are 0, or it has no event at all."""


@dataclass(frozen=True)
class DrawnEvent:
    """One draw, as records keep it."""

    name: Term
    event: Term
    weight: int
    total: int


def weight_of(term: Pattern) -> int | None:
    """The weight that a term writes, or None where it is none."""
    if isinstance(term, Term) and not term.args and term.name.isascii() and term.name.isdigit():
        return int(term.name)
    return None


def events_of(name: Term, rows: Rows) -> dict[Term, int]:
    """The events of a name with their weights, sorted by their text, so that a seed decides the outcome.

    Events of weight 0 are left out. The weights of an event that has several are added.
    """
    found: dict[Term, int] = {}
    for one, weight, event in dict.fromkeys(rows):
        number = weight_of(weight)
        if one is name and number:
            found[event] = found.get(event, 0) + number
    return dict(sorted(found.items(), key=lambda entry: format_term(entry[0])))


def probabilities(name: Term, rows: Rows) -> dict[Term, Fraction]:
    """The exact probability of each event of a name; NoPossibleEventError where there is none."""
    events = events_of(name, rows)
    total = sum(events.values())
    if not total:
        raise NoPossibleEventError(f"no event of {name} is possible")
    return {event: Fraction(weight, total) for event, weight in events.items()}


def names_in(move: Pattern, names: frozenset[Term]) -> list[Term]:
    """The random names among the arguments of a move, however deep, from left to right, each once."""
    return list(dict.fromkeys(_names_in(move, names)))


def _names_in(pattern: Pattern, names: frozenset[Term]) -> Iterator[Term]:
    if isinstance(pattern, Term):
        for arg in pattern.args:
            if isinstance(arg, Term) and arg in names:
                yield arg
            else:
                yield from _names_in(arg, names)


def with_events(move: Term, events: Mapping[Pattern, Pattern]) -> Term:
    """A move with its random names replaced by events, all at once: events are not looked into."""
    made = with_terms(move, events)
    assert isinstance(made, Term)
    return made


def resolve_move(
    move: Term, names: frozenset[Term], rows: Rows, rng: Random
) -> tuple[Term, list[DrawnEvent]]:
    """A move with its random names replaced by drawn events, and the draws.

    One draw for each name, whatever the number of its places. NoPossibleEventError where one has no event.
    """
    rows = list(rows)
    drawn = []
    for name in names_in(move, names):
        events = events_of(name, rows)
        total = sum(events.values())
        if not total:
            raise NoPossibleEventError(f"no event of {name} is possible")
        drawn.append(_draw(name, events, total, rng))
    return with_events(move, {draw.name: draw.event for draw in drawn}), drawn


def _draw(name: Term, events: Mapping[Term, int], total: int, rng: Random) -> DrawnEvent:
    left = rng.randrange(total)
    for event, weight in events.items():
        if left < weight:
            return DrawnEvent(name, event, weight, total)
        left -= weight
    raise AssertionError("a rank below the total belongs to an event")
