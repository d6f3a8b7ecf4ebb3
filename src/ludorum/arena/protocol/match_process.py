"""The code that plays one match: in a process of its own, or in a thread where no process can be forked.

Questions and answers are JSON; messages of the host come as their texts. A legal move is sent as soon as one
is known, before the answer, so that the server has it even if the process fails. ``warm_up`` and ``serve``
are what the fork server calls.
"""

from __future__ import annotations

import importlib
import json
import logging
import pickle
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from ...engine.game import Game
from ...players import LegalPlayer, Player
from ...rules.kif import parse_term
from ...rules.terms import Term, format_term
from .game_shelf import GameShelf
from .messages import Play, PlayPercepts, Start, Stop, parse_message
from .played_match import PlayedMatch

Heard: TypeAlias = tuple[str, int | None, str | None]
"""The text of a PLAY message, the step that its header names, and what was answered to the one before."""

USED_LATER = (
    "asp.stamped", "asp.strategy_tree", "asp.temporal", "asp.whole_horizon", "cards.mind.mind", "cards.wire",
    "engine.auto", "engine.compiled", "evaluate", "evaluate.learning", "players.card_mind",
    "players.card_player", "players.feature_searcher", "processes.service", "rules.check", "rules.lenient",
    "search.exact_searcher", "solve", "solve.logic_searcher", "solve.parts_searcher", "solve.planner",
    "solve.prove", "solve.strategy_search", "solve.prove.subgames", "solve.symmetry", "solve.thinker",
)  # fmt: skip
"""Modules that are imported lazily: without this list each match would import them again."""


TRIAL = "(role a) (init s) (legal a go) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)"


def warm_up() -> None:
    """Import what matches need, and make a game, so that everything made for the first game exists."""
    for name in USED_LATER:
        importlib.import_module(f"ludorum.{name}")
    trial = PlayedMatch(Start("m", Term("a"), TRIAL, 1, 1), GameShelf("lifted").game, LegalPlayer())
    trial.prepare(0.0)
    trial.choose(Play("m", None), 0.0)
    trial.stop()


def serve(connection: Connection) -> None:
    """Play a match in this process. The first message says how to make a player, the engine and the limit."""
    make_player, engine, megabytes = pickle.loads(connection.recv_bytes())
    worker = MatchWorker(connection, make_player, GameShelf(engine, megabytes=megabytes).game)
    log = logging.getLogger("ludorum")
    log.setLevel(logging.INFO)
    log.addHandler(_Forwarding(worker))
    worker.run()


def first_words(make_player: Callable[[int], Player], engine: str, megabytes: float) -> bytes:
    """The first message to ``serve``; ValueError where the player cannot be made in another process."""
    try:
        return pickle.dumps((make_player, engine, megabytes))
    except Exception as error:
        raise ValueError(
            f"{make_player!r} cannot be called in another process ({error}): give a function of a module, "
            'such as functools.partial(make_player, "random"), or play in threads (processes=False)'
        ) from error


class MatchWorker:
    """Answers what the server asks about one match, one question after the other."""

    def __init__(
        self,
        connection: Connection,
        make_player: Callable[[int], Player],
        make_game: Callable[[str], Game],
    ) -> None:
        self._connection = connection
        self._sending = threading.Lock()
        self._make_player = make_player
        self._make_game = make_game
        self._questions: queue.SimpleQueue[tuple[int, str, list[Any]] | None] = queue.SimpleQueue()
        self._match: PlayedMatch | None = None
        self._quiet = False
        self._number = 0
        """The question that is being answered."""

    def run(self) -> None:
        """Answer until there are no more questions, or the match is over."""
        threading.Thread(target=self._listen, name="questions", daemon=True).start()
        while (question := self._questions.get()) is not None:
            self._number, method, args = question
            answer: dict[str, object] = {"number": self._number}
            try:
                answer["value"] = getattr(self, method)(*args)
            except Exception as error:  # rules are foreign text, and can be wrong in every way
                answer["error"] = f"{type(error).__name__}: {error}"
            match = self._match
            if match is not None:
                answer |= {"faults": match.faults[:], "trouble": match.trouble, "step": match.step}
                match.faults.clear()
                match.trouble = ""
            if not self.tell(answer) or method == "stop":
                break
        if self._match is not None:
            self._match.stop()
        self._connection.close()

    def tell(self, answer: dict[str, object]) -> bool:
        """Send a value to the server; False where it no longer listens."""
        with self._sending, suppress(OSError):
            self._connection.send_bytes(json.dumps(answer).encode())
            return True
        return False

    def _listen(self) -> None:
        """Receive questions; a request to hurry is handled at once, without waiting for its turn."""
        while True:
            try:
                number, method, args = json.loads(self._connection.recv_bytes())
            except (EOFError, OSError):
                self.hurry()
                self._questions.put(None)
                return
            if method == "hurry":
                self.hurry()
            else:
                self._questions.put((number, method, args))

    def hurry(self) -> None:
        """Make the player answer now."""
        if self._match is not None:
            self._match.guard.hurry()

    # -- the questions ----------------------------------------------------------------------------------

    def preview(self, rules: str) -> None:
        """Read the rules, and prepare the game."""
        self._make_game(rules)

    def start(self, text: str, seed: int, deadline: float) -> bool:
        """Whether the match of a START message can be played."""
        message = parse_message(text)
        assert isinstance(message, Start)
        player = self._make_player(seed)
        self._match = PlayedMatch(message, self._make_game, player, seed, self._hold)
        return self._match.prepare(deadline)

    def resume(self, text: str, seed: int, heard: Sequence[Heard], deadline: float) -> bool:
        """Like ``start``, for a match that another process played until now; without time to prepare."""
        message = parse_message(text)
        assert isinstance(message, Start)
        self._quiet = True  # moves of past positions may not be legal now
        self._match = PlayedMatch(message, self._make_game, self._make_player(seed), seed, self._hold)
        try:
            if not self._match.prepare(deadline, resumed=True):
                return False
            for index, (said, step, sent) in enumerate(heard):
                self._match.follow(_play(said), deadline, step, _term(sent), len(heard) - index)
        finally:
            self._quiet = False
        return True

    def choose(self, said: str, step: int | None, sent: str | None, deadline: float) -> str | None:
        """A legal move; None where none is known."""
        assert self._match is not None
        move = self._match.choose(_play(said), deadline, step, _term(sent))
        return None if move is None else format_term(move)

    def stop(self, text: str) -> None:
        """The match is over; the STOP message may tell its last joint move."""
        message = parse_message(text) if text else None
        if self._match is not None:
            self._match.stop(message.told if isinstance(message, Stop) else None)
            self._match = None

    def _hold(self, move: Term) -> None:
        if not self._quiet:
            self.tell({"held": format_term(move), "about": self._number})


class _Forwarding(logging.Handler):
    """Sends log records to the server, which logs them with its own."""

    def __init__(self, worker: MatchWorker) -> None:
        super().__init__()
        self._worker = worker

    def emit(self, record: logging.LogRecord) -> None:
        self._worker.tell({"log": [record.name, record.levelno, record.getMessage()]})


def _play(text: str) -> Play | PlayPercepts:
    message = parse_message(text)
    assert isinstance(message, Play | PlayPercepts)
    return message


def _term(text: str | None) -> Term | None:
    return None if text is None else parse_term(text)
