"""A player that knows nothing of WDL: its own state follows from the description and what it is told."""

from __future__ import annotations

from random import Random

from ludorum.arena.protocol.messages import Play, Start, Stop
from ludorum.engine.lifted import LiftedGame
from ludorum.rules.kif import parse_kif
from ludorum.rules.terms import Term


class NaivePlayer:
    """Chooses at random among the moves that its own state allows."""

    def __init__(self, start: Start, seed: int) -> None:
        self.role = start.role
        self._game = LiftedGame(parse_kif(start.rules), "told")
        self._facts = self._game.initial().facts()
        self._random = Random(seed)

    def answer(self, message: Play | Stop) -> Term | None:
        if message.told is not None:
            does = zip(self._game.roles, message.told, strict=True)
            self._facts, _ = self._game.successor(self._facts, does)
        if isinstance(message, Stop):
            return None
        return self._random.choice(self._game.state(self._facts).legal(self.role))
