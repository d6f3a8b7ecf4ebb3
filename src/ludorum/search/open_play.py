"""Moves for one player where no plan is worth an end: those after which play can go on."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass
from operator import attrgetter

from ..engine.game import State
from ..rules.terms import Term
from .budget import Stopwatch

LATE = 16
"""Moves that are looked at when the time is up and no move is known after which play goes on."""
MOST_ASKED = 32
"""Positions of which it is asked whether they are hopeless."""
MOST_PLAYED = 2_000
"""Positions that are looked at for a way to put off an end."""


@dataclass(frozen=True)
class OpenMove:
    """A move, and what is known of the position after it."""

    move: Term
    is_open: bool
    """Whether play can go on after it."""
    is_new: bool
    """Whether this position has not occurred before."""
    worth: int
    """The number of legal moves there; where play is over, the goal, or -1 without one."""

    @property
    def rank(self) -> tuple[bool, bool, int]:
        return self.is_open, self.is_new, self.worth


def most_open_move(
    state: State,
    role: Term,
    passed: Container[State],
    watch: Stopwatch,
    is_hopeless: Callable[[State], bool] = lambda state: False,
) -> OpenMove:
    """The move after which most moves are legal, in a position that has not occurred if there is one.

    Of those it is one after which the position is not hopeless, if one is found. Where every move ends play,
    the one with the highest goal. The clock is looked at.
    """
    found: list[OpenMove] = []
    for move in state.legal(role):
        found.append(_look_at(state, role, move, passed))
        if watch.is_up() and (len(found) > LATE or any(each.is_open for each in found)):
            break
    found.sort(key=attrgetter("rank"), reverse=True)
    for each in found[:MOST_ASKED]:
        if not each.is_open or watch.is_up():
            break
        if not is_hopeless(state.play((each.move,))):
            return each
    return found[0]


def move_that_puts_off(
    state: State, role: Term, goal: int, passed: Container[State], watch: Stopwatch
) -> Term | None:
    """A move after which an end with at least this goal can still be had at once; None where none is found.

    Positions that have occurred are no progress, so they do not count.
    """
    played = 0
    for move in state.legal(role):
        after = state.play((move,))
        if after.is_terminal or after in passed:
            continue
        for last in after.legal(role):
            played += 1
            if played > MOST_PLAYED or watch.is_up():
                return None
            end = after.play((last,))
            if end.is_terminal and (value := end.goal(role)) is not None and value >= goal:
                return move
    return None


def _look_at(state: State, role: Term, move: Term, passed: Container[State]) -> OpenMove:
    after = state.play((move,))
    if after.is_terminal:
        value = after.goal(role)
        return OpenMove(move, False, True, -1 if value is None else value)
    ways = len(after.legal(role))
    return OpenMove(move, ways > 0, after not in passed, ways if ways else -1)
