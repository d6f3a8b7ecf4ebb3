"""The server's end of a match that is played elsewhere: questions out, answers and news in, and the end."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from ...engine.game import Game
from ...players import Player
from ...processes import ProcessTree, fork_server
from .match_process import MatchWorker

MODULE = "ludorum.arena.protocol.match_process"
"""What runs in the processes of matches."""
MOST_BYTES = 1 << 22
"""The longest answer that is read."""
DYING_SECONDS = 1.0
"""How long after its last word the supervisor of a process may take to say how it ended."""
_SIZE = struct.Struct("!i")
"""What stands before each text, as ``Connection`` writes it."""

News: TypeAlias = dict[str, Any]


class EndedError(Exception):
    """The process or thread of the match has ended; the text says why, where that is known."""


@dataclass(frozen=True)
class Question:
    """What was asked, and what is known of it so far."""

    answer: asyncio.Future[News]
    """EndedError where there will be none."""
    held: asyncio.Future[str]
    """A legal move of the position that was asked about, which comes before the answer; cancelled where there
    will be none."""

    def hold(self, move: str) -> None:
        """Note a legal move of the position; the first one counts."""
        if not self.held.done():
            self.held.set_result(move)

    def settle(self, news: News) -> None:
        """Note the answer."""
        self.held.cancel()
        if not self.answer.done():
            self.answer.set_result(news)

    def fail(self, death: str) -> None:
        """There will be no answer."""
        self.held.cancel()
        if not self.answer.done():
            self.answer.set_exception(EndedError(death))


class MatchLink:
    """The way to a process, or a thread, that plays one match."""

    def __init__(self, work: socket.socket, tree: ProcessTree | None) -> None:
        """To be called from a running loop; ``tree`` is the process, if it is one."""
        self.on_news: Callable[[News], None] = lambda news: None
        """Hears every answer, also one that came too late, and what is told without having been asked."""
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """How it ended, with everything it had started."""
        self._tree = tree
        self._work = work
        self._writer: asyncio.StreamWriter | None = None
        self._unsent: list[bytes] = []
        self._asked: dict[int, Question] = {}
        self._number = 0
        self._task = asyncio.create_task(self._read())

    @property
    def is_process(self) -> bool:
        """Whether ``end`` ends whatever it is busy with."""
        return self._tree is not None

    @property
    def at_rest(self) -> bool:
        """Whether everything was answered."""
        return not self._asked

    def ask(self, method: str, *args: object) -> Question:
        """Ask something; what comes of it will be found in the question."""
        self._number += 1
        loop = asyncio.get_running_loop()
        question = Question(loop.create_future(), loop.create_future())
        question.answer.add_done_callback(_look_at)
        if self.ended.done():
            question.fail(self.ended.result())
        else:
            self._asked[self._number] = question
            self._send(json.dumps([self._number, method, args]).encode())
        return question

    def end(self) -> None:
        """End it at once, with everything it has started; a thread is told to hurry, and ends when it can."""
        if self._tree is not None:
            self._tree.ask_to_end()
        elif self._writer is not None:
            with suppress(OSError, RuntimeError):
                self._writer.write_eof()
        else:
            self._work.shutdown(socket.SHUT_WR)

    def _send(self, data: bytes) -> None:
        frame = _SIZE.pack(len(data)) + data
        if self._writer is None:
            self._unsent.append(frame)
        else:
            self._writer.write(frame)

    async def _read(self) -> None:
        reader, self._writer = await asyncio.open_connection(sock=self._work, limit=1 << 16)
        for frame in self._unsent:
            self._writer.write(frame)
        self._unsent.clear()
        try:
            while (size := _SIZE.unpack(await reader.readexactly(_SIZE.size))[0]) in range(MOST_BYTES):
                self._take(json.loads(await reader.readexactly(size)))
        except (asyncio.IncompleteReadError, OSError, ValueError):
            pass
        self._writer.close()
        if self._tree is None:
            self._settle("ended")
        else:
            loop = asyncio.get_running_loop()
            loop.add_reader(self._tree.fileno(), self._bury, self._tree)
            loop.call_later(DYING_SECONDS, self._tree.ask_to_end)  # should it only have closed the connection

    def _take(self, news: News) -> None:
        if "log" in news:
            name, level, text = news["log"]
            logging.getLogger(name).log(level, "%s", text)
            return
        self.on_news(news)
        if "held" in news:
            question = self._asked.get(news.get("about", 0))
            if question is not None:
                question.hold(news["held"])
            return
        question = self._asked.pop(news.get("number", 0), None)
        if question is not None:
            question.settle(news)

    def _bury(self, tree: ProcessTree) -> None:
        asyncio.get_running_loop().remove_reader(tree.fileno())
        death = tree.death
        tree.close()
        self._settle(death)

    def _settle(self, death: str) -> None:
        if not self.ended.done():
            self.ended.set_result(death)
        for question in self._asked.values():
            question.fail(death)
        self._asked.clear()


def link_to_process(first_words: bytes, megabytes: float) -> MatchLink:
    """A match in a process of its own; OSError where none can be had."""
    tree = fork_server(MODULE).start(megabytes)
    link = MatchLink(tree.work, tree)
    link._send(first_words)
    return link


def link_to_thread(make_player: Callable[[int], Player], make_game: Callable[[str], Game]) -> MatchLink:
    """A match in a thread of this process: a daemon, so that the program can end whatever hangs in it."""
    work, theirs = socket.socketpair()
    worker = MatchWorker(Connection(theirs.detach()), make_player, make_game)
    threading.Thread(target=worker.run, name="match", daemon=True).start()
    return MatchLink(work, None)


def _look_at(asked: asyncio.Future[News]) -> None:
    """Read the exception of a future that was not awaited: asyncio would log it otherwise."""
    if not asked.cancelled():
        asked.exception()
