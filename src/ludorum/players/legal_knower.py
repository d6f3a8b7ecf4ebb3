"""The player that needs nobody to tell it its legal moves: it knows them from the rules and its percepts."""

from __future__ import annotations

from .._core import SplitMix64
from ..engine.auto import best_engine
from ..engine.game import Game
from ..engine.sight import Position
from ..knowledge.complete_knower import CompleteKnower
from ..rules.terms import Term
from .following import because
from .player import Player

CIRCUIT_SHARE = 0.6
"""The share of a start clock to wait for the circuit: knowledge is faster with it."""


class LegalKnowerPlayer(Player):
    """Plays any move that it knows to be legal from its own moves and percepts alone.

    Sound: where it knows a legal move at all, it never plays another. Where the rules let it know none, it
    plays one that may be legal, and says so.
    """

    name = "legal_knower"

    def __init__(self, seed: int = 0) -> None:
        self._chooser = SplitMix64(seed)
        self._knower: CompleteKnower | None = None

    def start(self, game: Game, role: Term, seconds: float) -> None:
        self.fallback, self._knower = "", None
        if game.rules is not None and not game.info.is_open:
            self._knower = CompleteKnower(best_engine(game, seconds * CIRCUIT_SHARE), role)

    def observe(self, position: Position) -> None:
        view = position.hidden_view
        if self._knower is None or view is None:
            return
        if view.move is None:
            self._give_up(ValueError("the own move of a step was not told"))
            return
        try:
            self._knower.update(view.move, view.percepts)
        except Exception as error:
            self._give_up(error)

    def choose(self, position: Position, seconds: float) -> Term:
        self.observe(position)
        moves = self._moves() if self._knower is not None else ()
        moves = moves or position.legal
        return moves[self._chooser.below(len(moves))]

    def stop(self) -> None:
        self._knower = None

    def _moves(self) -> tuple[Term, ...]:
        """Moves that are legal for certain; where none is known, those that may be."""
        assert self._knower is not None
        try:
            self._knower.asked()
            known = self._knower.known_legal()
            if not known:
                self.fallback = "plays a move that may be legal: the rules do not let it know one"
            return tuple(sorted(known or self._knower.possible_legal()))
        except Exception as error:
            self._give_up(error)
            return ()

    def _give_up(self, error: Exception) -> None:
        self.fallback = because("the moves it is offered", error)
        self._knower = None
