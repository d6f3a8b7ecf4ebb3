"""Which moves are made by hand, and which pass by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.game import Game, State
from ..rules.terms import Term
from .card_games import is_card_game
from .listener import PublicKnowledge

WAITING = frozenset({"noop", "pass", "wait", "skip", "nil", "none"})
"""Names of moves that do nothing."""
DEEDS = frozenset({"pass", "skip"})
"""Those of them by which a role lets its turn go by, so that it had one."""


def waits(move: Term) -> bool:
    """Whether a move does nothing."""
    return move.name.lower() in WAITING and not move.args


def is_deed(legal: Sequence[Term]) -> bool:
    """Whether a role with these moves has a choice, or at least something to do."""
    return len(legal) > 1 or any(not waits(move) or move.name.lower() in DEEDS for move in legal)


class Asking:
    """Whom one match asks for moves; all other moves are forced and pass by themselves.

    A role is asked where it has a choice. Where the rules hide something, it makes its only move by hand as
    well, unless all know that it has no other: a move that is there at once would tell that. All know what
    follows from public percepts (``listener.py``), which is the same whatever is hidden. Charts say openly
    whose turn it is, so that only waiting passes by itself there.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._hides = not game.info.is_open and len(game.info.players) > 1
        self._public = PublicKnowledge()
        self._found: dict[int, tuple[State, tuple[Term, ...]]] = {}
        """By steps, the states and the roles that were asked in them."""

    def is_asked(self, states: Sequence[State], role: Term) -> bool:
        """Whether a role makes its move itself in the last of a match's states."""
        return role in self.roles(states)

    def roles(self, states: Sequence[State]) -> tuple[Term, ...]:
        """The roles that make their moves themselves in the last of a match's states."""
        step, state = len(states) - 1, states[-1]
        found = self._found.get(step)
        if found is None or found[0] is not state:
            found = self._found[step] = state, self._asked(states)
        return found[1]

    def _asked(self, states: Sequence[State]) -> tuple[Term, ...]:
        legal = {role: states[-1].legal(role) for role in self._game.info.players}
        asked = {role for role, moves in legal.items() if len(moves) > 1}
        alone = {role for role, moves in legal.items() if len(moves) == 1}
        if self._hides and alone:
            asked |= alone - self._passing(states, alone)
        return tuple(role for role in legal if role in asked)

    def _passing(self, states: Sequence[State], alone: set[Term]) -> frozenset[Term]:
        """The roles whose only moves may pass by themselves."""
        if is_card_game(self._game):
            return frozenset(role for role in alone if not is_deed(states[-1].legal(role)))
        return self._public.forced(states)
