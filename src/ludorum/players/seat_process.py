"""The program in the process of a third-party player: the player, and a thread that listens.

Questions come as our pickles. Answers go back as JSON, since nothing that the player's code makes may run in
another process; moves are texts.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from inspect import cleandoc
from multiprocessing.connection import Connection
from typing import Any, TypeAlias

from ..engine.auto import best_engine
from ..engine.game import Game, JointMove, State, View
from ..engine.sight import Position
from ..rules.terms import Term, format_term
from ..search.decision import Decision
from .guard import said
from .player import Player
from .sources import PlayerFile, PlayerSource, make_here

Question: TypeAlias = tuple[int, str, tuple[Any, ...]]
SentState: TypeAlias = tuple[frozenset[Term], JointMove | None]
"""The facts of a state and the joint move that led there."""
SentPosition: TypeAlias = tuple[Term, tuple[Term, ...], View | None, SentState | None]


def sent_game(game: Game) -> tuple[Callable[..., Game], tuple[Any, ...]]:
    """A game for another process: the data to build it there, with a circuit if there is one already."""
    from ..engine.compiled import CompiledGame  # a large package, and not needed in the other process

    best = best_engine(game)
    if isinstance(best, CompiledGame):
        return CompiledGame.of_circuit, (best.rules, best.name, best.circuit, best.cost)
    return _as_it_is, (game,)


def _as_it_is(game: Game) -> Game:
    return game


def sent_position(position: Position) -> SentPosition:
    """A position for another process, which has the game."""
    state = position.state
    sent = None if state is None else (state.facts(), state.joint)
    return position.role, position.legal, position.hidden_view, sent


def serve(connection: Connection) -> None:
    """Answer questions until they end."""
    seat = _Seat(connection)
    threading.Thread(target=seat.listen, name="questions", daemon=True).start()
    seat.answer_all()


class _Seat:
    """The player, and the current state of its match."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._questions: queue.SimpleQueue[Question] = queue.SimpleQueue()
        self._source: PlayerSource | None = None
        self._player: Player | None = None
        self._game: Game | None = None
        self._state: State | None = None
        self._asked: Position | None = None
        """The position in which it was asked last."""
        self._stop_pondering = threading.Event()

    def listen(self) -> None:
        """Receive questions; requests to hurry, and to stop pondering, are handled at once."""
        while True:
            try:
                number, method, args = self._connection.recv()
            except (EOFError, OSError):
                os._exit(0)
            if method == "hurry":
                if self._player is not None:
                    with suppress(Exception):
                        self._player.hurry()
            elif method == "attend":
                self._stop_pondering.set()
            else:
                if method == "ponder":  # made here, where what is to stop it comes later for certain
                    self._stop_pondering = threading.Event()
                    args = (*args, self._stop_pondering)
                self._questions.put((number, method, args))

    def answer_all(self) -> None:
        while True:
            number, method, args = self._questions.get()
            answer: dict[str, object] = {"number": number}
            try:
                answer["value"] = getattr(self, method)(*args)
            except BaseException as error:  # third-party code: it may raise anything
                answer["error"] = said(error) if method == "make" else self._failure(error)
            if self._player is not None:
                answer |= {"fallback": self._text("fallback"), "decision": self._decision()}
                answer["ponders"] = getattr(self._player, "ponders", False) is True
            self._connection.send_bytes(json.dumps(answer).encode())

    # -- the questions ----------------------------------------------------------------------------------

    def make(self, source: PlayerSource, seed: int) -> str:
        """Make the player; returns its docstring."""
        self._source = source
        self._player = make_here(source, seed)
        return cleandoc(type(self._player).__doc__ or "")

    def load(self, make: Callable[..., Game], args: tuple[Any, ...]) -> None:
        self._game, self._state = make(*args), None
        self._own.load(self._game)

    def start(self, role: Term, seconds: float) -> None:
        assert self._game is not None
        self._state = None
        self._own.start(self._game, role, seconds)

    def choose(self, sent: SentPosition, seconds: float) -> dict[str, str]:
        self._asked = self._position(sent)
        move = self._own.choose(self._asked, seconds)
        return {"move": format_term(move)} if isinstance(move, Term) else {"said": said(move)}

    def ponder(self, move: Term, seconds: float, stop: threading.Event) -> None:
        if self._asked is not None:
            self._own.ponder(self._asked, move, seconds, stop)

    def observe(self, sent: SentPosition) -> None:
        self._own.observe(self._position(sent))

    def ended(self, role: Term, goal: int) -> None:
        self._own.ended(role, goal)

    def stop(self) -> None:
        self._own.stop()

    @property
    def _own(self) -> Player:
        assert self._player is not None
        return self._player

    # -- games and states ---------------------------------------------------------------------------------

    def _position(self, sent: SentPosition) -> Position:
        role, legal, view, state = sent
        return Position(role, legal, view, None if state is None else self._placed(*state))

    def _placed(self, facts: frozenset[Term], joint: JointMove | None) -> State:
        """The state with these facts; it knows the joint move that led there if the state before is known."""
        assert self._game is not None
        found: State | None = None
        with suppress(Exception):  # it is not the next state: the moves need not be legal
            if joint is None:
                found = self._game.initial()
            elif self._state is not None:
                found = self._state.play(joint)
        if found is None or found.facts() != facts:
            found = self._game.state(facts)
        self._state = found
        return found

    def _failure(self, error: BaseException) -> str:
        """An error of the player, with its line where the player is a file."""
        text = f"{type(error).__name__}: {said(error)}"
        place = self._source.place_of(error) if isinstance(self._source, PlayerFile) else ""
        return f"{text} ({place})" if place else text

    def _text(self, attribute: str) -> str:
        with suppress(Exception):
            return said(getattr(self._own, attribute))
        return ""

    def _decision(self) -> dict[str, object] | None:
        with suppress(Exception):
            decision = self._own.decision
            return decision.as_json() if isinstance(decision, Decision) else None
        return None
