"""A match as the server keeps it: what its host has told, what was answered, and the way to its process.

When the process dies or hangs the match goes on in another one, which is told the same again. What the server
knows without an answer is one legal move of the position, as soon as the process has looked at it. The move
of another position is never sent: where the machine is so busy that the process has not looked yet, a legal
move that may be late is better than one that is in time and not legal.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ...processes import UNSUPERVISED
from .match_link import EndedError, MatchLink, News, Question
from .match_process import Heard
from .messages import Start

PARTING_SECONDS = 2.0
"""How long a player may take to part from a match that is over."""
MOST_HEARD = 4_000_000
"""Characters of messages that are kept of a match; one that was told more is not played on elsewhere."""
READING_TURNS = 5
"""Turns of the loop until what has arrived was read."""
START_SLACK = 0.02
"""Seconds after which a match that was to be ready is not waited for any more."""
HANGING_SHARE = 0.4
"""How much of the time for an answer is given to a process that still has not answered the last question."""
LATE_SECONDS = 2.0
"""How long after its time a process is waited for that has not looked at the position: hosts allow for the
way, most of them a second or two."""

OpenLink = Callable[[bool], MatchLink]
"""Opens a way to a new process; careful where another one has died of the same match."""
Tell = Callable[[str, str], None]
"""Tells the operator of an event of some kind, in words."""


class KeptMatch:
    """One match of one role."""

    def __init__(self, start: Start, text: str, seed: int, open_link: OpenLink, tell: Tell) -> None:
        """``text`` is the START message as it came."""
        self.start = start
        self.heard_at = time.monotonic()
        self._can_begin = False
        """Whether a legal move of the first position is known."""
        self._text = text
        self._seed = seed
        self._open_link = open_link
        self._tell = tell
        self._link: MatchLink | None = None
        self._heard: list[Heard] = []
        self._is_whole = True
        """Whether everything was kept that was heard."""
        self._step = 0
        self._sent: str | None = None
        self._is_left = False
        self._question: Question | None = None
        """The last PLAY message, and …"""
        self._until = 0.0
        """… when it was to be answered."""

    async def prepare(self, deadline: float, link: MatchLink | None = None) -> bool:
        """Whether the match can be played, as far as that is known at the deadline.

        ``link`` leads to where its rules were read already.
        """
        for _ in range(2):
            link = self._use(link or self._open_link(False))
            asked = link.ask("start", self._text, self._seed, deadline)
            await _wait(asked.answer, deadline - time.monotonic() + START_SLACK)
            if not asked.answer.done():
                return True
            try:
                return asked.answer.result().get("value") is True
            except EndedError as error:
                if self._is_left or str(error) != UNSUPERVISED:  # else it was never begun: once more
                    break
            link = None
        return self._can_begin

    async def choose(self, text: str, step: int | None, deadline: float, until: float) -> str | None:
        """The answer to a PLAY message: the player's move, which it was to find before the deadline, or a
        legal one that is known by ``until``; None where none is known."""
        heard: Heard = (text, step, self._sent)
        self._keep(heard)
        held: str | None = None
        for _ in range(2):  # a process that dies of a question twice will do so again
            await self._end_hanging(until)
            link = self._living_link(heard, deadline)
            if link is None:
                break
            self._question = asked = link.ask("choose", *heard, deadline)
            self._until = until
            await _wait(asked.answer, until - time.monotonic())
            if not asked.answer.done() and held is None:
                await _wait(asked.held, until + LATE_SECONDS - time.monotonic())
            held = _held_move(asked) or held
            if not asked.answer.done():
                break
            with suppress(EndedError):
                answer = asked.answer.result()
                held = answer.get("value")
                self._note(heard, answer)
                break
        self._sent = held
        return held

    def stop(self, text: str) -> asyncio.Future[str] | None:
        """The match is over, as a STOP message tells: its player has a moment, if it is not busy."""
        link, self._is_left = self._link, True
        if link is not None and (link.at_rest or not link.is_process):
            link.ask("stop", text)
            if link.is_process:
                asyncio.get_running_loop().call_later(PARTING_SECONDS, link.end)
                return link.ended
        return self.end()

    def end(self) -> asyncio.Future[str] | None:
        """Give the match up: its process ends at once. The future of that, where there is one."""
        self._is_left = True
        if self._link is None:
            return None
        self._link.end()
        return self._link.ended

    # -- what was heard -------------------------------------------------------------------------------------

    def _keep(self, heard: Heard) -> None:
        self._heard.append(heard)
        if sum(len(text) for text, _, _ in self._heard) > MOST_HEARD:
            self._heard, self._is_whole = [], False

    def _note(self, heard: Heard, answer: News) -> None:
        """Where the match stands after a message: those that changed nothing need not be kept."""
        step = answer.get("step", self._step)
        place = next((at for at, one in enumerate(self._heard) if one is heard), None)
        if place is not None and step == 0:
            del self._heard[: place + 1]
        elif place is not None and step == self._step:
            del self._heard[place]
        if step == 0:
            self._is_whole = True  # the match has begun again
        self._step = step

    # -- the process ----------------------------------------------------------------------------------------

    def _use(self, link: MatchLink) -> MatchLink:
        self._link = link
        link.on_news = self._hear
        link.ended.add_done_callback(self._died)
        return link

    def _hear(self, news: News) -> None:
        self._can_begin |= "held" in news
        for fault in news.get("faults", ()):
            self._tell("fault", fault)
        trouble = news.get("trouble") or news.get("error")
        if trouble:
            self._tell("refused", trouble)

    def _died(self, ended: asyncio.Future[str]) -> None:
        if not self._is_left and not ended.cancelled():
            self._tell("died", f"the process of the match {ended.result()}")

    async def _end_hanging(self, until: float) -> None:
        """End a process that has not answered the last PLAY message in its time, after another moment: one
        that hangs with the interpreter's lock held will not look at the next position either."""
        link, question = self._link, self._question
        if link is None or not link.is_process or question is None or time.monotonic() < self._until:
            return
        await _wait(question.answer, (until - time.monotonic()) * HANGING_SHARE)
        if not question.answer.done():
            link.end()
            await asyncio.wait([link.ended], timeout=max(0.0, until - time.monotonic()))

    def _living_link(self, heard: Heard, deadline: float) -> MatchLink | None:
        """The way to the match; to another process, which is told all that was heard before, where the last
        one has died."""
        link = self._link
        if link is None or not link.ended.done():
            return link
        if not self._is_whole:
            self._tell("lost", "the match is too long to be played on in another process")
            return None
        try:
            link = self._use(self._open_link(True))
        except OSError as error:
            self._tell("lost", f"no process can be had: {error}")
            return None
        before = self._heard[: next(at for at, one in enumerate(self._heard) if one is heard)]
        link.ask("resume", self._text, self._seed, before, deadline)
        self._tell("resumed", f"in another process, with {len(before)} messages")
        return link


def _held_move(asked: Question) -> str | None:
    return asked.held.result() if asked.held.done() and not asked.held.cancelled() else None


async def _wait(asked: asyncio.Future[Any], seconds: float) -> None:
    """Wait for an answer; one that has arrived counts, also where this process was too busy to read it."""
    await asyncio.wait([asked], timeout=max(0.0, seconds))
    for _ in range(READING_TURNS):
        if asked.done():
            return
        await asyncio.sleep(0)
