"""The states near one, in breadth-first order: how they are reached, and where play repeats for ever.

All answers are certain, however few states were visited: a state whose moves were not followed counts as one
from which everything may be reached.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from itertools import islice, pairwise

from .game import JointMove, State

Moves = tuple[JointMove, ...]

MOST_JOINT_MOVES = 1000
"""The most joint moves of one state that are followed: many roles that choose at once have millions."""


@dataclass
class NearStates:
    """States in the order in which they were found; the first is where play begins."""

    states: list[State]
    ways: list[tuple[int, JointMove] | None]
    """The state and joint move from which each was first found; None for the first state."""
    children: list[dict[int, JointMove]] = field(default_factory=list)
    """For the states whose moves were followed: each next state with one joint move that leads there."""
    open: set[int] = field(default_factory=set)
    """States whose moves were not all followed, and those where a role has none."""
    looked_at: int = 0
    """How many states, the first ones, were asked for their moves."""

    @property
    def complete(self) -> bool:
        """Whether these are all states that play can reach."""
        return not self.open

    def way_to(self, at: int) -> Moves:
        """The joint moves of a shortest play to a state."""
        found: list[JointMove] = []
        while (way := self.ways[at]) is not None:
            at, joint = way
            found.append(joint)
        return tuple(reversed(found))

    def without_end(self) -> int | None:
        """The first state from which no play comes to an end; None where there is none."""
        before: list[list[int]] = [[] for _ in self.states]
        for at, children in enumerate(self.children):
            for child in children:
                before[child].append(at)
        ending = {at for at, state in enumerate(self.states) if at in self.open or state.is_terminal}
        waiting = list(ending)
        while waiting:
            for at in before[waiting.pop()]:
                if at not in ending:
                    ending.add(at)
                    waiting.append(at)
        return next((at for at in range(len(self.states)) if at not in ending), None)

    def round_from(self, at: int) -> tuple[Moves, Moves]:
        """From a state without an end: the moves to a state that recurs, and the moves of the cycle."""
        path, first = [at], {at: 0}
        while (at := next(iter(self.children[path[-1]]))) not in first:
            first[at] = len(path)
            path.append(at)
        moves = tuple(self.children[one][two] for one, two in pairwise([*path, at]))
        return moves[: first[at]], moves[first[at] :]

    def circle(self) -> tuple[Moves, Moves] | None:
        """The moves to a state and from there back to it; None where there is no cycle."""
        graph: TopologicalSorter[int] = TopologicalSorter()
        for at, children in enumerate(self.children):
            for child in children:
                graph.add(child, at)
        try:
            graph.prepare()
        except CycleError as error:
            circle: list[int] = error.args[1]
            turn = circle.index(min(circle[:-1]))
            circle = circle[turn:-1] + circle[: turn + 1]
            loop = tuple(self.children[at][child] for at, child in pairwise(circle))
            return self.way_to(circle[0]), loop
        return None


def near_states(start: State, most: int, spend: Callable[[State], bool]) -> NearStates:
    """At most so many states from one on; ``spend`` is called with each, and says whether work is left."""
    found = NearStates([start], [None])
    known = {start: 0}
    for at, state in enumerate(found.states):  # the list grows meanwhile
        found.children.append({})
        found.looked_at = at + 1
        if state.is_terminal:
            continue
        if not spend(state) or not _follow(found, known, at, most):
            found.open.update(range(at, len(found.states)))
            found.open -= {other for other in found.open if found.states[other].is_terminal}
            break
    found.children += [{} for _ in range(len(found.states) - len(found.children))]
    return found


def _follow(found: NearStates, known: dict[State, int], at: int, most: int) -> bool:
    """Follow all moves from a state; whether that was possible within the bound."""
    state = found.states[at]
    joints = list(islice(state.joint_moves(), MOST_JOINT_MOVES + 1))
    if not joints:
        found.open.add(at)  # stuck: reported as a fault of its own
    if len(joints) > MOST_JOINT_MOVES:
        return False
    for joint in joints:
        after = state.play(joint)
        child = known.setdefault(after, len(found.states))
        if child == len(found.states):
            if child >= most:
                return False
            found.states.append(after)
            found.ways.append((at, joint))
        found.children[at].setdefault(child, joint)
    return True
