"""A player at the table behind its guard, with the longer time limits that people allow.

People wait longer than referees, but they can ask for a move now, and they can walk away. ``Player.hurry``
makes a player answer with the best move so far. If it does not obey, its answer is dropped, and a fresh
player of the same kind answers in a tenth of a second.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, wait
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ...engine.game import State
from ...engine.sight import Position, past_of, position_of
from ...players import Answer, Guard, Lapse, make_player
from ...rules.terms import Term

HURRIED_SECONDS = 0.1
"""Seconds for an answer at once, where a player cannot be interrupted."""
FORCED_SECONDS = 0.5
"""Most seconds for a player without a choice: enough to take note of the last step."""
LATE_PATIENCE = 5.0
"""How much later than its clock a player may answer."""
HURRY_PATIENCE = 1.0
"""How long an interrupted player may take to answer, and a fresh one to answer in its place."""


@dataclass(frozen=True)
class Wishes:
    """What the caller may ask for while a player thinks, from any thread: a move now, or no move."""

    _hurried: Future[None] = field(default_factory=Future)
    _abandoned: Future[None] = field(default_factory=Future)

    @property
    def is_hurried(self) -> bool:
        return self._hurried.done()

    @property
    def is_abandoned(self) -> bool:
        return self._abandoned.done()

    def hurry(self) -> None:
        """Ask for a move now."""
        with suppress(InvalidStateError):  # it was asked for before
            self._hurried.set_result(None)

    def abandon(self) -> None:
        """Say that no move is wanted any more."""
        with suppress(InvalidStateError):
            self._abandoned.set_result(None)

    def wait(self, asked: Future[Any], seconds: float, hurried: bool) -> bool:
        """Whether a future is done in time; waits no longer once a move is not wanted any more, nor, unless
        the player is ``hurried`` already, once the move is wanted now."""
        others = [self._abandoned] if hurried else [self._abandoned, self._hurried]
        wait([asked, *others], max(0.0, seconds), FIRST_COMPLETED)
        return asked.done()


class TablePlayer(Guard):
    """The player of one role at the table."""

    quick = False
    """In a thread of its own, whatever the player declares: people must be able to interrupt it."""

    def __init__(self, role: Term, name: str, seed: int) -> None:
        super().__init__(make_player(name, seed))
        self.role = role
        self._called = name
        self.seed = seed
        self.started = False
        """Whether the start clock has run."""
        self._seen = 0
        """States that the player was told of."""
        self._faults: list[str] = []
        self._wishes = Wishes()
        self._last_moment: float | None = None
        """When the table stops waiting for a hurried player."""
        self._asking = threading.Lock()
        """One question at a time: an abandoned question may not have ended yet."""

    @property
    def name(self) -> str:
        """The player's name at this table."""
        return self._called

    def limit(self, position: Position, seconds: float) -> float:
        """Seconds that the player has for a move, with its start clock if that is still to run."""
        return _move_seconds(position, seconds) + (0.0 if self.started else seconds)

    def answer(
        self, states: Sequence[State], seconds: float, wishes: Wishes | None = None
    ) -> tuple[Term, list[str]]:
        """A legal move in the last of these states, and the player's faults, in words.

        ``seconds`` is the clock of a move, and before the first move that of the start. GameError where the
        role has no legal move.
        """
        with self._asking:
            self._wishes, self._last_moment, self._faults = wishes or Wishes(), None, []
            position = position_of(states[-1], self.role)
            self.hold(position)
            answer = self._ask_once(states, position, _move_seconds(position, seconds), seconds)
            if answer.lapse is Lapse.LATE:
                self.renew()
                if self._wishes.is_abandoned:
                    return answer.move, self._faults
                self._last_moment = time.monotonic() + HURRY_PATIENCE
                answer = self._ask_once(states, position, HURRIED_SECONDS, 0.0)
            self._tell_fault(answer)
            return answer.move, self._faults

    def stop(self) -> None:
        """End the player and the thread, as soon as an abandoned question is over."""
        with self._asking:
            self._wishes, self._last_moment = Wishes(), time.monotonic() + HURRY_PATIENCE
            super().stop()

    def renew(self) -> None:
        """Replace the player by another of the same kind: this one works on an abandoned question."""
        self.close()
        self.player = make_player(self._called, self.seed)
        self._missed.clear()
        self._seen = 0

    def _ask_once(
        self, states: Sequence[State], position: Position, seconds: float, start_seconds: float
    ) -> Answer:
        """The player's answer; a new player is first told that the match begins and what it missed."""
        past = past_of(states, self.role, self._seen)
        if not self._seen:
            clock = 0.0 if self.started else start_seconds  # a player that was renewed had its start clock
            self.started = True
            if self.start(states[0].game, self.role, clock, seconds) is Lapse.FAILED:
                self._faults.append(self.trouble)
        self._seen = len(states)
        self.catch_up(past, start_seconds)
        hurried = self._last_moment is not None or self._wishes.is_hurried
        return self.choose(position, HURRIED_SECONDS if hurried else seconds)

    def _is_in_time(self, asked: Future[Any], seconds: float) -> bool:
        if self._last_moment is None:
            if self._wishes.wait(asked, seconds + LATE_PATIENCE, hurried=False):
                return True
            if self._wishes.is_abandoned:
                return False
            if not self._wishes.is_hurried:
                self._faults.append(f"{self.name} is late and is asked for a move at once")
            self._last_moment = time.monotonic() + HURRY_PATIENCE
        self.hurry()
        return self._wishes.wait(asked, self._last_moment - time.monotonic(), hurried=True)

    def _tell_fault(self, answer: Answer) -> None:
        if answer.lapse is Lapse.LATE:
            self._faults.append(f"{self.name} has no answer at once; the first legal move is made for it")
        elif answer.lapse is not None:
            self._faults.append(f"{answer.fault}; a legal move is made")
        if fallback := self.new_fallback():
            self._faults.append(fallback)


def _move_seconds(position: Position, seconds: float) -> float:
    return seconds if len(position.legal) > 1 else min(seconds, FORCED_SECONDS)
