"""The program in a process that answers questions; the fork server calls ``warm_up`` and ``serve``."""

from __future__ import annotations

import importlib
import json
import os
import queue
import threading
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Protocol

from .plan import GameText, Json

NICE = 5
"""How much processes give way to the server, which answers people."""
USED = (
    "engine.auto", "engine.compiled", "evaluate", "players.card_mind", "players.card_player",
    "players.searching", "players.feature_searcher", "rules.check", "search.exact_searcher",
    "web.live.arbiter", "web.live.player_work", "web.live.realtime.served_table",
)  # fmt: skip
"""Modules that the work needs: the warm process imports them once for all."""
TRIAL = "(role a) (init s) (legal a go) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)"


class ChildWork(Protocol):
    """What a process does: every method whose name does not begin with ``_`` is a question."""

    def hurry(self) -> None:
        """Answer the question under way now. Called from another thread."""


def warm_up() -> None:
    """Import what the work needs, and make a game, so that everything made for the first one exists."""
    for name in USED:
        importlib.import_module(f"ludorum.{name}")
    from .arbiter import Arbiter

    trial = Arbiter.of_text(GameText("trial", "", "gdl", TRIAL, True))
    trial.advance({"match": "m", "seed": 0, "joints": []}, None)


def serve(connection: Connection) -> None:
    """Answer questions until they end."""
    with suppress(OSError):
        os.nice(NICE)
    questions: queue.SimpleQueue[Json] = queue.SimpleQueue()
    first = json.loads(connection.recv_bytes())
    work = _make(first["args"][0])
    threading.Thread(target=_listen, args=(connection, work, questions), daemon=True).start()
    while True:
        question = questions.get()
        answer: Json = {"number": question["number"], "pid": os.getpid()}
        try:
            if question["method"].startswith("_"):
                raise ValueError("this is no question")
            answer["value"] = getattr(work, question["method"])(*question["args"])
        except MemoryError:
            os._exit(1)
        except Exception as error:  # rules are foreign text, and can be wrong in every way
            answer |= {"error": str(error)[:2000], "type": type(error).__name__}
        connection.send_bytes(json.dumps(answer).encode())


def _listen(connection: Connection, work: ChildWork, questions: queue.SimpleQueue[Json]) -> None:
    """Receive questions; a request to hurry is handled at once, without waiting for its turn."""
    while True:
        try:
            question = json.loads(connection.recv_bytes())
        except (EOFError, OSError):
            os._exit(0)
        if question["method"] == "hurry":
            with suppress(Exception):
                work.hurry()
        else:
            questions.put(question)


class _OpenedWork:
    """Something that is opened first, and then asked by the names of its methods."""

    _opened: Any = None

    def ask(self, method: str, args: list[Any]) -> Any:
        return getattr(self._opened, method)(*args)

    def hurry(self) -> None:
        """Does nothing: there is nothing that could be cut short."""


class RulesWork(_OpenedWork):
    """The arbiter of one game of a stranger."""

    def open(self, text: Json) -> Json:
        """Read the rules; returns what pages say about the game."""
        from .arbiter import Arbiter

        self._opened = Arbiter.of_text(GameText(**text))
        about: Json = self._opened.about()
        return about


class TableWork(_OpenedWork):
    """A realtime match, with its rules and what is drawn of it."""

    def open(self, text: Json, match: str, seed: int, events: list[Json]) -> Json:
        """Read the rules, and what has happened in the match; returns what pages say about the game."""
        from .realtime.served_table import ServedTable

        self._opened = ServedTable(GameText(**text), match, seed, events)
        about: Json = self._opened.about()
        return about


def _make(name: str) -> ChildWork:
    if name == "rules":
        return RulesWork()
    if name == "table":
        return TableWork()
    from .player_work import PlayerWork

    return PlayerWork()
