"""Players that do not do as they should, where the process of a match can import them quickly."""

from __future__ import annotations

import time

from ludorum.engine.game import Game
from ludorum.players import Player, Position
from ludorum.rules.terms import Term


class Thoughtful(Player):
    """Takes half its time."""

    name = "thoughtful"

    def choose(self, position: Position, seconds: float) -> Term:
        time.sleep(seconds / 2)
        return position.legal[0]


class Sleeper(Player):
    """Thinks much longer than it may."""

    name = "sleeper"

    def start(self, game: Game, role: Term, seconds: float) -> None:
        time.sleep(seconds + 1.5)

    def choose(self, position: Position, seconds: float) -> Term:
        time.sleep(seconds + 1.5)
        return position.legal[-1]


class Cheat(Player):
    name = "cheat"

    def choose(self, position: Position, seconds: float) -> Term:
        return Term("fly")


class Faint(Player):
    name = "faint"

    def start(self, game: Game, role: Term, seconds: float) -> None:
        raise RuntimeError("not today")

    def choose(self, position: Position, seconds: float) -> Term:
        raise RuntimeError("nor now")
