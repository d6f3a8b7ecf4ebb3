"""The program that plays for an earlier version: run by the Python of that version's clone.

It uses only what every version has: loading a game, making a player, positions. Questions and answers are
lines of JSON; what the player prints goes to the error stream.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from typing import Any

from ludorum.engine.game import Game, State
from ludorum.engine.load import make_game
from ludorum.engine.sight import position_of
from ludorum.players import Player, make_player
from ludorum.rules.kif import parse_term
from ludorum.rules.library import Sheet, read_header
from ludorum.rules.source import Source
from ludorum.rules.terms import Term, format_term


class Served:
    """One player in one match, which is followed by its joint moves."""

    def __init__(self) -> None:
        self._player: Player | None = None
        self._states: list[State] = []
        self._told = 0
        """How many states the player has been asked or told about."""
        self._role: Term | None = None

    def make(self, asked: dict[str, Any]) -> dict[str, object]:
        sheet = asked["game"]
        game = loaded(Sheet(
            sheet["name"], sheet["language"], Source(sheet["name"], sheet["text"]), read_header(sheet["text"])
        ), asked["engine"], asked["lenient"])  # fmt: skip
        self._states = [game.initial()]
        self._role = game.info.players[asked["seat"]]
        self._player = make_player(asked["name"], asked["seed"])
        return {}

    def start(self, asked: dict[str, Any]) -> dict[str, object]:
        assert self._player is not None
        assert self._role is not None
        self._player.start(self._states[0].game, self._role, asked["seconds"])
        return {}

    def choose(self, asked: dict[str, Any]) -> dict[str, object]:
        assert self._player is not None
        assert self._role is not None
        begin = time.monotonic()
        for joint in asked["moves"]:
            self._states.append(self._states[-1].play([parse_term(move) for move in joint]))
        state = self._states[-1]
        if not state.game.info.is_open:
            for earlier in self._states[self._told : -1]:
                self._player.observe(position_of(earlier, self._role))
        self._told = len(self._states)
        left = asked["seconds"] - (time.monotonic() - begin)
        move = self._player.choose(position_of(state, self._role), max(0.0, left))
        decision = self._player.decision
        found = None
        with suppress(Exception):  # a decision is only a remark
            found = None if decision is None else decision.as_json()
        return {"move": format_term(move), "decision": found, "fallback": self._player.fallback}

    def stop(self, asked: dict[str, Any]) -> dict[str, object]:
        assert self._player is not None
        self._player.stop()
        return {}


def loaded(sheet: Sheet, engine: str, lenient: bool) -> Game:
    """The game on its engine, or on ``lifted`` where it has no circuit."""
    try:
        return make_game(sheet, engine, lenient)
    except Exception:
        if engine == "lifted":
            raise
        return make_game(sheet, "lifted", lenient)


def serve() -> None:
    """Answer questions until they end."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    served = Served()
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            answer = getattr(served, asked["ask"])(asked)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
