"""One world of a trace: which token made which passage, and exchanges that lead to other worlds.

Two tokens that are at the same place at two moments may exchange their journeys between these moments: all
counts stay the same, and undoing the exchange is an exchange again. If the observations still agree, it is
another world. So exchanges drawn at random, accepted if they agree, are a symmetric Markov chain: in the long
run it visits all worlds that it can reach equally often (Metropolis; the uniform distribution is its
stationary one).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from .passages import IN_PACK, DealTrace, Passage, PlaceCheck

Span = tuple[int, int]
"""The acts during which two tokens are apart: the one that parts them, and the one that joins them again."""


class Journeys:
    """A world under construction: all passages and checks up to ``done`` agree with the observations."""

    def __init__(self, trace: DealTrace) -> None:
        self.trace = trace
        self.done = 0
        self.movers: list[int] = [-1] * len(trace.acts)
        self.paths: list[list[int]] = [[] for _ in trace.names]
        """The passages of every token."""
        self.lying: list[set[int]] = [set() for _ in range(len(trace.places) + 2)]
        """The tokens at each place, after the acts that are done."""
        self.lying[IN_PACK] = set(range(len(trace.names)))
        self.looks: list[list[int]] = []
        """For every act that is done, the views of the places that matter for it, as they were before it."""
        self._views: list[set[int]] = []
        """The contents of a place at some time; one view serves all acts until a card comes or goes."""
        self._viewers: list[list[int]] = []
        """The acts that look at a view."""
        self._of_place: list[tuple[list[int], list[int]]] = [([], []) for _ in self.lying]
        """For every place its views, and the first act that looked at each."""
        self._fresh: dict[int, int] = {}
        self._targets = trace.targets
        """Cached: needed millions of times."""
        by_queue: dict[tuple[int, ...], list[int]] = {}
        for at, act in enumerate(trace.acts):
            if isinstance(act, Passage) and act.queue:
                by_queue.setdefault(act.queue, []).append(at)
        self.queues = list(by_queue.items())
        """For every queue its passages, and those to which their order matters."""
        self._waiting = {before: passages for queue, passages in self.queues for before in queue}

    def looks_into(self, at: int) -> tuple[int, ...]:
        """The places that matter for an act."""
        act = self.trace.acts[at]
        if isinstance(act, PlaceCheck):
            return act.places
        return (act.source,) if act.is_ordered else ()

    def do(self, mover: int = -1) -> None:
        """Add one act; a passage needs the token that makes it."""
        at = self.done
        self.looks.append([self._view(place, at) for place in self.looks_into(at)])
        act = self.trace.acts[at]
        if isinstance(act, Passage):
            self.movers[at] = mover
            self.paths[mover].append(at)
            self.lying[act.source].remove(mover)
            self.lying[act.target].add(mover)
            self._fresh.pop(act.source, None)
            self._fresh.pop(act.target, None)
        self.done += 1

    def _view(self, place: int, at: int) -> int:
        found = self._fresh.get(place)
        if found is None:
            found = self._fresh[place] = len(self._views)
            self._views.append(set(self.lying[place]))
            self._viewers.append([])
            views, firsts = self._of_place[place]
            views.append(found)
            firsts.append(at)
        self._viewers[found].append(at)
        return found

    def place_of(self, token: int) -> int:
        path = self.paths[token]
        return self._targets[path[-1]] if path else IN_PACK

    def apart(self, one: int, other: int) -> list[Span]:
        """When two tokens are apart, in the order of time; the last span may be open."""
        found: list[Span] = []
        targets = self._targets
        mine, others = self.paths[one], self.paths[other]
        here = there = IN_PACK
        since = -1
        i, j, ends, others_end = 0, 0, len(mine), len(others)
        while i < ends or j < others_end:
            if j == others_end or (i < ends and mine[i] < others[j]):
                at = mine[i]
                here = targets[at]
                i += 1
            else:
                at = others[j]
                there = targets[at]
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

    def exchange(self, one: int, other: int, span: Span, instead: PlaceCheck | None = None) -> bool:
        """Exchanges the journeys of two tokens if the observations agree; else nothing is changed.

        ``instead`` is a check that is not done yet: it need not agree, but must be less far off than before.
        """
        if not (self._may(one, other, span) and self._may(other, one, span)):
            return False
        changed, acts = self._changes(one, other, span)
        if not all(self._would_agree(at, changed, one, other, span) for at in acts):
            return False
        if instead is not None:
            if span[1] != self.done:
                return False
            now = [self.lying[place] for place in instead.places]
            if instead.excess(_swapped(now, one, other)) >= instead.excess(now):
                return False
        self._change(changed)
        self._exchange_paths(one, other, span)
        return True

    def force(self, one: int, other: int, span: Span) -> set[int]:
        """Exchanges the journeys of two tokens unconditionally; returns the acts that may not agree now."""
        changed, acts = self._changes(one, other, span)
        self._change(changed)
        self._exchange_paths(one, other, span)
        found = {at for at in acts if not self.agrees(at)}
        for token in (one, other):
            path = self.paths[token]
            for at in path[bisect_left(path, span[0]) : bisect_right(path, span[1])]:
                act = self.trace.acts[at]
                if isinstance(act, Passage) and act.allowed is not None and token not in act.allowed:
                    found.add(at)
        return found

    def queued(self, act: Passage) -> list[int]:
        """The tokens that came to a pile, in order."""
        return [self.movers[at] for at in act.queue]

    def due(self, at: int) -> int | None:
        """The token that should have made a passage by the order of its queue."""
        act = self.trace.acts[at]
        assert isinstance(act, Passage)
        assert act.first is not None
        fitting = self._views[self.looks[at][0]] & act.first
        return next((token for token in self.queued(act) if token in fitting), None)

    def agrees(self, at: int) -> bool:
        """Whether an act that is done agrees with its observation."""
        act = self.trace.acts[at]
        if isinstance(act, PlaceCheck):
            return not act.excess([self._views[view] for view in self.looks[at]])
        mover = self.movers[at]
        if act.is_ordered:
            return mover in act.in_order(self._views[self.looks[at][0]], self.queued(act))
        return act.allowed is None or mover in act.allowed

    def _may(self, token: int, instead_of: int, span: Span) -> bool:
        """Whether a token may make the passages of another."""
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

    def _changes(self, one: int, other: int, span: Span) -> tuple[dict[int, set[int]], list[int]]:
        """The changes of an exchange: views, and the acts that these, or the mover, may matter to."""
        views: dict[int, set[int]] = {}
        acts: set[int] = set()
        both = {one, other}
        for token in both:
            for place, begin, end in self._stays(token, span):
                every, firsts = self._of_place[place]
                for view in every[bisect_left(firsts, begin) : bisect_right(firsts, end)]:
                    if not both <= self._views[view]:  # in a span of several they meet in between
                        views[view] = self._views[view] ^ both
                        acts.update(at for at in self._viewers[view] if self._minds(at, both))
            path = self.paths[token]
            for at in path[bisect_left(path, span[0]) : bisect_right(path, span[1])]:
                act = self.trace.acts[at]
                if isinstance(act, Passage) and act.is_ordered:
                    acts.add(at)
                acts.update(later for later in self._waiting.get(at, ()) if later < self.done)
        return views, sorted(acts)

    def _minds(self, at: int, tokens: set[int]) -> bool:
        act = self.trace.acts[at]
        return isinstance(act, Passage) or act.minds is None or not act.minds.isdisjoint(tokens)

    def _change(self, changed: dict[int, set[int]]) -> None:
        for view, tokens in changed.items():
            self._views[view] = tokens
        self._fresh.clear()

    def _stays(self, token: int, span: Span) -> Iterator[tuple[int, int, int]]:
        """The place of a token while two are apart, with the first and last act that finds it there."""
        first, last = span
        path = self.paths[token]
        i = bisect_right(path, first)
        place = self._targets[path[i - 1]] if i else IN_PACK
        begin = first + 1
        while i < len(path) and path[i] <= last:
            yield place, begin, path[i]
            begin = path[i] + 1
            place = self._targets[path[i]]
            i += 1
        if begin <= last:
            yield place, begin, last

    def _would_agree(self, at: int, changed: dict[int, set[int]], one: int, other: int, span: Span) -> bool:
        """Whether an act would still agree with its observation after an exchange."""
        act = self.trace.acts[at]
        contents = [changed.get(view, self._views[view]) for view in self.looks[at]]
        if isinstance(act, PlaceCheck):
            return not act.excess(contents)
        swapped = {one: other, other: one}
        movers = {
            at: swapped.get(self.movers[at], self.movers[at]) if span[0] <= at <= span[1] else self.movers[at]
            for at in (at, *act.queue)
        }
        return movers[at] in act.in_order(contents[0], [movers[before] for before in act.queue])

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
