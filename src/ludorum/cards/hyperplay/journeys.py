"""One world of a trace: which token made which passage, and exchanges that lead to other worlds.

Two tokens that are at the same place at two moments may exchange their ways between these moments: all
counts stay what they were, and the exchange undone is an exchange again. If what was seen still agrees, it is
another world. So exchanges drawn at random, accepted wherever they agree, are a Markov chain that is
symmetric: in the long run it visits all worlds that it can reach equally often (Metropolis; the uniform
distribution is its stationary one).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from .trace import IN_PACK, Check, Passage, Trace

Span = tuple[int, int]
"""The acts during which two tokens are apart: the one that parts them, and the one that joins them again."""


class Journeys:
    """A world in the making: all passages and checks up to ``done`` agree with what was seen."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.done = 0
        self.movers: list[int] = [-1] * len(trace.acts)
        self.paths: list[list[int]] = [[] for _ in trace.names]
        """The passages of every token."""
        self.lying: list[set[int]] = [set() for _ in range(len(trace.places) + 2)]
        """What lies where, after the acts that are done."""
        self.lying[IN_PACK] = set(range(len(trace.names)))
        self.contents: list[list[set[int]]] = []
        """For every act that is done, what lay before it in the places that matter for it."""
        self._checked: list[list[int]] = [[] for _ in self.lying]
        """For every place the acts that look into it."""

    def looks_into(self, at: int) -> tuple[int, ...]:
        """The places that matter for an act."""
        act = self.trace.acts[at]
        if isinstance(act, Check):
            return act.places
        return (act.source,) if act.is_ordered else ()

    def do(self, mover: int = -1) -> None:
        """One act more; a passage needs the token that makes it."""
        at = self.done
        places = self.looks_into(at)
        self.contents.append([set(self.lying[place]) for place in places])
        for place in places:
            self._checked[place].append(at)
        act = self.trace.acts[at]
        if isinstance(act, Passage):
            self.movers[at] = mover
            self.paths[mover].append(at)
            self.lying[act.source].remove(mover)
            self.lying[act.target].add(mover)
        self.done += 1

    def place_of(self, token: int) -> int:
        path = self.paths[token]
        return self._target(path[-1]) if path else IN_PACK

    def _target(self, at: int) -> int:
        act = self.trace.acts[at]
        assert isinstance(act, Passage)
        return act.target

    def apart(self, one: int, other: int) -> list[Span]:
        """When two tokens are apart, in the order of time; the last span may be open."""
        found: list[Span] = []
        mine, others = self.paths[one], self.paths[other]
        here = there = IN_PACK
        i = j = 0
        since = -1
        while i < len(mine) or j < len(others):
            if j == len(others) or (i < len(mine) and mine[i] < others[j]):
                at = mine[i]
                here = self._target(at)
                i += 1
            else:
                at = others[j]
                there = self._target(at)
                j += 1
            if since < 0:
                if here != there:
                    since = at
            elif here == there:
                found.append((since, at))
                since = -1
        if since >= 0:
            found.append((since, self.done))
        return found

    def exchange(self, one: int, other: int, span: Span, instead: Check | None = None) -> bool:
        """Exchanges the ways of two tokens if what was seen agrees; else nothing is changed.

        ``instead`` is a check that is not done yet: it need not agree, but must be less far off than before.
        """
        if not (self._may(one, other, span) and self._may(other, one, span)):
            return False
        changed: dict[int, list[set[int]]] = {}
        for at in self._affected(one, other, span):
            contents = _swapped(self.contents[at], one, other)
            if self._excess(at, contents, one, other, span):
                return False
            changed[at] = contents
        if instead is not None:
            if span[1] != self.done:
                return False
            now = [self.lying[place] for place in instead.places]
            if instead.excess(_swapped(now, one, other)) >= instead.excess(now):
                return False
        for at, contents in changed.items():
            self.contents[at] = contents
        self._exchange_paths(one, other, span)
        return True

    def force(self, one: int, other: int, span: Span) -> set[int]:
        """Exchanges the ways of two tokens whatever was seen; the acts that may not agree now."""
        affected = self._affected(one, other, span)
        for at in affected:
            self.contents[at] = _swapped(self.contents[at], one, other)
        self._exchange_paths(one, other, span)
        found = {at for at in affected if not self.agrees(at)}
        for token in (one, other):
            path = self.paths[token]
            for at in path[bisect_left(path, span[0]) : bisect_right(path, span[1])]:
                act = self.trace.acts[at]
                if isinstance(act, Passage) and act.allowed is not None and token not in act.allowed:
                    found.add(at)
        return found

    def agrees(self, at: int) -> bool:
        """Whether an act that is done is as it was seen."""
        act = self.trace.acts[at]
        if isinstance(act, Check):
            return not act.excess(self.contents[at])
        mover = self.movers[at]
        if act.is_ordered:
            return mover in act.in_order(self.contents[at][0])
        return act.allowed is None or mover in act.allowed

    def _may(self, token: int, instead_of: int, span: Span) -> bool:
        """Whether the passages of another are open to a token."""
        acts = self.trace.acts
        path = self.paths[instead_of]
        for at in path[bisect_left(path, span[0]) :]:
            if at > span[1]:
                break
            act = acts[at]
            assert isinstance(act, Passage)
            if act.allowed is not None and token not in act.allowed:
                return False
        return True

    def _affected(self, one: int, other: int, span: Span) -> set[int]:
        """The acts that look into a place where one of the two is, or that one of them made in order."""
        found: set[int] = set()
        for token in (one, other):
            for place, begin, end in self._stays(token, span):
                checked = self._checked[place]
                found.update(checked[bisect_left(checked, begin) : bisect_right(checked, end)])
            path = self.paths[token]
            for at in path[bisect_left(path, span[0]) : bisect_right(path, span[1])]:
                act = self.trace.acts[at]
                if isinstance(act, Passage) and act.is_ordered:
                    found.add(at)
        return found

    def _stays(self, token: int, span: Span) -> Iterator[tuple[int, int, int]]:
        """Where a token is while two are apart: the place, and the first and last act that finds it there."""
        first, last = span
        path = self.paths[token]
        i = bisect_right(path, first)
        place = self._target(path[i - 1]) if i else IN_PACK
        begin = first + 1
        while i < len(path) and path[i] <= last:
            yield place, begin, path[i]
            begin = path[i] + 1
            place = self._target(path[i])
            i += 1
        if begin <= last:
            yield place, begin, last

    def _excess(self, at: int, contents: list[set[int]], one: int, other: int, span: Span) -> int:
        act = self.trace.acts[at]
        if isinstance(act, Check):
            return act.excess(contents)
        mover = self.movers[at]
        if span[0] <= at <= span[1]:
            mover = other if mover == one else one if mover == other else mover
        return int(mover not in act.in_order(contents[0]))

    def _exchange_paths(self, one: int, other: int, span: Span) -> None:
        first, last = span
        mine, others = self.paths[one], self.paths[other]
        i, j = bisect_left(mine, first), bisect_right(mine, last)
        k, m = bisect_left(others, first), bisect_right(others, last)
        moved, came = mine[i:j], others[k:m]
        mine[i:j], others[k:m] = came, moved
        for at in moved:
            self.movers[at] = other
        for at in came:
            self.movers[at] = one
        if last >= self.done:
            here, there = self.place_of(one), self.place_of(other)
            for place in (here, there):
                self.lying[place] -= {one, other}
            self.lying[here].add(one)
            self.lying[there].add(other)


def _swapped(contents: list[set[int]], one: int, other: int) -> list[set[int]]:
    return [_swapped_in(held, one, other) for held in contents]


def _swapped_in(held: set[int], one: int, other: int) -> set[int]:
    if (one in held) == (other in held):
        return held
    return held ^ {one, other}
