"""The games that are played now, each behind an arbiter: in a thread, or in a process that can be killed.

Games of the library are trusted, and their arbiters live here. The rules of strangers may need endless time
or memory: each such game has a process with limits. One that exceeds them is ended, the question fails, and
matches of other games do not notice.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from ...processes.free_memory import free_megabytes
from .arbiter import Arbiter
from .child import AnswerError, Child, ChildError
from .plan import GameText

Kept = TypeVar("Kept")

MOST_LOCAL = 64
MOST_PROCESSES = 8
"""Games of the library, and processes for games of strangers, that are kept."""
IDLE_SECONDS = 300.0
"""After so long without a question the process of a stranger's game is ended."""
OPEN_SECONDS = 20.0
ASK_SECONDS = 10.0
"""How long the rules of a stranger may take to be read, and to answer a question."""
TOGETHER_SECONDS = 0.002
"""How long questions to trusted rules are answered before the first of the answers is handed over."""
MOVE_QUESTIONS = ("choose", "advance", "sight")
"""What people and players wait for; the rest is only shown."""
MEGABYTES = 1000.0
FREE_SHARE = 0.5
"""Memory for the rules of a stranger: so much, and at most this share of what is free."""


class ArbiterError(Exception):
    """The rules gave no answer. ``kind`` is the name of the error, ``limit`` where they were too costly."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class GameRules(ABC):
    """The rules of one game, asked without blocking."""

    last_asked: float = 0.0

    async def ask(self, method: str, *args: Any) -> Any:
        """The answer of the arbiter; ArbiterError where there is none."""
        self.last_asked = time.monotonic()
        return await self._ask(method, args)

    @abstractmethod
    async def _ask(self, method: str, args: tuple[Any, ...]) -> Any: ...

    async def close(self) -> None:  # noqa: B027
        """Release what the game holds."""


@dataclass(eq=False)
class _Question:
    method: str
    args: tuple[Any, ...]
    answer: asyncio.Future[Any]


class LocalRules(GameRules):
    """Trusted rules, in a thread of this process.

    To hand work to a thread and back costs more than most answers. Questions that wait are answered together,
    moves before what is only shown.
    """

    def __init__(self, text: GameText, threads: ThreadPoolExecutor) -> None:
        self._text = text
        self._threads = threads
        self._arbiter: Arbiter | None = None
        self._moves: deque[_Question] = deque()
        self._others: deque[_Question] = deque()
        self._task: asyncio.Task[None] | None = None

    async def _ask(self, method: str, args: tuple[Any, ...]) -> Any:
        question = _Question(method, args, asyncio.get_running_loop().create_future())
        (self._moves if method in MOVE_QUESTIONS else self._others).append(question)
        if self._task is None:
            self._task = asyncio.create_task(self._answer_all())
        return await question.answer

    async def _answer_all(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._moves or self._others:
                for question, value in await loop.run_in_executor(self._threads, self._answer_some):
                    _tell(question.answer, value)
        except RuntimeError as error:  # there are no threads any more: the server stops
            for question in (*self._moves, *self._others):
                _tell(question.answer, ArbiterError("RuntimeError", str(error)))
        finally:
            self._task = None

    def _answer_some(self) -> list[tuple[_Question, Any]]:
        """In a thread: answers, or errors, until those that have them should wait no longer."""
        until = time.monotonic() + TOGETHER_SECONDS
        found: list[tuple[_Question, Any]] = []
        while (waiting := self._moves or self._others) and (not found or time.monotonic() < until):
            question = waiting.popleft()
            if not question.answer.done():  # else nobody waits for it any more
                found.append((question, self._answer(question)))
        return found

    def _answer(self, question: _Question) -> Any:
        try:
            if self._arbiter is None:
                self._arbiter = Arbiter.of_text(self._text)
            return getattr(self._arbiter, question.method)(*question.args)
        except Exception as error:  # rules can be wrong in every way
            return ArbiterError(type(error).__name__, str(error))


def _tell(answer: asyncio.Future[Any], value: Any) -> None:
    if answer.done():
        return
    if isinstance(value, ArbiterError):
        answer.set_exception(value)
    else:
        answer.set_result(value)


class RemoteRules(GameRules):
    """The rules of a stranger, in a process of their own that is started when it is needed."""

    def __init__(
        self,
        text: GameText,
        ask_seconds: float = ASK_SECONDS,
        open_seconds: float = OPEN_SECONDS,
        work: str = "rules",
        opening: Callable[[], tuple[Any, ...]] = tuple,
    ) -> None:
        """``work``: what the process does, a name of ``child_process``; ``opening``: what it is told at first
        beside the text."""
        self._text = text
        self._seconds = ask_seconds
        self._open_seconds = open_seconds
        self._work = work
        self._opening = opening
        self._lock = asyncio.Lock()
        self._child: Child | None = None
        self._is_open = False
        """Whether the process has read the rules."""
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rules")

    @property
    def has_process(self) -> bool:
        return self._child is not None

    async def _ask(self, method: str, args: tuple[Any, ...]) -> Any:
        async with self._lock:
            work = asyncio.get_running_loop().run_in_executor(self._thread, self._answer, method, args)
            return await to_the_end(work)

    def _answer(self, method: str, args: tuple[Any, ...]) -> Any:
        try:
            if self._child is None or not self._child.is_alive:
                self._drop()
                self._child = Child(self._work, most_megabytes())
                self._is_open = False
            if not self._is_open:
                self._child.ask("open", asdict(self._text), *self._opening(), seconds=self._open_seconds)
                self._is_open = True
            return self._child.ask("ask", method, list(args), seconds=self._seconds)
        except AnswerError as error:
            raise ArbiterError(error.kind, str(error)) from error
        except (ChildError, OSError) as error:
            self._drop()
            raise ArbiterError("limit", f"the rules could not be evaluated: {error}") from error

    def _drop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    async def close(self) -> None:
        if self._child is not None:
            self._child.end()  # even while it works
        async with self._lock:
            self._drop()
            self._thread.shutdown(wait=False)

    async def rest(self) -> None:
        """End the process; the next question starts another."""
        async with self._lock:
            self._drop()


def most_megabytes() -> float:
    """The memory that a process for the rules of a stranger may hold."""
    return min(MEGABYTES, FREE_SHARE * free_megabytes())


class RulesShelf:
    """The rules of all games that are played now."""

    def __init__(self, threads: int = 4, ask_seconds: float = ASK_SECONDS) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="rules")
        self._ask_seconds = ask_seconds
        self._local: OrderedDict[str, LocalRules] = OrderedDict()
        self._remote: OrderedDict[str, RemoteRules] = OrderedDict()

    def rules_of(self, text: GameText) -> GameRules:
        """The rules of a game; the same object for the same text."""
        if text.is_trusted:
            return _kept(self._local, text.text, lambda: LocalRules(text, self._threads), MOST_LOCAL)
        found = _kept(
            self._remote, text.text, lambda: RemoteRules(text, self._ask_seconds), 4 * MOST_PROCESSES
        )
        found.last_asked = time.monotonic()
        return found

    async def tidy(self) -> None:
        """End processes that have been idle for long, and the oldest where there are too many."""
        living = [one for one in self._remote.values() if one.has_process]
        living.sort(key=lambda one: one.last_asked)
        old = time.monotonic() - IDLE_SECONDS
        for number, one in enumerate(living):
            if one.last_asked < old or len(living) - number > MOST_PROCESSES:
                await one.rest()

    @property
    def processes(self) -> int:
        return sum(one.has_process for one in self._remote.values())

    async def close(self) -> None:
        for one in list(self._remote.values()):
            await one.close()
        self._remote.clear()
        self._local.clear()
        self._threads.shutdown(wait=False)


def _kept(shelf: OrderedDict[str, Kept], key: str, make: Callable[[], Kept], most: int) -> Kept:
    found = shelf.get(key)
    if found is None:
        found = shelf[key] = make()
    keep_newest(shelf, key, most)
    return found


def keep_newest(shelf: OrderedDict[str, Any], used: str, most: int) -> None:
    """What was used now is the newest; the oldest beyond so many are dropped."""
    shelf.move_to_end(used)
    while len(shelf) > most:
        shelf.popitem(last=False)


async def to_the_end(work: asyncio.Future[Any]) -> Any:
    """The result of work in a thread. A caller that is cancelled waits all the same: the next question must
    not begin before this one is over."""
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise
