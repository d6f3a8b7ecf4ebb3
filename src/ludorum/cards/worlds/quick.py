"""A trace as plain numbers for the kernel (``_core/cards/chain.cpp``), which makes worlds of it."""

from __future__ import annotations

from typing import Any

from ..._core import CardChain
from ..language.melds import low_value
from .passages import DealTrace, Passage, PlaceCheck

MOST_TOKENS = MOST_PLACES = 256
"""Most tokens of a trace, and most places of one check: the limits of the kernel."""


def quick_chain(trace: DealTrace, seed: int) -> CardChain | None:
    """A chain of worlds; None where an observation is more than arithmetic, or the trace too large."""
    if not 0 < len(trace.names) <= MOST_TOKENS:
        return None
    acts: list[int] = []
    for act in trace.acts:
        if isinstance(act, Passage):
            acts += _of_passage(act, trace)
        elif act.code is None or len(act.places) > MOST_PLACES:
            return None
        else:
            acts += _of_check(act, trace)
    return CardChain({"acts": acts, **_tables(trace)}, seed)


def _of_passage(act: Passage, trace: DealTrace) -> tuple[int, ...]:
    sets = _set(act.allowed, trace), _set(act.first, trace)
    return 0, act.source, act.target, *sets, int(act.last), len(act.queue), *act.queue


def _of_check(act: PlaceCheck, trace: DealTrace) -> tuple[int, ...]:
    assert act.code is not None
    sets = _set(act.minds, trace), _set(act.void, trace)
    return 1, *sets, len(act.places), *act.places, len(act.code), *act.code


def _set(tokens: frozenset[int] | None, trace: DealTrace) -> int:
    return -1 if tokens is None else trace.tables.set_of(tokens)


def _tables(trace: DealTrace) -> dict[str, Any]:
    """Sets, points, and of every token its rank, its suit and its place in a run."""
    numbers: dict[object, int] = {}
    rows = [
        [*(numbers.setdefault(part, len(numbers)) for part in name.args), low_value(name)]
        for name in trace.names
    ]
    return {
        "cards": rows,
        "places": len(trace.places) + 2,
        "sets": [list(tokens) for tokens in trace.tables.sets],
        "points": [list(points) for points in trace.tables.points],
    }
