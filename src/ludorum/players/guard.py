"""No illegal and no late move: a guard between a player and the match that waits for its answer.

This is the only place that keeps this promise: matches of this process, the table where people play
(``arena/table/table_player.py``) and the player behind a port (``arena/protocol/played_match.py``) all ask
their players through it.

The guard holds a legal move before the player starts to think, lets it think in a thread of its own, and
answers with the held move where the player is late, raises, or names a move that is not legal. Faults are
reported, never hidden. Steps that a late player has not been told are kept: it catches up before its next
answer.

Where the match allows it, the guard also lets the player ponder: after an answer the player's thread goes on
searching, and stops as soon as there is anything else for it to do. So pondering needs no thread of its own,
and never runs beside another method of the player.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from ..engine.errors import GameError
from ..engine.game import Game
from ..engine.sight import Position
from ..processes.thread import ThreadWorker
from ..rules.terms import Term
from ..search.decision import Decision
from .player import NoMoveError, Player, PlayerError

T = TypeVar("T")

LOAD_SECONDS = 120.0
"""How long a player may take to load a game before its start clock runs: that is no work of its own."""
PONDER_CLOCKS = 4.0
"""How many clocks of a move a player ponders at most: others have left a match that is silent for longer."""
MOST_SAID = 500
"""Characters of a player's text or error that are kept."""


class Lapse(Enum):
    """The kinds of a player's faults."""

    LATE = "late"
    FAILED = "failed"
    ILLEGAL = "illegal"


@dataclass(frozen=True)
class Answer:
    """A legal move, and why it is not the player's own, if it is not."""

    move: Term
    fault: str = ""
    lapse: Lapse | None = None


