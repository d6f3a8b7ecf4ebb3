"""A player in a process of its own: for third-party code, which may do anything but must not hurt the match.

Every method of ``Player`` is a question to that process. If it has died, every question raises with the
cause; if it does not answer, the guard in front of this player goes on without it, and ``close`` ends it with
everything it has started.
"""

from __future__ import annotations

import json
import select
import threading
import time
from contextlib import suppress
from importlib.metadata import EntryPoint
from multiprocessing.connection import Connection, wait
from typing import Any

from ..engine.game import Game
from ..engine.sight import Position
from ..processes.process_tree import spawn_tree
from ..rules.kif import parse_term
from ..rules.terms import Term
from ..search.decision import Choice, Decision
from .player import NoMoveError, Player, PlayerError
from .seat_process import sent_game, sent_position
from .sources import PlayerSource

MEGABYTES = 4000.0
"""Memory that a player and everything it starts may hold."""
MAKE_SECONDS = 60.0
"""How long it may take to import and make a player."""
LOOK_SECONDS = 0.05
"""How often to look whether it has stopped pondering by itself. That it has to stop is told at once."""
MOST_BYTES = 1 << 22
"""The longest answer that is read."""


class IsolatedPlayer(Player):
    """A player of an entry point or a file, in a process of its own."""

    name: str
    quick = False
    ponders: bool = False
    decision: Decision | None = None
    fallback: str = ""
    about: str
    """The docstring of its class."""

    def __init__(self, source: PlayerSource, seed: int, megabytes: float = MEGABYTES) -> None:
        """PlayerError where the player cannot be made."""
        self.name = source.name  # the name it was asked by, not the one it gives itself
        self._sending = threading.Lock()
        self._number = 0
        self._game: Game | None = None
        self._tree = spawn_tree("ludorum.players.seat_process:serve", megabytes)
        self._connection = Connection(self._tree.work.detach())
        try:
            if isinstance(source, EntryPoint):  # without its distribution, which is not sent
                source = EntryPoint(source.name, source.value, source.group)
            self.about = str(self._ask("make", source, seed, seconds=MAKE_SECONDS))
        except PlayerError:
            self.close()
            raise

    @property
    def death(self) -> str:
        """How its process ended, in words; empty while it lives."""
        return self._tree.death

    def load(self, game: Game) -> None:
        if self._game is not game:
            self._ask("load", *sent_game(game))
            self._game = game

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.load(game)
        self._ask("start", role, seconds)

    def choose(self, position: Position, seconds: float) -> Term:
        begin = time.monotonic()
        self._meet(position)
        left = max(0.0, seconds - (time.monotonic() - begin))
        answer = self._ask("choose", sent_position(position), left)
        try:
            return parse_term(answer["move"])  # type: ignore[index]
        except Exception:
            raise NoMoveError(answer.get("said") if isinstance(answer, dict) else answer) from None

    def observe(self, position: Position) -> None:
        self._meet(position)
        self._ask("observe", sent_position(position))

    def ponder(self, position: Position, move: Term, seconds: float, stop: threading.Event) -> None:
        number = self._send("ponder", (move, seconds))
        while not (stop.wait(LOOK_SECONDS) or self._connection.poll()):
            pass  # its process has not ended pondering by itself
        self._send("attend", ())
        self._answer(number, None)

    def hurry(self) -> None:
        # The caller must not wait: while a question is being sent there is no answer to hurry for.
        if self._sending.acquire(blocking=False):
            try:
                if select.select([], [self._connection], [], 0)[1]:
                    with suppress(OSError):
                        self._connection.send((0, "hurry", ()))
            finally:
                self._sending.release()

    def ended(self, role: Term, goal: int) -> None:
        self._ask("ended", role, goal)

    def stop(self) -> None:
        self._ask("stop")

    def close(self) -> None:
        self._tree.end()

    def _meet(self, position: Position) -> None:
        """Load the game there, also where no start was sent."""
        if self._game is None and position.state is not None:
            self.load(position.state.game)

    def _ask(self, method: str, *args: object, seconds: float | None = None) -> object:
        """The answer of a method there; PlayerError where it raised, or where there is no answer."""
        deadline = None if seconds is None else time.monotonic() + seconds
        return self._answer(self._send(method, args), deadline)

    def _send(self, method: str, args: tuple[object, ...]) -> int:
        """Send a question; returns its number."""
        if self._tree.death:
            raise PlayerError(self._gone())
        with self._sending:
            self._number += 1
            try:
                self._connection.send((self._number, method, args))
            except OSError:
                raise PlayerError(self._gone()) from None
            return self._number

    def _answer(self, number: int, deadline: float | None) -> object:
        """The answer to the question of that number."""
        while True:
            answer = self._receive(deadline)
            if answer.get("number") == number:
                break
        self.ponders = answer.get("ponders") is True
        self.fallback = str(answer.get("fallback", ""))
        self.decision = read_decision(answer.get("decision"))
        if "error" in answer:
            raise PlayerError(str(answer["error"]))
        return answer.get("value")

    def _receive(self, deadline: float | None) -> dict[str, Any]:
        tree = self._tree
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        ready = wait([self._connection, tree.fileno()], left)
        if not ready:
            raise PlayerError("its process does not answer")
        if self._connection not in ready:
            raise PlayerError(self._gone())
        try:
            answer = json.loads(self._connection.recv_bytes(MOST_BYTES))
        except (EOFError, OSError):
            raise PlayerError(self._gone()) from None
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.close()  # its code wrote into the connection: no further answer can be trusted
            raise PlayerError("its process answered with rubbish and was ended")
        return answer

    def _gone(self) -> str:
        """How the process ended; a process that has closed its connection is ended here."""
        if not self._tree.wait_for_death(2.0):
            self.close()
            return "its process closed the connection and was ended"
        return f"its process {self.death}"


def read_decision(data: object) -> Decision | None:
    """The player's decision; None where it cannot be read."""
    if not isinstance(data, dict):
        return None
    with suppress(Exception):
        return Decision(
            role=parse_term(data["role"]),
            move=parse_term(data["move"]),
            choices=tuple(
                Choice(
                    parse_term(one["move"]),
                    int(one["visits"]),
                    float(one["value"]),
                    bool(one["proven"]),
                    float(one["chance"]) if "chance" in one else None,
                )
                for one in data["choices"]
            ),
            nodes=int(data["nodes"]),
            playouts=int(data["playouts"]),
            seconds=float(data["seconds"]),
            depth=int(data["depth"]),
            proven=bool(data["proven"]),
            line=tuple(tuple(map(parse_term, joint)) for joint in data["line"]),
            reasons=tuple(map(str, data["reasons"])),
        )
    return None
