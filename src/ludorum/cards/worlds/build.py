"""A first world for a trace, built from the beginning to the end with regard to later observations.

A card that a player shows later is dealt to that player, one that a hand is known to lack is not dealt to it.
Where that does not lead to the next observation, cards exchange their journeys until it does; a card that is
in the way may have to come to its place by another journey first.
"""

from __future__ import annotations

from bisect import bisect_right
from random import Random

from .journeys import Journeys
from .passages import OPEN, Contents, DealTrace, Passage, PlaceCheck
from .stir import stir

ROUNDS = 6
"""Most repairs at one act; between two of them the world is stirred."""
STIRS = 40
MOST_WAYS = 4
"""Most other journeys tried for a card that is in the way, before another card is tried."""


class DeadEnd(Exception):
    """This world could not be brought to agree with the next observation."""


class Builder:
    """Makes worlds of one trace."""

    def __init__(self, trace: DealTrace, chance: Random) -> None:
        self.trace, self.chance = trace, chance
        self._shown: list[list[tuple[int, int]]] = [[] for _ in trace.names]
        """For every token the acts at which it is seen, and where."""
        self._lacks: dict[int, list[tuple[int, frozenset[int]]]] = {}
        self._leads: dict[int, int] = {}
        self._look_ahead()

    def _look_ahead(self) -> None:
        came: dict[int, int] = {}
        for at, act in enumerate(self.trace.acts):
            if isinstance(act, PlaceCheck):
                if act.void:
                    self._lacks.setdefault(act.places[0], []).append((at, act.void))
                continue
            if act.allowed is not None and len(act.allowed) == 1:
                (token,) = act.allowed
                self._shown[token].append((at, act.source))
            if act.source in came:
                self._leads[came.pop(act.source)] = act.target
            came[act.target] = at

    def build(self) -> Journeys:
        """A world, not uniformly drawn; DeadEnd where none was found."""
        found = Journeys(self.trace)
        for at, act in enumerate(self.trace.acts):
            if isinstance(act, PlaceCheck):
                self._repair(found, act)
                found.do()
                continue
            self._repair(found, _possible(act), act)
            found.do(self._choose(found, at, act))
        return found

    def _choose(self, found: Journeys, at: int, act: Passage) -> int:
        options = act.in_order(found.lying[act.source], found.queued(act))
        if len(options) == 1:
            return next(iter(options))
        costs = [(self._cost(token, at, act), token) for token in sorted(options)]
        least = min(cost for cost, _ in costs)
        return self.chance.choice([token for cost, token in costs if cost == least])

    def _cost(self, token: int, at: int, act: Passage) -> tuple[int, int]:
        """How badly a passage fits later observations of a token; near ones are more urgent."""
        shown = self._shown[token]
        next_one = bisect_right(shown, (at, len(self.trace.places) + 2))
        when, where = shown[next_one] if next_one < len(shown) else (len(self.trace.acts), -1)
        targets = (act.target, self._leads.get(at, act.target))
        for target in targets:
            for time, lacking in self._lacks.get(target, ()):
                if at < time < when and token in lacking:
                    return 5, 0
        if where < 0:
            return 1, 0
        if where in targets:
            return 0, when
        return (4 if where == act.source else 2), 0

    def _repair(self, found: Journeys, check: PlaceCheck, act: Passage | None = None) -> None:
        """Exchanges journeys until a check agrees; for the order of a queue the world is stirred."""
        wanted = None if act is None else act.allowed
        for _ in range(ROUNDS):
            while (now := check.excess([found.lying[place] for place in check.places])) and self._improve(
                found, check, wanted
            ):
                pass
            if not now and (act is None or act.in_order(found.lying[act.source], found.queued(act))):
                return
            stir(found, STIRS, self.chance, range(len(self.trace.names)))
        raise DeadEnd

    def _improve(self, found: Journeys, check: PlaceCheck, wanted: frozenset[int] | None) -> bool:
        inside = {token for place in check.places for token in found.lying[place]}
        if wanted is not None and inside & wanted:
            wanted = None  # it is there, but others are in its way
        outside = set(range(len(self.trace.names))) - inside - found.lying[OPEN]
        if len(check.places) > 1:
            outside |= inside
        pairs = [
            (one, other)
            for one in inside
            for other in sorted(outside if wanted is None else outside & wanted)
            if one != other
        ]
        self.chance.shuffle(pairs)
        if any(_exchange_now(found, check, one, other) for one, other in pairs):
            return True
        others: dict[int, list[int]] = {}
        for one, other in pairs:
            others.setdefault(one, []).append(other)
        return any(
            self._detour(found, check, one, those, {tuple(found.paths[one])}) for one, those in others.items()
        )

    def _detour(
        self, found: Journeys, check: PlaceCheck, one: int, others: list[int], ways: set[tuple[int, ...]]
    ) -> bool:
        """Exchanges a token with one of some others after it has come by another journey to its place: on its
        own journey they could not have followed it. Without success nothing is changed."""
        for partner in self.chance.sample(range(len(self.trace.names)), len(self.trace.names)):
            for span in found.apart(one, partner):
                if span[1] == found.done or not found.exchange(one, partner, span):
                    continue
                way = tuple(found.paths[one])
                if way not in ways:
                    ways.add(way)
                    if any(_exchange_now(found, check, one, other) for other in others):
                        return True
                    if len(ways) < MOST_WAYS and self._detour(found, check, one, others, ways):
                        return True
                found.exchange(one, partner, span)
        return False


def _exchange_now(found: Journeys, check: PlaceCheck, one: int, other: int) -> bool:
    """Exchanges the journeys of two tokens from some time to now, if a check is less far off then."""
    spans = found.apart(one, other)
    if not spans or spans[-1][1] != found.done:
        return False
    return any(found.exchange(one, other, (begin, found.done), check) for begin, _ in reversed(spans))


def _possible(act: Passage) -> PlaceCheck:
    """A passage as a check: some token can make it; else the distance of the place from that, so that repairs
    of several exchanges see the direction."""

    def excess(contents: Contents) -> int:
        held = contents[0]
        able = held if act.allowed is None else held & act.allowed
        if not able:
            return 1 + len(held)
        if act.last:
            return sum(token > max(able) for token in held)
        if act.first is not None and not act.queue:
            return sum(token < min(able) for token in held & act.first)
        return 0

    return PlaceCheck((act.source,), excess)