class Guard:
    """One player behind one thread. A player that hangs keeps its thread; the guard goes on without it.

    It has every method of ``Player``, and none of them raises for a fault of the player.
    """

    def __init__(
        self,
        player: Player,
        busy: Callable[[bool], None] = lambda at_work: None,
        on_hold: Callable[[Term], None] = lambda move: None,
        *,
        may_ponder: bool = False,
    ) -> None:
        """``busy`` is called whenever the player begins and ends to work; ``on_hold`` is called with a legal
        move of each position as soon as one is known. ``may_ponder``: whether the match allows pondering."""
        self.player = player
        self.held: Term | None = None
        """A legal move of the last position that was looked at."""
        self.trouble = ""
        """The fault in the player's preparation, in words."""
        self._busy = busy
        self._on_hold = on_hold
        self._missed: deque[Position] = deque()
        """Positions that the player has not been told of, in order."""
        self._worker: ThreadWorker | None = None
        self._told_fallback = ""
        self._may_ponder = may_ponder
        self._stop_pondering = threading.Event()

    @property
    def name(self) -> str:
        return self.player.name

    @property
    def quick(self) -> bool:
        return self.player.quick

    @property
    def ponders(self) -> bool:
        """Whether it ponders in this match."""
        return self._may_ponder and self.player.ponders

    @property
    def decision(self) -> Decision | None:
        return self.player.decision

    @property
    def fallback(self) -> str:
        """The method that the player reports to use instead of its own."""
        return said(self.player.fallback)

    def new_fallback(self) -> str:
        """``fallback``, where it was not reported before."""
        found = self.fallback
        if found == self._told_fallback:
            return ""
        self._told_fallback = found
        return f"{self.name} {found}" if found else ""

    def load(self, game: Game) -> None:
        """Let the player load the game; a failure shows when it prepares."""
        with suppress(_FaultError):
            self._run(partial(self.player.load, game), LOAD_SECONDS, noted=False)  # not the player's own work

    def start(self, game: Game, role: Term, seconds: float, patience: float = 0.0) -> Lapse | None:
        """Let the player prepare; ``trouble`` names the fault. A late player may go on meanwhile.

        Where there is no time to prepare (``seconds`` is 0), the guard waits ``patience`` seconds for what
        has to be done all the same, and taking longer is no lapse.
        """
        self.trouble = ""
        self._missed.clear()
        self.load(game)
        try:
            self._run(partial(self.player.start, game, role, seconds), seconds or patience)
        except _FaultError as error:
            if seconds == 0 and error.lapse is Lapse.LATE:
                return None
            self.trouble = str(error)
            return error.lapse
        return None

    def observe(self, position: Position) -> None:
        """Keep a position for the player, which is told of it before its next answer."""
        self._missed.append(position)

    def catch_up(self, past: Iterable[Position], seconds: float) -> None:
        """Tell the player of steps in which it was not asked; steps not told in time are told later."""
        for position in past:
            self.observe(position)
        if self._missed:
            with suppress(_FaultError):
                self._run(self._tell_missed, seconds)

    def hold(self, position: Position) -> Term:
        """Hold a legal move, whatever happens next; GameError where the rules give none."""
        if not position.legal:
            raise GameError(f"{position.role} has no legal move although the game is not over")
        self.held = position.legal[0]
        self._on_hold(self.held)
        return self.held

    def choose(self, position: Position, seconds: float) -> Answer:
        """A legal move after at most ``seconds`` and a moment."""
        held = self.hold(position)
        if position.is_whole:
            self._missed.clear()
        self._missed.append(position)
        try:
            move = self._run(partial(self._ask, position, time.monotonic() + seconds), seconds)
        except _FaultError as error:
            if error.lapse is Lapse.LATE:
                self.hurry()  # so that it is free for the next question
            return Answer(held, str(error), error.lapse)
        if not isinstance(move, Term) or move not in position.legal:
            return Answer(held, f"{self.name} chose {said(move)}, which is not legal", Lapse.ILLEGAL)
        if self.ponders:
            self.ponder(position, move, PONDER_CLOCKS * seconds, threading.Event())
        return Answer(move)

    def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        """Let the player ponder in its thread, and return at once; ``attend`` ends it."""
        if self._worker is None:
            return  # a quick player has no thread
        self._stop_pondering = stop
        work = partial(self.player.ponder, position, move, seconds, stop)
        _last[self._worker] = self._worker.do(work)  # what is wrong with it shows when a move is asked for

    def attend(self) -> None:
        """End the player's pondering: there is going to be something else for it to do."""
        self._stop_pondering.set()

    def hurry(self) -> None:
        """Make the player answer now, if it is thinking."""
        self.attend()
        with suppress(Exception):
            self.player.hurry()

    def ended(self, role: Term, goal: int) -> None:
        """Tell the player its goal value; it has a moment to learn from it."""
        with suppress(_FaultError):
            self._run(partial(self.player.ended, role, goal), 1.0)

    def stop(self) -> None:
        """End the player and the thread."""
        with suppress(_FaultError):  # its answer is not needed any more
            self._run(self.player.stop, 1.0)
        self.close()

    def close(self) -> None:
        """End the player at once, even while it works."""
        self.attend()
        with suppress(Exception):
            self.player.close()
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    # -- in the player's thread -------------------------------------------------------------------------

    def _tell_missed(self, until: Position | None = None) -> None:
        """Tell the player the steps it missed, in order, up to a position that is left out."""
        while self._missed and (told := self._missed.popleft()) is not until:
            self.player.observe(told)

    def _ask(self, position: Position, deadline: float) -> Term:
        self._tell_missed(position)
        left = deadline - time.monotonic()
        if left <= 0:  # the answer would be too late, but the player must keep in step
            if not position.is_whole:
                self.player.observe(position)
            raise _FaultError(f"{self.name} had no time left after it had caught up", Lapse.LATE)
        return self.player.choose(position, left)

    # -- in the thread of the match -----------------------------------------------------------------------

    def _run(self, work: Callable[[], T], seconds: float, noted: bool = True) -> T:
        """The result of a piece of work; _FaultError where there is none, or not in time."""
        self.attend()
        if noted:
            work = partial(self._noted, work)
        if self.quick:
            return self._run_here(work, seconds)
        deadline = time.monotonic() + seconds
        if self._worker is None:
            self._worker = ThreadWorker(f"player {self.name}")
        before = _last.get(self._worker)
        if before is not None and not self._is_in_time(before, seconds):
            raise _FaultError(f"{self.name} is still busy with what it was asked before", Lapse.LATE)
        asked = self._worker.do(work)
        _last[self._worker] = asked
        if not self._is_in_time(asked, deadline - time.monotonic()):
            raise _FaultError(f"{self.name} did not answer within {seconds:g} s", Lapse.LATE)
        error = asked.exception()
        if error is not None:
            raise _failure(self.name, error) from error
        return asked.result()

    def _is_in_time(self, asked: Future[Any], seconds: float) -> bool:
        """Whether the player's thread has finished, after waiting so many seconds at most."""
        return _is_done(asked, seconds)

    def _run_here(self, work: Callable[[], T], seconds: float) -> T:
        """Run work without a thread: lateness is noticed only afterwards, so only for ``quick`` players."""
        begin = time.monotonic()
        try:
            value = work()
        except (Exception, SystemExit) as error:
            raise _failure(self.name, error) from error
        if time.monotonic() - begin > seconds:
            raise _FaultError(f"{self.name} did not answer within {seconds:g} s", Lapse.LATE)
        return value

    def _noted(self, work: Callable[[], T]) -> T:
        self._busy(True)
        try:
            return work()
        finally:
            self._busy(False)


class _FaultError(Exception):
    """Why there is no answer."""

    def __init__(self, message: str, lapse: Lapse) -> None:
        super().__init__(message)
        self.lapse = lapse


def said(value: object) -> str:
    """A player's value as a short text, whatever its own methods raise."""
    try:
        text = str(value)
    except BaseException:  # third-party code: it may raise anything
        return f"something of the type {type(value).__name__}"
    return text if len(text) <= MOST_SAID else text[: MOST_SAID - 1] + "…"


def _failure(name: str, error: BaseException) -> _FaultError:
    if isinstance(error, _FaultError):
        return error
    if isinstance(error, NoMoveError):
        return _FaultError(f"{name} chose {said(error)}, which is not legal", Lapse.ILLEGAL)
    if isinstance(error, PlayerError):
        return _FaultError(f"{name} failed: {said(error)}", Lapse.FAILED)
    return _FaultError(f"{name} failed: {type(error).__name__}: {said(error)}", Lapse.FAILED)


def wait_for_guarded(seconds: float) -> bool:
    """Whether every player that was ever asked has finished, waiting for them a little."""
    deadline = time.monotonic() + seconds
    return all(_is_done(asked, max(0.0, deadline - time.monotonic())) for asked in list(_last.values()))


def _is_done(asked: Future[T], seconds: float) -> bool:
    return asked.done() or bool(wait([asked], max(0.0, seconds)).done)


_last: weakref.WeakKeyDictionary[ThreadWorker, Future[Any]] = weakref.WeakKeyDictionary()
"""The last work of each worker whose thread still lives: a thread holds its worker."""
