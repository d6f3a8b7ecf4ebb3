"""No illegal and no late move: a guard between a player and whoever waits for its answer.

The guard holds a legal move before the player starts to think, lets it think in a thread of its own, and
answers with the held move where the player is late, raises, or names a move that is not legal. What went
wrong is told, never hidden.
"""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from ..engine.game import Game, GameError
from ..rules.terms import Term
from .player import Player, Position
from .worker import Worker


class Lapse(Enum):
    """What a player did wrong."""

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
    """One player behind one thread. A player that hangs keeps its thread; the guard goes on without it."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.trouble = ""
        """What went wrong when the player prepared, in words."""
        self._worker: Worker | None = None

    @property
    def name(self) -> str:
        return self.player.name

    def start(self, game: Game, role: Term, seconds: float) -> Lapse | None:
        """Let the player prepare; ``trouble`` says what went wrong. One that is late may go on meanwhile."""
        self.trouble = ""
        try:
            self._run(lambda: self.player.start(game, role, seconds), seconds)
        except _FaultError as error:
            self.trouble = str(error)
            return error.lapse
        return None

    def catch_up(self, past: Sequence[Position], seconds: float) -> None:
        """Tell the player of steps made before it came; what went wrong shows in its next answer."""
        if past:
            with suppress(_FaultError):
                self._run(lambda: self._tell(past), seconds)

    def choose(self, position: Position, seconds: float) -> Answer:
        """A legal move after at most ``seconds`` and a moment."""
        if not position.legal:
            raise GameError(f"{position.role} has no legal move although the game is not over")
        held = position.legal[0]
        try:
            move = self._run(lambda: self.player.choose(position, seconds), seconds)
        except _FaultError as error:
            if error.lapse is Lapse.LATE:
                self.player.hurry()  # so that it is free for the next question
            return Answer(held, str(error), error.lapse)
        if not isinstance(move, Term) or move not in position.legal:
            return Answer(held, f"{self.name} chose {move}, which is not legal", Lapse.ILLEGAL)
        return Answer(move)

    def _tell(self, past: Sequence[Position]) -> None:
        for position in past:
            self.player.observe(position)

    def ended(self, role: Term, goal: int) -> None:
        """Tell the player what the match came to; it has a moment to think about it."""
        with suppress(_FaultError):
            self._run(lambda: self.player.ended(role, goal), 1.0)

    def stop(self) -> None:
        """End the player and the thread."""
        with suppress(_FaultError):  # nobody waits for its answer any more
            self._run(self.player.stop, 1.0)
        if self._worker is not None:
            self._worker.end()
            self._worker = None

    def _run(self, work: Callable[[], object], seconds: float) -> object:
        if self.player.quick:
            return self._run_here(work, seconds)
        if self._worker is None:
            self._worker = Worker(f"player {self.name}")
        before = _last.get(self._worker)
        if before is not None and not _is_done(before, seconds):
            raise _FaultError(f"{self.name} is still busy with what it was asked before", Lapse.LATE)
        _last[self._worker] = asked = self._worker.do(work)
        if not _is_done(asked, seconds):
            raise _FaultError(f"{self.name} did not answer within {seconds:g} s", Lapse.LATE)
        error = asked.exception()
        if error is not None:
            raise _failure(self.name, error) from error
        return asked.result()

    def _run_here(self, work: Callable[[], object], seconds: float) -> object:
        """Without a thread: late is found afterwards, which only a player that never thinks may ask for."""
        begin = time.monotonic()
        try:
            value = work()
        except Exception as error:
            raise _failure(self.name, error) from error
        if time.monotonic() - begin > seconds:
            raise _FaultError(f"{self.name} did not answer within {seconds:g} s", Lapse.LATE)
        return value


class _FaultError(Exception):
    """Why there is no answer."""

    def __init__(self, message: str, lapse: Lapse) -> None:
        super().__init__(message)
        self.lapse = lapse


def _failure(name: str, error: BaseException) -> _FaultError:
    return _FaultError(f"{name} failed: {type(error).__name__}: {error}", Lapse.FAILED)


def wait_for_guarded(seconds: float) -> bool:
    """Whether every player that was ever asked has come to rest, waiting for them a little."""
    deadline = time.monotonic() + seconds
    return all(_is_done(asked, max(0.0, deadline - time.monotonic())) for asked in list(_last.values()))


def _is_done(asked: Future[object], seconds: float) -> bool:
    return asked.done() or bool(wait([asked], seconds).done)


_last: weakref.WeakKeyDictionary[Worker, Future[object]] = weakref.WeakKeyDictionary()
"""What each worker was asked last, for those whose threads still live: a thread holds its worker."""
