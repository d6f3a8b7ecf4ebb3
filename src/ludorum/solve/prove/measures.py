"""Measures that grow with every move and cannot grow for ever: why a game must end, and how soon at most.

Three kinds are tried. A *counter* is a family of which exactly one fluent holds and whose values only ever
follow one another forwards (a step counter is one, and so is a pile that shrinks at every turn). A *ranking*
is a weighted sum of fluents that every move makes larger. *Latches* are fluents that change once at most; if
every few moves change one of them, there are only so many moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .families import Family
from .proof import Proof
from .ranking import find_ranking
from .transitions import Literal

MOST_VALUES = 2000
MOST_STRIDE = 2
"""Moves within which some latch must change."""


@dataclass(frozen=True)
class Measure:
    """Why every play ends: a bound on its moves, and the reason in words."""

    bound: int
    reason: str
    is_step_counter: bool = False
    """Whether each value has at most one successor, so that the family counts the moves."""


def find_measure(proof: Proof) -> Measure | None:
    """The measure with the smallest bound; None where no kind fits."""
    counters = [found for family in proof.families if (found := _counter(proof, family)) is not None]
    if counters:
        return min(counters, key=lambda measure: measure.bound)
    ranking = find_ranking(proof)
    if ranking is not None:
        used = int((ranking.weights != 0).sum())
        return Measure(ranking.bound, f"every move makes a weighted sum of {used} fluents grow")
    return _by_latches(proof)


def _counter(proof: Proof, family: Family) -> Measure | None:
    if not family.exactly or not 1 < len(family.members) <= MOST_VALUES or not _may_count(proof, family):
        return None
    follows = _followers(proof, family)
    longest = _longest_way(follows, _initial_values(proof, family))
    if longest is None:
        return None
    steps = all(len(after) <= 1 for after in follows.values())
    kind = "counts the moves" if steps else "only goes forwards"
    return Measure(longest, f"{family.pattern} {kind}, at most {longest} times", steps)


def _may_count(proof: Proof, family: Family) -> bool:
    """Whether the value changed with every move that was seen, and never came back."""
    members = frozenset(family.members)
    follows: dict[int, set[int]] = {}
    for before, after in proof.seen.followers:
        here, there = before & members, after & members
        if len(here) != 1 or len(there) != 1:
            return False
        follows.setdefault(min(here), set()).update(there)
    return _longest_way(follows, list(follows)) is not None


def _followers(proof: Proof, family: Family) -> dict[int, set[int]]:
    """Which value may follow which in one move, from any state that satisfies the invariants."""
    transitions = proof.transitions
    move = transitions.moves_from(0)
    found: dict[int, set[int]] = {}
    for value in family.members:
        after: set[int] = set()

        def read(holds: Callable[[Literal], bool]) -> None:
            after.update(at for at in family.members if holds(transitions.true(at, 1)))  # noqa: B023

        while transitions.ask(
            [move, transitions.true(value, 0), *(-transitions.true(at, 1) for at in after)], read
        ):
            if value in after:
                break  # it may stay the same: no counter, if play can reach this value
        found[value] = after
    return found


def _initial_values(proof: Proof, family: Family) -> list[int]:
    initial = proof.program.initial
    return [at for at in family.members if proof.transitions.fluents[at] in initial]


def _longest_way(follows: dict[int, set[int]], starts: Iterable[int]) -> int | None:
    """The number of steps of the longest path from a start; None where there is a cycle."""
    depth: dict[int, int] = {}
    under_way: set[int] = set()
    for start in starts:
        stack = [start]
        while stack:
            at = stack[-1]
            if at in depth:
                stack.pop()
                continue
            waiting = [after for after in follows.get(at, ()) if after not in depth]
            if at in under_way and not waiting:
                depth[at] = max((1 + depth[after] for after in follows.get(at, ())), default=0)
                under_way.discard(at)
                stack.pop()
            elif any(after in under_way for after in waiting):
                return None
            else:
                under_way.add(at)
                stack.extend(waiting)
    return max((depth[start] for start in starts), default=0)


def _by_latches(proof: Proof) -> Measure | None:
    found = proof.latches
    initial = proof.program.initial
    fluents = proof.transitions.fluents
    room = sum((fluents[at] in initial) != lasting for at, lasting in found)
    if not found:
        return None
    transitions = proof.transitions
    for stride in range(1, MOST_STRIDE + 1):
        if not proof.affordable(stride):
            break
        moving = [transitions.moves_from(step) for step in range(stride)]
        changed = []
        for at, lasting in found:
            before, after = transitions.true(at, 0), transitions.true(at, stride)
            changed.append(transitions.all_of((-before, after) if lasting else (before, -after)))
        if not transitions.possible(*moving, -transitions.any_of(changed)):
            every = "every move changes" if stride == 1 else f"every {stride} moves change"
            reason = f"{every} one of {room} fluents for good"
            return Measure(stride * room + stride - 1, reason)
    return None
