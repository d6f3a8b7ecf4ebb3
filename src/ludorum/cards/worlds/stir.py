"""Random exchanges in a world: a random walk through all worlds that visits each equally often.

The draws depend on nothing that the exchange changes, so the way back is as likely as the way there. Two
exchanges may be made at once, of which the first alone would not agree with the observations: hands that lack
different suits can be as tight as a puzzle where only three cards in a ring can move. In a pile that some
cards left unseen, two exchange their places, and the rest moves up or down with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from .journeys import Journeys, Span

_TWICE = 0.25
"""The share of double exchanges."""
_IN_QUEUE = 0.25
"""The share of exchanges of two cards of a pile, where there is such a pile."""
_MOST_WRONG = 8
"""Most faults between the two: of more, a second exchange can hardly mend all."""


def stir(world: Journeys, times: int, chance: Random, tokens: Sequence[int]) -> int:
    """Tries so many random exchanges of some tokens; returns how many were made."""
    made = 0
    count = len(tokens)
    if count < 2:
        return 0
    for _ in range(times):
        if world.queues and chance.random() < _IN_QUEUE:
            made += _exchange_in_queue(world, chance)
            continue
        one, other = tokens[int(chance.random() * count)], tokens[int(chance.random() * count)]
        if one == other:
            continue
        if count > 2 and chance.random() < _TWICE:
            made += _exchange_twice(world, one, other, tokens[int(chance.random() * count)], chance)
            continue
        span = _span(world, one, other, chance)
        made += span is not None and world.exchange(one, other, span)
    return made


def _span(world: Journeys, one: int, other: int, chance: Random) -> Span | None:
    """The last time that two tokens are apart, or any such times in a row."""
    spans = world.apart(one, other)
    if not spans:
        return None
    if len(spans) == 1 or chance.random() < 0.5:
        return spans[-1]
    first, last = sorted((int(chance.random() * len(spans)), int(chance.random() * len(spans))))
    return spans[first][0], spans[last][1]


def _exchange_twice(world: Journeys, one: int, other: int, third: int, chance: Random) -> bool:
    if third in (one, other):
        return False
    span = _span(world, one, other, chance)
    if span is None:
        return False
    wrong = world.force(one, other, span)
    if len(wrong) <= _MOST_WRONG:
        again = _span(world, other, third, chance)
        if again is not None:
            wrong |= world.force(other, third, again)
            if all(map(world.agrees, wrong)):
                return True
            world.force(other, third, again)
    world.force(one, other, span)
    return False


def _exchange_in_queue(world: Journeys, chance: Random) -> bool:
    """Two cards of a pile exchange their journeys until some leave it; the rest keeps its order, and goes on
    as the rest at its place did. Undone by the same exchange: later journeys stay at their places.
    """
    queue, passages = world.queues[int(chance.random() * len(world.queues))]
    some, more = (queue[int(chance.random() * len(queue))] for _ in range(2))
    if some == more or passages[-1] >= world.done:
        return False
    one, other = world.movers[some], world.movers[more]
    (span,) = (span for span in world.apart(one, other) if span[1] == max(some, more))
    forced = [(one, other, span)]
    wrong = world.force(one, other, span)
    for at in passages:
        due, mover = world.due(at), world.movers[at]
        if due is not None and due != mover:
            forced.append((mover, due, (at, world.done)))
            wrong |= world.force(*forced[-1])
    if all(map(world.agrees, wrong)):
        return True
    for way in reversed(forced):
        world.force(*way)
    return False
