"""A follower, and those that take its place where it fails: never by chance, and never silently."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from ..engine.game import View
from ..knowledge.worlds import NoWorldYetError
from ..search.budget import Budget
from ..search.decision import Decision, Follower
from .guard import said


def because(method: str, error: BaseException) -> str:
    """The report of a player that uses another method, since its own failed."""
    return f"plays by {method}: {type(error).__name__}: {said(error)}".rstrip(": ")


@dataclass(frozen=True)
class FollowWay:
    """A way to follow a match, and its name in reports."""

    name: str
    make: Callable[[], Follower]


@runtime_checkable
class LaterFollower(Protocol):
    """A follower that only notes what it observes: the work is done when there is a clock for it."""

    def catch_up(self, budget: Budget) -> None:
        """Take all steps that were observed; NoWorldYetError where the budget does not suffice."""
        ...


class Following:
    """Follows a match by the first way that works; a later one is told everything from the beginning."""

    def __init__(self, ways: Sequence[FollowWay]) -> None:
        """Raises the error of the last way, if none can be made."""
        self.fallback = ""
        """The way that is used instead of the first, and why."""
        self._ways = list(ways)
        self._heard: list[View] = []
        self.follower: Follower
        try:
            self.follower = self._ways[0].make()
        except Exception as error:
            self.take_next(error)

    def observe(self, view: View) -> None:
        """Take what the role was told of the last step."""
        self._heard.append(view)
        try:
            self.follower.observe(view.percepts, view.move)
        except Exception as error:
            self.take_next(error)

    def catch_up(self, budget: Budget) -> None:
        """Let the follower work on what it has observed, though no decision is wanted here."""
        if not isinstance(self.follower, LaterFollower):
            return
        try:
            with suppress(NoWorldYetError):  # it goes on when it is asked next
                self.follower.catch_up(budget)
        except Exception as error:
            self.take_next(error)

    def decide(self, budget: Budget) -> Decision:
        """The decision of the first way that has one; the error of the last way where none has.

        NoWorldYetError where the follower would have had one later: it stays.
        """
        begin = time.monotonic()
        while True:
            left = budget.seconds
            if left is not None:
                left = max(0.001, left - (time.monotonic() - begin))
            try:
                return self.follower.decide(replace(budget, seconds=left))
            except NoWorldYetError:
                raise
            except Exception as error:
                self.take_next(error)

    def take_next(self, error: Exception) -> None:
        """Go on by the next way that works; the error where there is none."""
        while len(self._ways) > 1:
            del self._ways[0]
            self.fallback = because(self._ways[0].name, error)
            try:
                follower = self._ways[0].make()
                for view in self._heard:
                    follower.observe(view.percepts, view.move)
            except Exception as another:
                error = another
                continue
            self.follower = follower
            return
        raise error
