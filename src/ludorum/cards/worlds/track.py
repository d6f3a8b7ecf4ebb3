"""The possible positions of a match of cards, for a player that is told only some of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...engine.game import View
from ...engine.sight import Position, position_of
from ...engine.track import Track
from ...rules.terms import Term
from ..language.faults import CardsError
from ..machine.game import NOOP, CardGame, CardState
from .knowledge import Knowledge


class CardTrack(Track):
    """A player's knowledge of a match of cards by its percepts; no state is guessed."""

    game: CardGame

    def __init__(self, game: CardGame, role: Term) -> None:
        self.game = game
        self.role = role
        self.restart()

    def restart(self) -> None:
        self._step = 0
        self.consistent = True
        self._knowledge = Knowledge.of(self.game, self.game.players.index(self.role))
        self._last = View(self.role, None, frozenset(), None)

    @property
    def step(self) -> int:
        return self._step

    def advance(self, move: Term | None, percepts: Iterable[Term] | None, deadline: float) -> None:
        """Take a step; None where a message was lost: its content is not sent again."""
        self._step += 1
        self._last = View(self.role, move, frozenset(percepts or ()), None)
        try:
            self._knowledge.observe(self._last.percepts)
        except (CardsError, ValueError) as error:
            self.consistent = False
            raise CardsError(f"step {self.step} cannot be followed: {error}") from error

    def position(self, deadline: float) -> Position:
        return replace(self.seen(), legal=self._legal()) if self.step else self.seen()

    def seen(self) -> Position:
        if not self.step:
            return position_of(self.game.initial(), self.role)
        return Position(self.role, (), self._last, None)

    def _legal(self) -> tuple[Term, ...]:
        """The own legal moves: they depend on nothing that the player does not see."""
        known = self._knowledge
        if known.asked != known.player:
            return (NOOP,)
        position, reason = self.game.machine.run(known.position)
        return CardState(self.game, position, reason, None, ()).legal(self.role)
