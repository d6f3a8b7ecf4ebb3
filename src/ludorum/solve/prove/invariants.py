"""Invariants by induction: what holds initially, and after every move from a state in which it holds.

Candidates are assumed all together; what one step from such a state can break is dropped, until nothing is
(Flanagan and Leino's Houdini). What is left is the largest inductive part of the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from .families import Family
from .transitions import Bad, Literal, Transitions

Candidate = TypeVar("Candidate")


def inductive_part(
    transitions: Transitions, candidates: Sequence[Candidate], bad: Callable[[Candidate], Bad]
) -> list[Candidate]:
    """The candidates that hold in every reachable state, as far as induction over one step can tell.

    They must hold in the initial state.
    """
    transitions.extend(1)
    active = [transitions.switch() for _ in candidates]
    before = [bad(candidate)(transitions, 0) for candidate in candidates]
    after = [bad(candidate)(transitions, 1) for candidate in candidates]
    hits: list[Literal] = []
    for switch, here, there in zip(active, before, after, strict=True):
        transitions.forbid(switch, here)
        hits.append(transitions.all_of((switch, there)))
    hit = transitions.any_of(hits)
    return _drop_broken(transitions, candidates, active, after, [transitions.moves_from(0), hit])


def lasting_part(
    transitions: Transitions,
    candidates: Sequence[Candidate],
    broken: Callable[[Candidate], Literal],
) -> list[Candidate]:
    """The candidates about a step from state 0 to state 1 that no step breaks."""
    active = [transitions.switch() for _ in candidates]
    after = [broken(candidate) for candidate in candidates]
    hit = transitions.any_of(
        transitions.all_of((switch, there)) for switch, there in zip(active, after, strict=True)
    )
    return _drop_broken(transitions, candidates, active, after, [transitions.moves_from(0), hit])


def _drop_broken(
    transitions: Transitions,
    candidates: Sequence[Candidate],
    active: Sequence[Literal],
    after: Sequence[Literal],
    question: Sequence[Literal],
) -> list[Candidate]:
    kept = set(range(len(candidates)))
    while kept:
        broken: list[int] = []

        def read(holds: Callable[[Literal], bool]) -> None:
            broken.extend(at for at in kept if holds(after[at]))  # noqa: B023

        switches = [switch if at in kept else -switch for at, switch in enumerate(active)]
        if not transitions.ask([*question, *switches], read):
            break
        kept.difference_update(broken)
    return [candidates[at] for at in sorted(kept)]


# Two parts of a family: that at most one of its fluents holds, and that one does.
FamilyPart = tuple[Family, bool]


def bad_family(part: FamilyPart) -> Bad:
    """Makes the literal that holds where a state breaks a part of a family."""
    family, at_least = part

    def bad(transitions: Transitions, step: int) -> Literal:
        members = [transitions.true(at, step) for at in family.members]
        if at_least:
            make = lambda: transitions.all_of([-member for member in members])  # noqa: E731
        else:
            make = lambda: transitions.at_least(2, members)  # noqa: E731
        return transitions.once((family, at_least), step, make)

    return bad


def prove_families(transitions: Transitions, families: Sequence[Family]) -> list[Family]:
    """The families that are invariants, added to the transitions as such; some only as "at most one"."""
    parts: list[FamilyPart] = [(family, False) for family in families if len(family.members) > 1]
    parts += [(family, True) for family in families if family.exactly]
    proved = set(inductive_part(transitions, parts, bad_family))
    for part in proved:
        transitions.assume_invariant(bad_family(part))
    found = []
    for family in families:
        most, least = (family, False) in proved or len(family.members) == 1, (family, True) in proved
        if most and (least or len(family.members) > 1):
            found.append(Family(family.pattern, family.members, least, family.schema))
    return found


def latches(transitions: Transitions, seen_steps: NDArray[np.int8]) -> list[tuple[int, bool]]:
    """Fluents that never become false once true (True), or never true once false (False).

    ``seen_steps`` has a column for each fluent: 1 where it was seen to become true, 2 false, 3 both.
    """
    candidates = [(at, True) for at in np.flatnonzero(~(seen_steps & 2).astype(bool)).tolist()]
    candidates += [(at, False) for at in np.flatnonzero(~(seen_steps & 1).astype(bool)).tolist()]
    transitions.extend(1)

    def broken(candidate: tuple[int, bool]) -> Literal:
        at, lasting = candidate
        before, after = transitions.true(at, 0), transitions.true(at, 1)
        return transitions.all_of((before, -after) if lasting else (-before, after))

    return lasting_part(transitions, candidates, broken)
